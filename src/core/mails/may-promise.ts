import type { Config } from '../../infra/config/config.ts'
import type { MailedBuyer } from '../../infra/db/outbox.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { canMail } from './channels.ts'
import { isWanted } from './outbox.ts'

/** Whether a mail to somebody will be written and sent as things are: only then may a page promise it. */
export const mayPromise = (
  to: MailedBuyer | undefined,
  { config, definition }: { config: Pick<Config, 'mode' | 'mail'>; definition: BusinessDefinition },
): to is MailedBuyer => to !== undefined && canMail(config) && isWanted(to, definition)
