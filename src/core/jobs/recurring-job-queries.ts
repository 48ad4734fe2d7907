import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { isFree, LEASED } from './row-lease.ts'

/**
 * The tolerance for differences between the clocks of servers. If the planned time of a job is further away than one
 * interval plus this tolerance, a server with a wrong clock has planned the job.
 */
const CLOCK_TOLERANCE = sql`interval '30 seconds'`

/**
 * A job can crash the server. The server starts the job again at once, but only this number of times. After one more
 * crash, the job waits until its usual time.
 */
const MAX_CRASHED_STARTS = 3

/**
 * Leases the first due job of the list to this process, and returns its name. A started job stays due until it ends, so
 * it starts again soon after a crash. A job is also due if a wrong clock has set its next run too far in the future.
 */
export async function recurringTake(
  db: Database,
  jobs: readonly { name: string; intervalMs: number }[],
  now: Date,
): Promise<string | undefined> {
  const usual = jobs.map(({ intervalMs }) => new Date(now.getTime() + intervalMs))
  const isDue = (next: RawBuilder<Date>) =>
    sql`(h.next_at <= ${now} or h.next_at > ${next} + ${CLOCK_TOLERANCE}) and ${isFree('h')}`
  const { rows } = await sql<{ job: string }>`
    with due as (
      select known.job, usual from unnest(${jobs.map(({ name }) => name)}::text[], ${usual}::timestamptz[])
        with ordinality as known (job, usual, place)
      left join housekeeping h on h.job = known.job
      where h.job is null or ${isDue(sql`usual`)} order by place limit 1
    )
    insert into housekeeping as h (job, next_at, leased_until, begun) select job, ${now}, ${LEASED}, 1 from due
    on conflict (job) do update set leased_until = excluded.leased_until, begun = h.begun + 1,
      next_at = case when h.begun < ${MAX_CRASHED_STARTS} then h.next_at else (select usual from due) end
    where ${isDue(sql`(select usual from due)`)}
    returning job`.execute(db)
  return rows[0]?.job
}

export async function recurringRenew(db: Database, jobs: readonly { name: string }[]): Promise<void> {
  await sql`update housekeeping set leased_until = ${LEASED}
    where job = any(${jobs.map(({ name }) => name)}::text[]) and leased_until is not null`.execute(db)
}

export async function recurringEnd(db: Database, job: string, { now, next }: { now: Date; next: Date }): Promise<void> {
  await sql`update housekeeping set next_at = ${next}, leased_until = null, begun = 0, failures = 0, ran_at = ${now}
    where job = ${job}`.execute(db)
}

/** Records that a job has failed. The next run is at the time `soon`, which is earlier than the usual time. */
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

/** Makes a job due now, even if the job has never run before. */
export async function recurringDue(db: Database, job: string, now: Date): Promise<void> {
  await sql`insert into housekeeping as h (job, next_at) values (${job}, ${now})
    on conflict (job) do update set next_at = least(h.next_at, ${now})`.execute(db)
}
