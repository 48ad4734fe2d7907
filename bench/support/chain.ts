import type pg from 'pg'
import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { bookingRows, business, service, staff } from './salon.ts'

export const PEOPLE = 500
export const ROOMS = 200
export const SERVICES = 1_000
/** The number of people who can do one service. All people can do every tenth service. */
const DO_ONE = 50
const BOOKINGS_A_DAY = 10

const SHIFTS = [
  { opens: '08:00', closes: '16:00' },
  { opens: '09:00', closes: '17:30' },
  { opens: '10:00', closes: '18:00' },
  { opens: '12:00', closes: '20:00' },
  { opens: '08:00', closes: '20:00' },
]
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/**
 * A chain of salons. The buyer chooses the person, and the server chooses a room. Each person has a shift and two days
 * off.
 */
export function chain(): BusinessDefinition {
  const { resources = [], ...rest } = business(
    Array.from({ length: SERVICES }, (_, nth) => serviceOf(nth)),
    PEOPLE,
  )
  const people = resources.map((one, nth) => ({
    ...one,
    hours: [{ days: DAYS.filter((_, day) => day !== nth % 7 && day !== (nth + 1) % 7), ...shiftOf(nth) }],
  }))
  const rooms = Array.from({ length: ROOMS }, (_, nth) => ({
    id: `room_${nth + 1}`,
    type: 'room' as const,
    name: `Room ${nth + 1}`,
  }))
  return { ...rest, resources: [...people, ...rooms] }
}

const shiftOf = (nth: number) => SHIFTS[nth % SHIFTS.length] ?? { opens: '08:00', closes: '20:00' }

function serviceOf(nth: number): ServiceDefinition {
  const options = nth % 10 === 0 ? staff(PEOPLE) : staff(DO_ONE, 1 + ((nth * 7) % (PEOPLE - DO_ONE)))
  const { resources = [], ...rest } = service(`svc_${nth + 1}`, options)
  return { ...rest, resources: [...resources, { type: 'room', name: 'Room' }] }
}

/** Returns services that have no people in common, so their bookings never conflict. */
export function servicesApart(): ServiceDefinition[] {
  const taken = new Set<string>()
  return chain().services.filter(({ resources = [] }) => {
    const people = resources.flatMap(({ options = [] }) => options)
    if (people.length > DO_ONE || people.some((one) => taken.has(one))) return false
    for (const one of people) taken.add(one)
    return true
  })
}

/**
 * Inserts bookings of half an hour. Half of them are in the past. Each booking has a person. Bookings of the first 200
 * people also have a room.
 */
export async function fillChain(db: pg.Client, bookings: number): Promise<void> {
  await db.query(
    `create temporary table wanted as
      select 'staff_' || person as resource, case when person <= $3::integer then 'room_' || person end as room,
        'b' || person || '_' || number as holder, 'svc_' || 1 + (person * 31 + number) % $4::integer as service,
        date_trunc('day', now()) + (number / $5::integer - $1::integer / $2::integer / $5::integer / 2) * interval '1 day'
          + interval '13 hours' + (number % $5::integer * 2 + person % 2) * interval '30 minutes' as starts
      from generate_series(1, $2::integer) person, generate_series(0, $1::integer / $2::integer - 1) number`,
    [bookings, PEOPLE, ROOMS, SERVICES, BOOKINGS_A_DAY],
  )
  await db.query(
    `insert into claims (resource_id, during, holder_kind, holder_id)
      select one, tstzrange(starts, starts + interval '30 minutes'), 'booking', holder
      from wanted, unnest(array[resource, room]) one where one is not null order by one, starts`,
  )
  await bookingRows(db, 'array_remove(array[resource, room], null)')
}
