import type { Speech } from '../../../infra/i18n/speech.ts'
import type { Tag } from '../../../protocol/tags.ts'
import type { BusinessDefinition } from '../../../protocol/types.generated.ts'
import type { EntryRow } from '../queries.ts'

/** What a letter to somebody who waits is written from. */
export interface About {
  entry: EntryRow
  speech: Speech
  definition: BusinessDefinition
  tag: Tag
  page: string
  /** Of the place that the same address had for the same before. */
  earlierPage: string | undefined
}
