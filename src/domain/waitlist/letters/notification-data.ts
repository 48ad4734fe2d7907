import type { Localizer } from '../../../infra/i18n/localizer.ts'
import type { Tag } from '../../../protocol/tags.ts'
import type { BusinessDefinition } from '../../../protocol/types.generated.ts'
import type { EntryRow } from '../queries.ts'

export interface NotificationData {
  entry: EntryRow
  speech: Localizer
  definition: BusinessDefinition
  tag: Tag
  page: string
  /** Page of an earlier entry of this address for the same wish. */
  earlierPage: string | undefined
}
