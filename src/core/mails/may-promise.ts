import type { Config } from '../../infra/config/config.ts'
import type { MailedBuyer } from '../../infra/db/outbox.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { canMail } from './channels.ts'
import { isWanted } from './outbox.ts'

/** Whether the server will send a mail to this buyer with the current settings. Only then may a page promise one. */
export const willMail = (
  to: MailedBuyer | undefined,
  { config, definition }: { config: Pick<Config, 'mode' | 'mail'>; definition: BusinessDefinition },
): to is MailedBuyer => to !== undefined && canMail(config) && isWanted(to, definition)
