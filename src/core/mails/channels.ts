import type { Config } from '../../infra/config/config.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** The ways by which people are told. */
export type Channel = 'mail' | 'webhook'

/** Where nothing can be mailed, nobody may be promised a mail. */
export const canMail = ({ mode, mail }: Pick<Config, 'mode' | 'mail'>): boolean =>
  mail !== undefined || mode === 'development'

/** Those that there are. */
export function channelsOf(config: Config, definition: BusinessDefinition | undefined): Channel[] {
  const isPosted = definition?.notifications?.webhook !== undefined
  return [...(canMail(config) ? (['mail'] as const) : []), ...(isPosted ? (['webhook'] as const) : [])]
}
