import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { isFree, LEASED } from './lease.ts'

/** By how much more than its time from run to run the next may lie ahead: servers' ideas of now differ a little. */
const LEEWAY = sql`interval '30 seconds'`

/** Runs that were begun and had no end, as when they take their server with them, before a job waits for its usual time. */
const MOST_BEGUN = 3

/**
 * Leases the first of these that is due. It stays due until it has ended, so that a server which dies over it puts nothing
 * off. What lies too far ahead was put there by a clock that was wrong.
 */
export async function recurringTake(
  db: Database,
  jobs: readonly { name: string; every: number }[],
  now: Date,
): Promise<string | undefined> {
  const usual = jobs.map(({ every }) => new Date(now.getTime() + every))
  const isDue = (next: RawBuilder<Date>) =>
    sql`(h.next_at <= ${now} or h.next_at > ${next} + ${LEEWAY}) and ${isFree('h')}`
  const { rows } = await sql<{ job: string }>`
    with due as (
      select known.job, usual from unnest(${jobs.map(({ name }) => name)}::text[], ${usual}::timestamptz[])
        with ordinality as known (job, usual, place)
      left join housekeeping h on h.job = known.job
      where h.job is null or ${isDue(sql`usual`)} order by place limit 1
    )
    insert into housekeeping as h (job, next_at, leased_until, begun) select job, ${now}, ${LEASED}, 1 from due
    on conflict (job) do update set leased_until = excluded.leased_until, begun = h.begun + 1,
      next_at = case when h.begun < ${MOST_BEGUN} then h.next_at else (select usual from due) end
    where ${isDue(sql`(select usual from due)`)}
    returning job`.execute(db)
  return rows[0]?.job
}

/** Whoever is at these still is. */
export async function recurringRenew(db: Database, jobs: readonly { name: string }[]): Promise<void> {
  await sql`update housekeeping set leased_until = ${LEASED}
    where job = any(${jobs.map(({ name }) => name)}::text[]) and leased_until is not null`.execute(db)
}

export async function recurringEnd(db: Database, job: string, { now, next }: { now: Date; next: Date }): Promise<void> {
  await sql`update housekeeping set next_at = ${next}, leased_until = null, begun = 0, failures = 0, ran_at = ${now}
    where job = ${job}`.execute(db)
}

/** What failed is not left until its usual time comes. */
export async function recurringFail(db: Database, job: string, soon: Date): Promise<void> {
  await sql`update housekeeping set next_at = ${soon}, leased_until = null, begun = 0, failures = failures + 1
    where job = ${job}`.execute(db)
}

export const recurringFind = (db: Database) =>
  db
    .selectFrom('housekeeping')
    .select(['job', 'ran_at', 'next_at', 'failures', sql<boolean>`not ${isFree('housekeeping')}`.as('isUnderway')])
    .orderBy('job')
    .execute()

/** Makes it due, known or not. */
export async function recurringDue(db: Database, job: string, now: Date): Promise<void> {
  await sql`insert into housekeeping as h (job, next_at) values (${job}, ${now})
    on conflict (job) do update set next_at = least(h.next_at, ${now})`.execute(db)
}
