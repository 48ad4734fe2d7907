import { sql } from 'kysely'
import type { Database } from '../../../infra/db/database.ts'
import { dateIn } from '../../../infra/time/zone.ts'
import { byTurns } from '../../../infra/util/long-work.ts'

/**
 * A day that is over where the business is is not the next free one, and would stand before all others for as long as the
 * business says nothing new. Who is writing at the moment is left for the next time.
 */
export async function forgetPastDays(db: Database, now: Date, registrationId?: string): Promise<void> {
  const listed = db.selectFrom('registrations').select('timezone').distinct()
  const zones = await (registrationId === undefined ? listed : listed.where('id', '=', registrationId)).execute()
  const names = zones.map(({ timezone }) => timezone)
  // Strangers list businesses in all the zones of the world, and each takes a moment where nobody asked for it before.
  const days = await byTurns(names, (name) => dateIn(name, now.getTime()))
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
