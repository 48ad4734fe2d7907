import { sql } from 'kysely'
import { dueAfterCrash, isFree, LEASED } from '../../../core/jobs/row-lease.ts'
import type { Database } from '../../../infra/db/database.ts'
import type { RegistryEntry } from '../../../protocol/types.generated.ts'
import type { PublishedBusiness } from '../indexing/read-business-profile.ts'
import { registration } from './lifecycle.ts'
import { checkedState } from './registration-queries.ts'

export interface DueCheck {
  id: string
  profile_url: string
  deployment_mode: RegistryEntry['deployment_mode']
  failures: number
  status: RegistryEntry['status']
}

export async function registrationsLease(db: Database, most: number, now: Date): Promise<DueCheck[]> {
  const { rows } = await sql<DueCheck>`
    update registrations set check_leased_until = ${LEASED}, checks_begun = checks_begun + 1,
      next_check_at = ${dueAfterCrash(sql.ref('next_check_at'), sql.ref('checks_begun'), now)}
    where id in (
      select id from registrations where next_check_at <= ${now} and ${isFree('registrations', 'check_leased_until')}
      order by next_check_at limit ${most} for update skip locked
    )
    returning id, profile_url, deployment_mode, failures, status`.execute(db)
  return rows
}

export async function checksRenew(db: Database, due: readonly DueCheck[]): Promise<void> {
  await sql`
    update registrations set check_leased_until = ${LEASED}
    where id = any (${due.map(({ id }) => id)}::text[]) and check_leased_until is not null`.execute(db)
}

/**
 * Records that the profile of a registered business is valid. If searches hid the business before, they show it again,
 * and the directory reads its catalogue immediately.
 */
export async function registrationCheckPassed(
  db: Database,
  due: DueCheck,
  published: PublishedBusiness,
  now: Date,
): Promise<void> {
  await updateIfUnchanged(db, due)
    .set({
      ...checkedState(published, now),
      status: registration.after(due.status, 'pass'),
      next_index_at: sql<Date>`case when status = 'inactive' then ${now} else next_index_at end`,
    })
    .execute()
}

/** Records that the profile check of a registered business failed. If `problem` is set, searches hide the business. */
export async function registrationCheckFailed(
  db: Database,
  due: DueCheck,
  { failures, problem, nextCheck }: { failures: number; problem: string | null; nextCheck: Date },
): Promise<void> {
  await updateIfUnchanged(db, due)
    .set({
      failures,
      checks_begun: 0,
      check_leased_until: null,
      next_check_at: nextCheck,
      ...(problem !== null && { status: registration.after(due.status, 'vanish'), problem }),
    })
    .execute()
}

/**
 * Starts the SQL update that stores the result of a profile check. The update does nothing if another call has changed
 * the profile URL or the deployment mode meanwhile. That call has already checked the new profile.
 */
const updateIfUnchanged = (db: Database, { id, profile_url, deployment_mode }: DueCheck) =>
  db
    .updateTable('registrations')
    .where('id', '=', id)
    .where('profile_url', '=', profile_url)
    .where('deployment_mode', '=', deployment_mode)
