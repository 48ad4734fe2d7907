import { sql } from 'kysely'
import type { Change } from '../../infra/db/change.ts'
import type { Database } from '../../infra/db/database.ts'
import type { Stranger } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/** Things that a stranger can create, and the limit of each. */
const quotas = {
  hold: { limit: 'holds', words: 'live holds', code: 'hold_limit_exceeded' },
  booking: { limit: 'bookings', words: 'bookings that nobody has paid or approved', code: 'rate_limited' },
  entry: { limit: 'waitlist', words: 'live waitlist entries', code: 'rate_limited' },
} as const

interface NewThing {
  kind: keyof typeof quotas
  id: string
  /** Whether it is a booking that is confirmed at once. */
  stood?: boolean
}

/** Seconds, where the database cannot tell when quota becomes free. */
const DEFAULT_RETRY_AFTER = 3600

/** Inserts the stranger's new thing into the quota of its network. Refuses it when the quota is used up. */
export function enterAsStranger(
  tx: Change,
  { network, limits, met }: Stranger,
  { kind, id, stood = false }: NewThing,
  now: Date,
): void {
  const { limit, words, code } = quotas[kind]
  tx.demand({
    name: 'few_of_strangers',
    values: [kind, network, now, limits[limit]],
    refusal: (said) => {
      met(limit)
      return new ProtocolError(code, `There are ${limits[limit]} ${words} from your network. ${BECOME_KNOWN}`, {
        retryAfter: secondsUntil(said, now),
      })
    },
  })
  tx.enter('strangers', { kind, id, network, stood, made_at: now })
}

export const BECOME_KNOWN =
  'That is as many as callers may have together whose key no profile publishes: list your key under `keys` of your ' +
  'platform profile, or ask the business for an API key.'

export function secondsUntil(said: string, now: Date): number {
  const { until }: { until: string } = JSON.parse(said)
  const seconds = Math.ceil((Date.parse(until) - now.getTime()) / 1000)
  return Number.isNaN(seconds) ? DEFAULT_RETRY_AFTER : Math.max(1, seconds)
}

/** Moves a thing from its former owner to the quota of this network. */
export async function passToStranger(tx: Change, to: Stranger, { kind, id }: NewThing, now: Date): Promise<void> {
  await tx.deleteFrom('strangers').where('kind', '=', kind).where('id', '=', id).execute()
  enterAsStranger(tx, to, { kind, id }, now)
}

export async function forgetStrangers(db: Database, now: Date): Promise<void> {
  await sql`
    delete from strangers where (kind, id) in (
      select kind, id from strangers_live where live_until is null or live_until <= ${now}
    )`.execute(db)
}
