import type { Config } from '../../infra/config/config.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** A mail goes to the mail server, or as data to the notification webhook of the business. */
export type Channel = 'mail' | 'webhook'

/** Whether the server can send mails. In development the outbox page shows them instead. */
export const canMail = ({ mode, mail }: Pick<Config, 'mode' | 'mail'>): boolean =>
  mail !== undefined || mode === 'development'

export function channelsOf(config: Config, definition: BusinessDefinition | undefined): Channel[] {
  const isPosted = definition?.notifications?.webhook !== undefined
  return [...(canMail(config) ? (['mail'] as const) : []), ...(isPosted ? (['webhook'] as const) : [])]
}
