import { sql } from 'kysely'
import { readDueCalendars } from '../../src/domain/busy-times/source-worker.ts'
import { writeDueCalendars } from '../../src/domain/calendar-writing/calendar-writer.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { caldavServer, kinds, PASSWORD, USER } from '../busy-times/caldav-servers.ts'
import { connectedShop, salon } from '../busy-times/connected-shop.ts'

export { kinds }

export const DAY = '2026-11-24'

interface Written {
  path: string
  text: string
  summary: string
  /** Hours of the day in New York, such as `09-10`. */
  hours: string
}

const hourOf = (text: string, name: string): string => {
  const [, stamp = ''] = new RegExp(`^${name}[^:\r\n]*:(\\d{8}T\\d{6}Z?)`, 'm').exec(text) ?? []
  const [, date, hour] = /^\d{6}(\d\d)T(\d\d)/.exec(stamp) ?? []
  // New York is five hours behind UTC in November.
  return `${date} ${String(Number(hour) - (stamp.endsWith('Z') ? 5 : 0)).padStart(2, '0')}`
}

/** The event without the time zones before it. */
const eventOf = (text: string) => text.slice(text.indexOf('BEGIN:VEVENT'))

const toWritten = ({ path, text }: { path: string; text: string }): Written => ({
  path,
  text,
  summary: /^SUMMARY:(.*?)\r?$/m.exec(text)?.[1] ?? '',
  hours: `${hourOf(eventOf(text), 'DTSTART')}-${hourOf(eventOf(text), 'DTEND').slice(3)}`,
})

/** The text of an event at another time of its day, as a calendar program writes it. */
export const movedTo = (text: string, from: number, to = from + 1, day = DAY): string => {
  const at = (hour: number) => `;TZID=America/New_York:${day.replaceAll('-', '')}T${String(hour).padStart(2, '0')}0000`
  const event = eventOf(text)
    .replace(/^DTSTART.*?(?=\r?$)/m, `DTSTART${at(from)}`)
    .replace(/^DTEND.*?(?=\r?$)/m, `DTEND${at(to)}`)
  return text.slice(0, text.indexOf('BEGIN:VEVENT')) + event
}

/** A shop with a CalDAV server, into whose calendars it writes bookings. */
export async function writingShop(
  kind: (typeof kinds)[number],
  { definition = salon, databaseUrl }: { definition?: BusinessDefinition; databaseUrl?: string } = {},
) {
  const [on, server] = await Promise.all([connectedShop(definition, {}, databaseUrl), caldavServer(kind)])
  const { shop, rest } = on
  const { db } = shop.runtime
  const desk = (tool: string, input: Record<string, unknown>, as = shop.staff) =>
    rest.call(`usp_business_${tool}`, input, { as })
  const write = () => writeDueCalendars(shop.runtime)
  return {
    ...on,
    server,
    desk,
    write,
    /** Writes and compares, as if so many minutes had passed. */
    async writeLater(minutes = 10) {
      shop.minutesLater(minutes)
      await write()
    },
    read: async (minutes = 10) => {
      shop.minutesLater(minutes)
      await readDueCalendars(shop.runtime)
    },
    async connect(calendar: string | undefined, more: { names?: boolean; resource_id?: string; user?: string } = {}) {
      const { names, resource_id = 'staff_ann' } = more
      const write = calendar !== undefined && {
        write_to: calendar,
        ...(names !== undefined && { write_names: names }),
      }
      const caldav = { user: USER, password: PASSWORD, ...write }
      const input = { resource_id, address: server.address, caldav }
      return (await desk('connected_calendars_connect', input)).data.source
    },
    async bookAt(hour: number, resource_id = 'staff_ann', day = DAY) {
      const at = `${day}T${String(hour).padStart(2, '0')}:00:00-05:00`
      const input = {
        ...{ service_id: 'svc_cut', start: at, resource_ids: [resource_id] },
        buyer: { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' },
      }
      const said = await desk('bookings_create', input)
      if (!said.data.booking) throw new Error(JSON.stringify(said.data))
      return said.data.booking
    },
    async written(calendar: string): Promise<Written[]> {
      return (await server.objects(calendar))
        .map(toWritten)
        .toSorted((one, other) => one.hours.localeCompare(other.hours))
    },
    booking: async (id: string) => (await desk('bookings_get', { booking_id: id })).data,
    stranded: async () => (await desk('stranded_list', {})).data.stranded,
    async listed(source_id: string, resource_id = 'staff_ann') {
      const { sources } = (await desk('connected_calendars_list', { resource_id })).data
      return sources.find(({ id }: { id: string }) => id === source_id)
    },
    busy: async () => {
      const { rows } = await sql<{
        span: string
      }>`select to_char(lower(during) at time zone 'America/New_York', 'MM-DD HH24') as span from busy_times order by 1`.execute(
        db,
      )
      return rows.map(({ span }) => span)
    },
    waiting: async () => (await db.selectFrom('calendar_writes').selectAll().execute()).length,
  }
}

export type WritingShop = Awaited<ReturnType<typeof writingShop>>
