import { sourcesDelete } from '../../src/domain/busy-times/source-queries.ts'
import { readDueCalendars } from '../../src/domain/busy-times/source-worker.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, mcpDesk, restDesk, type Shop, testShop } from '../support/desk.ts'
import { calendarOf, event } from './calendar-text.ts'
import { calendarProvider, type Published } from './provider.ts'

const people = { resources: [{ type: 'staff' as const, options: ['staff_ann', 'staff_ben'], selectable: true }] }

export const salon: BusinessDefinition = businessWith(
  [
    service('svc_cut', people),
    // Only Ann gives it, and buyers can wait for it.
    service('svc_color', {
      resources: [{ type: 'staff', options: ['staff_ann'], selectable: true }],
      capacity: { max: 1, waitlist: true },
    }),
  ],
  {
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_ben', type: 'staff', name: 'Ben' },
    ],
    hours: [
      {
        days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
        opens: '09:00',
        closes: '17:00',
      },
    ],
  },
)

/** A shop with a provider of calendars. */
export async function connectedShop(definition = salon, env: NodeJS.ProcessEnv = {}, databaseUrl = '') {
  const [shop, provider] = [await testShop(definition, { env, databaseUrl }), await calendarProvider()]
  const connect = async (desk: Desk, published: Published & { address: string }, resource_id = 'staff_ann') => {
    const input = { resource_id, address: published.address }
    return (await desk.call('usp_business_connected_calendars_connect', input, { as: shop.staff })).data.source
  }
  return {
    shop,
    provider,
    rest: restDesk(shop),
    mcp: mcpDesk(shop),
    connect,
    /** Publishes these events, connects them, and reads them. */
    async busy(desk: Desk, ...lines: string[][]) {
      const published = provider.publish(calendarOf(...lines.flat()))
      const source = await connect(desk, published)
      await readDueCalendars(shop.runtime)
      return { published, source }
    },
    /** Reads the calendars that are due so many minutes later. */
    async readLater(minutes = 10) {
      shop.minutesLater(minutes)
      await readDueCalendars(shop.runtime)
    },
    listed: async (desk: Desk, id: string) => {
      const { data } = await desk.call('usp_business_connected_calendars_list', {}, { as: shop.staff })
      return data.sources.find((one: { id: string }) => one.id === id)
    },
    stored: () => busyTimesOf(shop),
    /** Disconnects all calendars, and cancels all bookings. */
    async clear() {
      const { db, makeChange } = shop.runtime
      const sources = await db.selectFrom('calendar_sources').select('id').execute()
      await makeChange((tx) =>
        sourcesDelete(
          tx,
          sources.map(({ id }) => id),
          shop.time.now,
        ),
      )
      for (const { id } of await db.selectFrom('bookings').select('id').where('status', '<>', 'canceled').execute())
        await restDesk(shop).call('usp_business_bookings_cancel', { booking_id: id }, { as: shop.staff })
    },
  }
}

export async function busyTimesOf({ runtime: { db } }: Pick<Shop, 'runtime'>): Promise<string[]> {
  const rows = await db.selectFrom('busy_times').select(['source_id', 'resource_id', 'during', 'event']).execute()
  return rows.map(({ resource_id, during, event: one }) => `${resource_id} ${during} ${one.toString('hex')}`).toSorted()
}

/** A whole hour on a day of the test week, in the zone of the business. */
export const hour = (uid: string, day: string, from: number, more: string[] = []): string[] =>
  event(
    `UID:${uid}`,
    `DTSTART;TZID=America/New_York:${day.replaceAll('-', '')}T${String(from).padStart(2, '0')}0000`,
    ...(more.some((line) => line.startsWith('DURATION')) ? [] : ['DURATION:PT1H']),
    ...more,
  )
