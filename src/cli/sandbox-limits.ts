import type { RateLimits } from '../protocol/types.generated.ts'

/**
 * The limits of the demo business, in calls per minute. Platforms use it as a sandbox: a run of the conformance suite
 * makes hundreds of calls that fail on purpose, from one address.
 */
export const SANDBOX_LIMITS: RateLimits = {
  catalogue: 3000,
  availability: 3000,
  holds: 3000,
  bookings: 3000,
  messages: 3000,
  other: 3000,
  failed_authentications: 3000,
  profiles: 3000,
  strangers: { calls: 3000, holds: 400, bookings: 400, waitlist: 400 },
}
