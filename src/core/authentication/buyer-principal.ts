import type { AccountLink } from '../../protocol/caller.ts'
import type { Operation } from '../../protocol/operation.ts'

const ofBuyers: readonly string[] = [
  'dev.usp-protocol.services.availability',
  'dev.usp-protocol.services.bookings',
  'dev.usp-protocol.services.waitlist',
]

/** Whether an operation concerns a buyer. For other operations, a token of a link counts as one of its platform. */
export const concernsBuyer = ({ capability }: Operation): boolean => ofBuyers.includes(capability)

/**
 * A platform acting for a buyer is a separate principal. The platform alone, or with another buyer, does not own its holds,
 * bookings and waitlist entries.
 */
export const buyerPrincipal = (platform: string, { buyer }: AccountLink): string => `${platform}/${buyer}`

export const platformOf = (principal: string): string =>
  buyerOf(principal) === null ? principal : principal.slice(0, principal.lastIndexOf('/'))

/**
 * The buyer that a principal acts for. A client of an outside issuer has an @ in its name and never acts for a buyer here.
 */
export const buyerOf = (principal: string): string | null =>
  /^client:[^/@]+\/(buy_[\w-]+)$/.exec(principal)?.[1] ?? null
