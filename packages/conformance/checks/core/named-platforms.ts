import type { Answer } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import type { HostedPlatform } from '../../platform/platform-host.ts'
import type { CheckContext } from '../../run/check-context.ts'

/** A caller that names this address as its platform profile. */
export const callerNaming = (c: CheckContext, profile: string): Caller =>
  c.callerFor({ profile, key: c.platform.hosted.key })

/** Reads one service of the catalogue: an operation that needs no authentication. */
export const readCatalogue = (caller: Caller): Promise<Answer> =>
  caller.call('listServices', { pagination: { limit: 1 } })

/** A platform whose profile a check changes before the server reads it. */
export function changedPlatform(c: CheckContext, change: (platform: HostedPlatform) => void) {
  const platform = c.newPlatform()
  change(platform.hosted)
  return platform
}

export const CATALOGUE = 'dev.usp-protocol.services.catalog'
export const VENDOR = 'com.example.conformance'

/** An entry for a capability of the protocol. */
export const ownEntry = (version = '2026-08-20') => ({
  version,
  spec: 'https://usp-protocol.dev/specification',
  schema: 'https://usp-protocol.dev/schemas/usp.json',
})

export const vendorEntry = () => ({
  version: '2026-08-20',
  spec: 'https://example.com/specification',
  schema: 'https://example.com/schema.json',
})

/** A platform whose profile has these capabilities alone. */
export const platformWith = (c: CheckContext, capabilities: Record<string, object[]>) =>
  changedPlatform(c, ({ document }) => {
    document.usp = { version: '2026-08-20', capabilities }
  })
