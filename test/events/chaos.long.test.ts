import { randomUUID } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { openFleet } from '../support/fleet.ts'
import { generousLimits } from '../support/generous-limits.ts'
import { testPlatform } from '../support/platform.ts'
import { type Arrival, unreliablePlatform } from '../support/unreliable-platform.ts'

/** `USP_CHAOS_CHANGES=10000 npx vitest run test/events/chaos.long.test.ts` is the long form. */
const CHANGES = Number(process.env.USP_CHAOS_CHANGES ?? 300)
const IS_LONG = CHANGES > 1_000
const KILLS = IS_LONG ? 10 : 3
const WORKERS = 8
const MOVES = 9

const workers = Array.from({ length: WORKERS }, (_, index) => index)
const definition = businessWith(
  workers.map((index) =>
    service(`svc_${index}`, { resources: [{ type: 'staff', options: [`staff_${index}`], selectable: true }] }),
  ),
  {
    resources: workers.map((index) => ({ id: `staff_${index}`, type: 'staff', name: `Staff ${index}` })),
    limits: generousLimits,
    // So many that chance alone exhausts them once in 10²⁰ events.
    events: { retries: Array.from({ length: 50 }, () => 'PT1S') },
  },
)

/** What a booking's platform has to be told, in this order. */
type Expected = Map<string, { event: string; revision: string }[]>

test('[EVT-007] [EVT-040] [EVT-041] [EVT-046] [EVT-051] whatever breaks, every change is told of, and each booking in its order', async () => {
  const databaseUrl = await freshDatabase()
  const db = openDatabase(databaseUrl, 2, () => {})
  const platform = await unreliablePlatform()
  const { url: profile } = await testPlatform({ webhook_url: platform.url })
  const { key } = await addClient(db, 'Platform', new Date())
  const fleet = await openFleet(databaseUrl, definition, 2)
  const expected: Expected = new Map()
  let changes = 0
  let kills = 0
  const trouble: Promise<void>[] = []

  const call = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'usp-agent': `profile="${profile}"` }
    const answer = await fleet.post(path, body, { ...headers, 'idempotency-key': randomUUID() })
    const { booking } = Object(answer.body)
    if (!booking) throw new Error(`${path} was answered with ${answer.status} ${JSON.stringify(answer.body)}`)
    return booking
  }
  const changed = (event: string, { id, revision }: { id: string; revision: string }) => {
    expected.get(id)?.push({ event, revision })
    changes++
    if (kills < KILLS && changes > ((kills + 1) * CHANGES) / (KILLS + 1)) {
      kills++
      trouble.push(fleet.kill(), platform.restart())
    }
  }
  const work = async (index: number) => {
    const service_id = `svc_${index}`
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const query = { service_id, start_date: day(2), end_date: day(4) }
    const { slots } = Object((await fleet.post('/availability/query', query, {})).body)
    const [first, , , second] = slots.map(({ id }: { id: string }) => id)
    const buyer = { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' }
    while (changes < CHANGES) {
      const { id } = await call('/bookings', { service_id, slot_id: first, buyer })
      expected.set(id, [])
      for (let moves = 0; moves < MOVES; moves++)
        changed(
          'booking.rescheduled',
          await call(`/bookings/${id}/reschedule`, { slot_id: moves % 2 ? first : second }),
        )
      changed('booking.canceled', await call(`/bookings/${id}/cancel`, {}))
    }
  }
  await Promise.all(workers.map(work))
  await Promise.all(trouble)
  for (
    let roundsLeft = IS_LONG ? 600 : 60;
    roundsLeft > 0 && missing(expected, platform.arrivals).length > 0;
    roundsLeft--
  )
    await pass(1_000)

  if (IS_LONG) console.log(told(changes, kills, platform.arrivals))
  expect(kills).toBe(KILLS)
  expect({
    missing: missing(expected, platform.arrivals),
    unheardOf: platform.arrivals.filter(({ booking_id }) => !expected.has(booking_id)),
    outOfOrder: outOfOrder(expected, platform.arrivals),
    underAnotherId: underAnotherId(platform.arrivals),
  }).toEqual({ missing: [], unheardOf: [], outOfOrder: [], underAnotherId: [] })
  await db.destroy()
}, 1_800_000)

const nameOf = (booking: string, { event, revision }: { event: string; revision: string | undefined }) =>
  `${booking} ${event} ${revision}`

/** The changes that were never accepted. */
function missing(expected: Expected, arrivals: Arrival[]): string[] {
  const accepted = arrivals.filter(({ acceptedAt }) => acceptedAt !== undefined)
  const names = new Set(accepted.map((one) => nameOf(one.booking_id, one)))
  return all(expected).filter((name) => !names.has(name))
}

const all = (expected: Expected) => [...expected].flatMap(([id, events]) => events.map((event) => nameOf(id, event)))

/** The changes that came before the one before them was accepted. */
function outOfOrder(expected: Expected, arrivals: Arrival[]): string[] {
  const cameAt = new Map<string, number>()
  const acceptedAt = new Map<string, number>()
  for (const one of arrivals) {
    const name = nameOf(one.booking_id, one)
    if (!cameAt.has(name)) cameAt.set(name, one.at)
    if (one.acceptedAt && !acceptedAt.has(name)) acceptedAt.set(name, one.acceptedAt)
  }
  return [...expected].flatMap(([id, events]) =>
    events.flatMap((event, index) => {
      const previous = events[index - 1]
      const [name, before] = [nameOf(id, event), previous && nameOf(id, previous)]
      return before && (cameAt.get(name) ?? 0) < (acceptedAt.get(before) ?? Number.POSITIVE_INFINITY) ? [name] : []
    }),
  )
}

/** One change, one event id, however often it comes. */
function underAnotherId(arrivals: Arrival[]): string[] {
  const ids = Map.groupBy(arrivals, (one) => nameOf(one.booking_id, one))
  return [...ids].filter(([, same]) => new Set(same.map((one) => one.event_id)).size > 1).map(([name]) => name)
}

function told(changes: number, kills: number, arrivals: Arrival[]): string {
  const accepted = arrivals.filter(({ acceptedAt }) => acceptedAt !== undefined)
  const once = new Set(accepted.map(({ event_id }) => event_id)).size
  return `${changes} changes, ${kills} kills: ${once} events accepted, ${accepted.length - once} of them again, in ${arrivals.length} attempts`
}
