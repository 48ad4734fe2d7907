import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { dateIn } from '../../../infra/time/zone.ts'
import { mapWithYields } from '../../../infra/util/time-slice.ts'

/**
 * Clears the next free day of each service whose day has passed in the time zone of its business. Otherwise the service
 * would rank first until the business sends an update. Rows that another transaction has locked wait for the next run.
 */
export async function clearPastDays(db: Database, now: Date, registrationId?: string): Promise<void> {
  const listed = db.selectFrom('registrations').select('timezone').distinct()
  const zones = await (registrationId === undefined ? listed : listed.where('id', '=', registrationId)).execute()
  const names = zones.map(({ timezone }) => timezone)
  // Callers may list businesses in all time zones, and the first use of a time zone takes time. Therefore the loop lets
  // the event loop run in between.
  const days = await mapWithYields(names, (name) => dateIn(name, now.getTime()))
  const latest = days.toSorted().at(-1)
  if (latest === undefined) return
  await sql`
    update indexed_services set next_available_date = null where number in (
      select s.number from indexed_services s
      join registrations r on r.id = s.registration_id
      join unnest(${names}::text[], ${days}::date[]) as here (zone, today) on here.zone = r.timezone
      where coalesce(next_available_date, 'infinity') < ${latest}::date and next_available_date < today
        ${registrationId === undefined ? sql`` : sql`and registration_id = ${registrationId}`}
      for update of s skip locked
    )`.execute(db)
}
