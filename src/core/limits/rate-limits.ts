import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { executePrepared } from '../../infra/db/prepared-statements.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import type { DefaultLimits } from '../../protocol/call-limit-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'

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
    calls: 300,
    holds: 40,
    bookings: 40,
    waitlist: 40,
    mails: 120,
    mails_to_one: 20,
    beside_keys: 120,
    listings: 10,
  },
  visitors: { calls: 120, holds: 12, bookings: 30, waitlist: 20, mails: 60, mails_to_one: 20 },
} as const satisfies DefaultLimits

export interface Allowance {
  limit: number
  remaining: number
  /** The number of seconds until a new minute begins and the server counts the caller's calls from zero again. */
  reset: number
}

/** Counts one call of a caller in the current minute. All servers of the business share the same count. */
export async function countInMinute(db: Database, key: string, limit: number, now: Date): Promise<Allowance> {
  const minute = new Date(Math.floor(now.getTime() / MINUTE) * MINUTE)
  const counted = await countCall(db, key, minute)
  return { limit, remaining: limit - counted, reset: secondsToNextMinute(now) }
}

export const secondsToNextMinute = (now: Date): number =>
  Math.max(1, Math.ceil((MINUTE - (now.getTime() % MINUTE)) / 1000))

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

interface WaitingCall {
  key: string
  minute: Date
  counted(count: number): void
  failed(error: unknown): void
}

/**
 * The maximum number of counted calls that continue in one turn of the event loop. Each call can need a millisecond of
 * CPU time. Hundreds of calls in one turn would therefore block other requests.
 */
const MAX_PER_TURN = 16
/**
 * The maximum number of bytes in a key of the table `rate_limits`. PostgreSQL refuses a very long key in an index. The
 * error would also affect all other calls that the same SQL statement counts.
 */
const MAX_KEY_BYTES = 1_000

/**
 * The calls that wait while an SQL statement counts earlier calls. The next SQL statement counts all waiting calls
 * together.
 */
const queues = new WeakMap<Database, { waiting: WaitingCall[]; busy: boolean }>()

/**
 * Counts one call under a key, such as the name of a caller, in the current minute. Returns the count of all servers
 * together. Calls that arrive during an SQL statement share the next statement, because separate statements would wait
 * for the lock on the same row.
 */
export function countCall(db: Database, key: string, minute: Date): Promise<number> {
  const queue = queues.get(db) ?? { waiting: [], busy: false }
  queues.set(db, queue)
  return new Promise((counted, failed) => {
    queue.waiting.push({ key: storedKeyOf(key), minute, counted, failed })
    if (!queue.busy) void drain(db, queue)
  })
}

const storedKeyOf = (key: string) => (Buffer.byteLength(key) > MAX_KEY_BYTES ? hash('sha256', key, 'base64url') : key)

async function drain(db: Database, queue: { waiting: WaitingCall[]; busy: boolean }): Promise<void> {
  queue.busy = true
  while (queue.waiting.length > 0) {
    // Under load, more calls arrive during this turn of the event loop. The next SQL statement then counts all these
    // calls.
    await setImmediate()
    await countBatch(db, takeBatch(queue))
  }
  queue.busy = false
}

function takeBatch(queue: { waiting: WaitingCall[] }): WaitingCall[] {
  const minute = queue.waiting[0]?.minute.getTime()
  const isNow = (one: WaitingCall) => one.minute.getTime() === minute
  const batch = queue.waiting.filter(isNow)
  queue.waiting = queue.waiting.filter((one) => !isNow(one))
  return batch
}

async function countBatch(db: Database, batch: WaitingCall[]): Promise<void> {
  const byKey = Map.groupBy(batch, ({ key }) => key)
  let inTurn = 0
  try {
    const counts = await addCounts(db, byKey, batch[0]?.minute ?? new Date())
    for (const [key, calls] of byKey) {
      const last = counts.get(key) ?? calls.length
      for (const [index, { counted }] of calls.entries()) {
        counted(last - calls.length + index + 1)
        if (++inTurn % MAX_PER_TURN === 0) await setImmediate()
      }
    }
  } catch (error) {
    for (const { failed } of batch) failed(error)
  }
}

/**
 * Adds the calls to the counts of their callers in the database. All servers must lock the rows in the same order to
 * prevent deadlocks. Therefore the function sorts the keys.
 */
async function addCounts(db: Database, calls: Map<string, WaitingCall[]>, minute: Date): Promise<Map<string, number>> {
  const keys = [...calls.keys()].sort()
  const numbers = keys.map((key) => calls.get(key)?.length ?? 0)
  const { rows } = await executePrepared(
    db,
    sql<{ key: string; count: number }>`
    insert into rate_limits (key, minute, count)
    select key, ${minute}, number from unnest(${keys}::text[], ${numbers}::integer[]) calls (key, number)
    on conflict (key) do update set
      count = excluded.count + case when rate_limits.minute = excluded.minute then rate_limits.count else 0 end,
      minute = excluded.minute
    returning key, count`,
  )
  return new Map(rows.map(({ key, count }) => [key, count]))
}
