import type { Database } from '../../infra/db/database.ts'
import { MINUTE } from '../../infra/time/units.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { DefaultLimits } from '../../protocol/limits.ts'
import { countCall } from './count-calls.ts'

export const defaultLimits = {
  catalogue: 100,
  availability: 60,
  holds: 30,
  live_holds: 40,
  bookings: 20,
  staff: 300,
  other: 60,
  messages: 300,
  failed_authentications: 20,
  profiles: 60,
  callbacks: 20,
  strangers: {
    ...{ calls: 300, holds: 40, bookings: 40, waitlist: 40, mails: 120, mails_to_one: 20 },
    ...{ beside_keys: 120, listings: 10 },
  },
  visitors: { calls: 120, holds: 12, bookings: 30, waitlist: 20, mails: 60, mails_to_one: 20 },
} as const satisfies DefaultLimits

export interface Allowance {
  limit: number
  remaining: number
  /** Seconds until the count restarts. */
  reset: number
}

/** Counts one call in the current minute, for all replicas together. */
export async function countInMinute(db: Database, key: string, limit: number, now: Date): Promise<Allowance> {
  const minute = new Date(Math.floor(now.getTime() / MINUTE) * MINUTE)
  const counted = await countCall(db, key, minute)
  const reset = Math.max(1, Math.ceil((minute.getTime() + MINUTE - now.getTime()) / 1000))
  return { limit, remaining: limit - counted, reset }
}

export const headersOf = ({ limit, remaining, reset }: Allowance) => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(Math.max(0, remaining)),
  'ratelimit-reset': String(reset),
})

export const rateLimitError = (allowance: Allowance, what = 'calls') =>
  new ProtocolError(
    'rate_limited',
    `More than ${allowance.limit} ${what} in a minute. Wait ${allowance.reset} seconds.`,
    {
      retryAfter: allowance.reset,
      headers: headersOf(allowance),
    },
  )

export async function deleteExpiredCounts(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom('rate_limits')
    .where('minute', '<', new Date(now.getTime() - 2 * MINUTE))
    .execute()
}
