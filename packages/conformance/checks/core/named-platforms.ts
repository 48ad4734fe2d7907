import type { Answer } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import type { HostedPlatform } from '../../platform/platform-host.ts'
import type { CheckContext } from '../../run/check-context.ts'

/** Returns a caller that names this address as its platform profile. */
export const callerNaming = (c: CheckContext, profile: string): Caller =>
  c.callerFor({ profile, key: c.platform.hosted.key })

/** Lists one service of the catalogue. This operation needs no authentication. */
export const readCatalogue = (caller: Caller): Promise<Answer> =>
  caller.call('listServices', { pagination: { limit: 1 } })

/** Creates a platform, and changes its profile before the server reads the profile. */
export function changedPlatform(c: CheckContext, change: (platform: HostedPlatform) => void) {
  const platform = c.newPlatform()
  change(platform.hosted)
  return platform
}

export const CATALOGUE = 'dev.usp-protocol.services.catalog'
export const BOOKINGS = 'dev.usp-protocol.services.bookings'
export const VENDOR = 'com.example.conformance'

/** A profile entry for a capability of the protocol. */
export const ownEntry = (version = '2026-08-20') => ({
  version,
  spec: 'https://usp-protocol.dev/specification',
  schema: 'https://usp-protocol.dev/schemas/usp.json',
})

/** A profile entry for a capability of another vendor. */
export const vendorEntry = () => ({
  version: '2026-08-20',
  spec: 'https://example.com/specification',
  schema: 'https://example.com/schema.json',
})

/** Creates a platform whose profile has only these capabilities. */
export const platformWith = (c: CheckContext, capabilities: Record<string, object[]>) =>
  changedPlatform(c, ({ document }) => {
    document.usp = { version: '2026-08-20', capabilities }
  })
