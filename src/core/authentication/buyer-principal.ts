import type { Link } from '../../protocol/caller.ts'
import type { Operation } from '../../protocol/operation.ts'

const ofBuyers: readonly string[] = [
  'dev.usp-protocol.services.availability',
  'dev.usp-protocol.services.bookings',
  'dev.usp-protocol.services.waitlist',
]

/** Whether an operation is about somebody who books: to all others the token of a link is one of its platform. */
export const concernsBuyer = ({ capability }: Operation): boolean => ofBuyers.includes(capability)

/**
 * Platform and buyer together are a principal of their own: neither the platform by itself nor with another buyer owns
 * what it holds, books or waits for.
 */
export const buyerPrincipal = (platform: string, { buyer }: Link): string => `${platform}/${buyer}`

/** The platform alone, of a principal that may stand for one of its buyers too. */
export const platformOf = (principal: string): string =>
  buyerOf(principal) === null ? principal : principal.slice(0, principal.lastIndexOf('/'))

/** The buyer a principal acts for. A client of an outside issuer has an @ in its name and never stands for a buyer here. */
export const buyerOf = (principal: string): string | null =>
  /^client:[^/@]+\/(buy_[\w-]+)$/.exec(principal)?.[1] ?? null
