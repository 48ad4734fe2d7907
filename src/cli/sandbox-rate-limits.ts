import type { RateLimits } from '../protocol/types.generated.ts'

/**
 * The rate limits of the demo business, in calls per minute. The limits are high, because developers test their
 * platforms with this business. One run of the conformance tests makes hundreds of wrong calls on purpose from one IP
 * address.
 */
export const SANDBOX_LIMITS: RateLimits = {
  catalogue: 3000,
  availability: 3000,
  holds: 3000,
  bookings: 3000,
  messages: 3000,
  other: 3000,
  staff: 3000,
  failed_authentications: 3000,
  profiles: 3000,
  strangers: { calls: 3000, holds: 400, bookings: 400, waitlist: 400 },
}
