import type pg from 'pg'
import type { BusinessDefinition, ServiceDefinition, TimeSlot } from '../../src/protocol/types.generated.ts'
import { type PreparedRequest, shoot } from './load.ts'
import type { Platform } from './platform.ts'
import type { Served } from './stage.ts'

const DAY = 86_400_000
const UNLIMITED = 1_000_000_000

/** Limits that are so high that no benchmark reaches them. */
const limits = {
  catalogue: UNLIMITED,
  availability: UNLIMITED,
  holds: UNLIMITED,
  bookings: UNLIMITED,
  other: UNLIMITED,
  messages: UNLIMITED,
  strangers: { calls: UNLIMITED, holds: UNLIMITED, bookings: UNLIMITED, waitlist: UNLIMITED },
  visitors: {
    calls: UNLIMITED,
    holds: UNLIMITED,
    bookings: UNLIMITED,
    waitlist: UNLIMITED,
    mails: UNLIMITED,
    mails_to_one: UNLIMITED,
  },
  failed_authentications: UNLIMITED,
}

/** Tomorrow and the six days after. */
export const WEEK = { start_date: day(1), end_date: day(7) }

const STYLISTS = 3

/**
 * A salon that is open every day from eight to eight. The buyer can choose between three stylists. In total, a hundred
 * people have bookings.
 */
export const salon = (): BusinessDefinition => business([service('svc_cut', staff(STYLISTS))], 100)

export const staff = (count: number, first = 1) => Array.from({ length: count }, (_, index) => `staff_${first + index}`)

export const service = (id: string, options: string[]): ServiceDefinition => ({
  id,
  name: `Service ${id}`,
  type: 'appointment',
  duration: { fixed: 'PT30M' },
  pricing: { model: 'fixed', amount: 7500, currency: 'USD' },
  channel: { type: 'phone' },
  resources: [{ type: 'staff', name: 'Stylist', selectable: true, options }],
  policies: {
    cancellation: { allowed: true },
    rescheduling: { allowed: true },
    booking_window: { min_advance: 'PT1H', max_advance: 'P90D', slot_interval: 'PT30M' },
    confirmation_mode: 'auto',
    requires_payment: true,
    payment_timing: 'at_service',
  },
})

export const business = (services: ServiceDefinition[], stylists: number): BusinessDefinition => ({
  business: { id: 'biz_bench', name: 'Bench', timezone: 'America/New_York', currency: 'USD', language: 'en' },
  hours: [
    {
      days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
      opens: '08:00',
      closes: '20:00',
    },
  ],
  resources: staff(stylists).map((id) => ({ id, type: 'staff', name: `Stylist ${id}` })),
  services,
  limits,
})

export const timesQuery = (service_id: string, days = 7): PreparedRequest => ({
  method: 'POST',
  path: '/usp/v1/availability/query',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ service_id, start_date: day(1), end_date: day(days) }),
})

const buyer = { first_name: 'Ann', last_name: 'Other', email: 'ann@example.com' }

/** Creates signed booking requests for these slots. The requests use the keys in turn. */
export const bookingsOf = (
  slots: Slot[],
  { keys, sign }: Platform,
  { origin }: Pick<Served, 'origin'>,
): Promise<PreparedRequest[]> =>
  Promise.all(
    slots.flatMap(({ id, service_id }, index) => {
      const key = keys[index % keys.length]
      return key ? [sign(key, origin, '/usp/v1/bookings', { service_id, slot_id: id, buyer })] : []
    }),
  )

export type Slot = Pick<TimeSlot, 'id' | 'service_id'>

/** Finds free slots. Their order alternates between the services. */
export async function slotsOf(
  { origin }: Pick<Served, 'origin'>,
  services: ServiceDefinition[],
  count: number,
): Promise<Slot[]> {
  const each = Math.ceil(count / services.length)
  const all = await Promise.all(services.map(({ id }) => slotsOfOne(origin, id, each)))
  return Array.from({ length: count }, (_, index) => all[index % all.length]?.[Math.floor(index / all.length)]).filter(
    (slot) => slot !== undefined,
  )
}

async function slotsOfOne(origin: string, service_id: string, count: number): Promise<Slot[]> {
  const found: Slot[] = []
  for (let after = 1; found.length < count; after += 6) {
    const input = { service_id, start_date: day(after), end_date: day(after + 5), limit: 200 }
    const { slots } = await shoot(origin, '/usp/v1/availability/query', input)
    found.push(...slots.map(({ id }: Slot) => ({ id, service_id })))
  }
  return found.slice(0, count)
}

/** Makes one call with each key. The server then knows all keys before the measurement. */
export async function callWithEachKey({ origin }: Pick<Served, 'origin'>, { keys, sign }: Platform): Promise<void> {
  const hold = '/usp/v1/availability/holds'
  for (const key of keys) {
    const { path, headers, body } = await sign(key, origin, hold, { service_id: 'none', slot_id: 'none' })
    await fetch(origin + path, { method: 'POST', headers, body: body ?? '' })
  }
}

/**
 * Inserts bookings with their claims, for all stylists. Half of them are in the past. Exactly 200 bookings are in the
 * week of the measured queries, and belong to the three stylists of the service.
 */
export async function fillCalendar(db: pg.Client, bookings: number): Promise<void> {
  const each = Math.ceil((bookings - 200) / 100)
  await db.query(
    `create temporary table wanted as
      select 'svc_cut' as service, 'staff_' || stylist as resource, 'b' || stylist || '_' || number as holder,
        date_trunc('day', now()) + (number / 24 - $1::integer / 48) * interval '1 day' + interval '13 hours'
          + number % 24 * interval '30 minutes' as starts
      from generate_series(1, 100) stylist, generate_series(0, $1::integer - 1) number`,
    [each],
  )
  // Deletes other bookings of the three stylists in the measured week. Then this week is the same with few and with
  // many bookings.
  await db.query(
    `delete from wanted where resource in ('staff_1', 'staff_2', 'staff_3')
      and starts between now() - interval '1 day' and now() + interval '10 days'`,
  )
  await db.query(
    `insert into wanted
      select 'svc_cut', 'staff_' || number % 3 + 1, 'w' || number,
        date_trunc('day', now()) + (1 + number / 3 / 10) * interval '1 day' + interval '13 hours'
          + number / 3 % 10 * interval '60 minutes'
      from generate_series(0, 199) number`,
  )
  await db.query(
    `insert into claims (resource_id, during, holder_kind, holder_id)
      select resource, tstzrange(starts, starts + interval '30 minutes'), 'booking', holder from wanted order by random()`,
  )
  await bookingRows(db)
}

export async function bookingRows(db: pg.Client, resources = 'array[resource]'): Promise<void> {
  await db.query(
    `insert into bookings (id, revision, principal, profile, service_id, status, starts_at, ends_at, resource_ids,
        record, people, search_text, created_at, updated_at, reminded_until)
      select holder, 1, '', '', service, 'confirmed', starts,
        starts + interval '30 minutes', ${resources}, $1, $2, 'ann other ann@example.com', now(), now(), now()
      from wanted`,
    [record, people],
  )
  await db.query('vacuum analyze')
}

const record = JSON.stringify({ service: { name: 'Service svc_cut' }, zone: 'America/New_York', tasks: [] })
const people = JSON.stringify({ buyer: { first_name: 'Ann', last_name: 'Other', email: 'ann@example.com' } })

export function day(after: number): string {
  return new Date(Date.now() + after * DAY).toISOString().slice(0, 10)
}
