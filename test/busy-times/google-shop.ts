import { sql } from 'kysely'
import { readDueCalendars } from '../../src/domain/busy-times/source-worker.ts'
import type { Desk } from '../support/desk.ts'
import { connectedShop } from './connected-shop.ts'
import { APP, googleStandIn } from './google.ts'
import type { StoredEvent } from './google-events.ts'

export const ANN = 'ann@gmail.com'

/** A shop whose business has an app at Google, with the calendars of Ann. */
export async function googleShop(env: NodeJS.ProcessEnv = {}) {
  const google = await googleStandIn()
  const on = await connectedShop(undefined, { GOOGLE_API_BASE: google.origin, ...env })
  const { shop, rest } = on
  const { db } = shop.runtime
  const owner = await shop.staffAs('owner')
  const setApp = (input: Record<string, unknown> = APP, desk = rest, as = owner) =>
    desk.call('usp_business_calendar_apps_set', { provider: 'google', ...input }, { as })
  await setApp()
  const call = (tool: string, input: Record<string, unknown>, desk = rest) =>
    desk.call(`usp_business_connected_calendars_${tool}`, input, { as: shop.staff })
  return {
    ...on,
    google,
    owner,
    setApp,
    call,
    /** Connects the account of Ann with a token that Google gave before, and reads it. Returns the id of the source. */
    async connect(more: Record<string, unknown> = {}, desk: Desk = rest): Promise<string> {
      const access = { provider: 'google', refresh_token: google.refreshToken(ANN), ...more }
      const { data } = await call('connect', { resource_id: 'staff_ann', account: access }, desk)
      await readDueCalendars(shop.runtime)
      return data.source.id
    },
    /** The starts of the busy times, in the zone of the business. */
    async starts(): Promise<string[]> {
      const { rows } = await sql<{ start: string }>`
        select to_char(lower(during) at time zone 'America/New_York', 'MM-DD HH24:MI') as start from busy_times
        order by lower(during)`.execute(db)
      return rows.map(({ start }) => start)
    },
    /** All stored texts in which a secret could be. */
    everyRow: () =>
      sql<{ row: string }>`
        select s::text as row from calendar_sources s union all select a::text from calendar_apps a
        union all select c::text from changes c union all select encode(reply, 'escape') from replies`.execute(db),
    async callsOf(action: () => Promise<unknown>): Promise<string[]> {
      google.calls.length = 0
      google.queries.length = 0
      await action()
      return [...google.calls]
    },
  }
}

const ZONE = 'America/New_York'
/** The difference from UTC in this zone before and after the change of the clocks. */
const offsetOf = (day: string) =>
  day < '2026-11-01' || (day >= '2027-03-14' && day < '2027-11-07') ? '-04:00' : '-05:00'

/** An event of whole hours on a day. */
export const at = (day: string, from: number, to = from + 1, more: Partial<StoredEvent> = {}): Partial<StoredEvent> => {
  const time = (hour: number) => `${day}T${String(hour).padStart(2, '0')}:00:00${offsetOf(day)}`
  return {
    start: { dateTime: time(from), timeZone: ZONE },
    end: { dateTime: time(to), timeZone: ZONE },
    ...more,
  }
}

export const days = (first: string, end: string, more: Partial<StoredEvent> = {}): Partial<StoredEvent> => ({
  start: { date: first },
  end: { date: end },
  ...more,
})
