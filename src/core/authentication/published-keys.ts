import type { Agent } from '../../protocol/caller.ts'
import type { PlatformProfile } from '../../protocol/types.generated.ts'
import { usableThumbprint } from '../keys/keys.ts'

export const isPublished = (principal: string, { profile }: Agent): boolean => principalsOf(profile).has(principal)

/** Computed once for each fetched profile document. */
const principals = new WeakMap<PlatformProfile, Set<string>>()

export function principalsOf(profile: PlatformProfile): Set<string> {
  const known = principals.get(profile)
  if (known) return known
  const { keys = [], signing_keys = [] } = profile
  const thumbprints = [...keys, ...signing_keys].flatMap((jwk) => usableThumbprint(jwk) ?? [])
  const found = new Set(thumbprints.map((one) => `key:${one}`))
  principals.set(profile, found)
  return found
}
