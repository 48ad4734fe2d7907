import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import type { Metrics } from '../../infra/telemetry/metrics.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import type { StrangerLimit, UnprovenCaller } from '../../protocol/call-limit-types.ts'
import type { Stranger } from '../../protocol/caller-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/**
 * The kinds of database rows that a stranger (a caller with an unpublished key) can create, and the limit for each
 * kind.
 */
const quotas = {
  hold: { limit: 'holds', words: 'live holds', code: 'hold_limit_exceeded' },
  booking: { limit: 'bookings', words: 'bookings that are not paid or approved', code: 'rate_limited' },
  entry: { limit: 'waitlist', words: 'live waitlist entries', code: 'rate_limited' },
} as const

interface NewResource {
  kind: keyof typeof quotas
  id: string
  /**
   * Whether the new booking is confirmed at once, without approval or payment. Undefined if the row is a hold or a
   * waitlist entry.
   */
  isConfirmed?: boolean
}

/**
 * How many seconds the server tells a refused stranger (a caller with an unpublished key) to wait. The server uses this
 * value if the database does not know the exact time.
 */
const DEFAULT_RETRY_AFTER_SECONDS = 3600

/**
 * Counts a new hold, booking or waitlist entry of a stranger (a caller with an unpublished key) for the stranger's IP
 * address range. Throws an error if the range has reached its limit.
 */
export function useStrangerQuota(
  tx: UnitOfWork,
  { network, limits, reportLimit }: Stranger,
  { kind, id, isConfirmed = false }: NewResource,
  now: Date,
): void {
  const { limit, words, code } = quotas[kind]
  tx.require({
    name: 'few_of_strangers',
    values: [kind, network, now, limits[limit]],
    refusal: (detail) => {
      reportLimit(limit)
      return new ProtocolError(code, `There are ${limits[limit]} ${words} from your network. ${PUBLISH_KEY_HINT}`, {
        retryAfter: secondsUntil(detail, now),
      })
    },
  })
  tx.insert('strangers', { kind, id, network, stood: isConfirmed, made_at: now })
}

export const PUBLISH_KEY_HINT =
  'This is the limit for all callers whose keys no profile publishes: list your key under `keys` of your ' +
  'platform profile, or ask the business for an API key.'

export function secondsUntil(detail: string, now: Date): number {
  const { until }: { until: string } = JSON.parse(detail)
  const seconds = Math.ceil((Date.parse(until) - now.getTime()) / 1000)
  return Number.isNaN(seconds) ? DEFAULT_RETRY_AFTER_SECONDS : Math.max(1, seconds)
}

/**
 * Counts a hold, booking or waitlist entry for the IP address range of another stranger, and no longer for its former
 * range.
 */
export async function transferToStranger(
  tx: UnitOfWork,
  to: Stranger,
  { kind, id }: NewResource,
  now: Date,
): Promise<void> {
  await tx.deleteFrom('strangers').where('kind', '=', kind).where('id', '=', id).execute()
  useStrangerQuota(tx, to, { kind, id }, now)
}

export async function deleteExpiredStrangers(db: Database, now: Date): Promise<void> {
  await sql`
    delete from strangers where (kind, id) in (
      select kind, id from strangers_live where live_until is null or live_until <= ${now}
    )`.execute(db)
}

/**
 * Returns a function that counts refused strangers (callers with an unpublished key) in the metrics. The function logs
 * each limit at most once a minute, because a flood of calls must not fill the disk.
 */
export function strangerLimitAlarm({ strangerLimits }: Metrics, log: FastifyBaseLogger, clock: () => Date) {
  const lastLogged = new Map<string, number>()
  return (callers: UnprovenCaller, limit: StrangerLimit): void => {
    strangerLimits.inc({ limit })
    const setting = `limits.${callers}.${limit}`
    const now = clock().getTime()
    if (now - (lastLogged.get(setting) ?? Number.NEGATIVE_INFINITY) < MINUTE) return
    lastLogged.set(setting, now)
    log.warn({ limit: setting }, `${callers} have reached a limit.`)
  }
}
