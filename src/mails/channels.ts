import type { Config } from '../config/config.ts'
import type { BusinessDefinition } from '../protocol/types.generated.ts'

/** The ways by which people are told. */
export type Channel = 'mail' | 'webhook'

/** Those that there are. Where there is none for mail, nobody may be promised one. */
export function channelsOf({ mode, mail }: Config, definition: BusinessDefinition | undefined): Channel[] {
  const isMailed = mail !== undefined || mode === 'development'
  const isPosted = definition?.notifications?.webhook !== undefined
  return [...(isMailed ? (['mail'] as const) : []), ...(isPosted ? (['webhook'] as const) : [])]
}
