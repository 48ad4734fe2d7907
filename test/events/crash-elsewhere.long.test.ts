import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { remind } from '../../src/domain/bookings/send-reminders.ts'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Ask, restDesk } from '../support/desk.ts'
import { openPostgresCut } from '../support/postgres-cut.ts'
import { classOfOne, lineOf } from '../waitlist/queue.ts'
import { createFeedSubscription } from './subscriptions.ts'
import { toldShop } from './told-shop.ts'

const definition = (price: number) =>
  businessWith([classOfOne, service('svc_a', { pricing: { model: 'fixed', amount: price, currency: 'USD' } })])
const databaseUrl = await freshDatabase()
const database = await openPostgresCut(databaseUrl)
const shop = await toldShop(definition(0), { databaseUrl: database.url })
const { runtime } = shop
const desk = restDesk(shop)
const { wait, accept, leave, decline } = lineOf(desk)
const db = openDatabase(databaseUrl, 2, () => {})
afterAll(() => db.destroy())
await createFeedSubscription(desk, shop.receiver.url)

interface Change {
  what: string
  /** Makes everything ready for it, and says how it is done. */
  ready(): Promise<(ask: Ask) => Promise<unknown>>
  /** What it is told as. */
  events: string[]
}

/** Somebody who is offered the only place of a class. */
async function offered() {
  const [slot] = await desk.slots(classOfOne.id)
  const { booking } = (await desk.book(slot)).data
  const { id } = await wait('Ann', { slot_id: slot.id })
  await desk.cancel(booking.id)
  return id
}
const full = async () => (await desk.book((await desk.slots(classOfOne.id))[0])).data.booking
let price = 0

const changes: Change[] = [
  {
    what: 'accepting an offer',
    ready: async () => {
      const id = await offered()
      return (ask) => accept(id, {}, ask)
    },
    events: ['waitlist.converted'],
  },
  {
    what: 'declining an offer, which goes to the next',
    ready: async () => {
      const id = await offered()
      await wait('Bob')
      return (ask) => decline(id, {}, ask)
    },
    // The offer tells the position that changed with it.
    events: ['waitlist.spot_offered'],
  },
  {
    what: 'leaving the line, in which the next moves up',
    ready: async () => {
      const never = { preferred_slots: [{ start_date: '2026-11-21', end_date: '2026-11-21' }] }
      const { id } = await wait('Ann', never)
      await wait('Bob', never)
      return (ask) => leave(id, {}, ask)
    },
    events: ['waitlist.position_changed'],
  },
  {
    what: 'canceling a booking that somebody waits for',
    ready: async () => {
      const booking = await full()
      await wait('Ann', { slot_id: booking.slot.id })
      return (ask) => desk.cancel(booking.id, {}, ask)
    },
    events: ['booking.canceled', 'waitlist.spot_offered'],
  },
  {
    what: 'offering by hand',
    ready: async () => {
      const [slot] = await desk.slots(classOfOne.id)
      const { id } = await wait('Ann', { preferred_slots: [{ time_of_day: 'evening' }] })
      const input = { entry_id: id, slot_id: slot.id }
      return (ask) => desk.call('usp_business_waitlist_offer', input, { as: shop.staff, ...ask })
    },
    events: ['waitlist.spot_offered'],
  },
  {
    what: 'an offer that lapses',
    ready: async () => {
      await offered()
      shop.minutesLater(31)
      return () => runWaitlist(runtime)
    },
    events: ['waitlist.expired'],
  },
  {
    what: 'reminding',
    ready: async () => {
      const [slot] = await desk.slots('svc_a')
      await desk.book(slot)
      const soon = new Date(Date.parse(slot.start) - 23 * 3_600_000)
      return () => remind(runtime, soon)
    },
    events: ['booking.reminder'],
  },
  {
    what: 'changing the catalogue',
    ready: async () => {
      const next = definition(++price)
      return () => applyDefinition(runtime.db, next, shop.time.now)
    },
    events: ['service.updated'],
  },
]

/** All that was written down of what happened, and all that is to be told of it. */
async function written() {
  const { version } = await db.selectFrom('business').select('version').executeTakeFirstOrThrow()
  const events = await db.selectFrom('events').select(['id', 'type']).orderBy('number').execute()
  const deliveries = await db.selectFrom('deliveries').select('event_id').execute()
  const journal = await db.selectFrom('changes').select('number').execute()
  const reminded = await db.selectFrom('bookings').select(['id', 'reminded_until']).execute()
  return { events, deliveries: deliveries.length, state: JSON.stringify([version, journal.length, reminded]) }
}
type Written = Awaited<ReturnType<typeof written>>

function expectDone(before: Written, after: Written, types: string[]) {
  expect(after.events.slice(before.events.length).map(({ type }) => type)).toEqual(types)
  expect(after.deliveries - before.deliveries).toBe(types.length)
  expect(after.state).not.toBe(before.state)
}

async function clear() {
  const { data } = await desk.call('usp_business_waitlist_list', {}, { as: shop.staff })
  for (const { id } of data.entries) await leave(id)
  const { bookings } = (await desk.call('usp_business_bookings_list', { statuses: ['confirmed'] }, { as: shop.staff }))
    .data
  for (const { id } of bookings) await desk.cancel(id)
  await shop.told()
}

/** Whether the change is made and told to be. */
const goesThrough = (act: (ask: Ask) => Promise<unknown>, ask: Ask): Promise<boolean> =>
  act(ask).then(
    (said) => !(Object(said).status >= 500),
    () => false,
  )

test.each(changes)(
  '[EVT-046] [EVT-047] [EVT-048] $what commits with its events or not at all, wherever the server dies',
  async ({ ready, events }) => {
    const act = await ready()
    const before = await written()
    let last = ''
    for (let step = 0; ; ) {
      database.cutAt(step, 'message')
      const isDone = await goesThrough(act, { idempotencyKey: randomUUID() })
      const lost = database.lost()
      // After its commit, a changed catalogue also needs its class sessions. The change is done even without them.
      if (isDone) break
      expect([step, await written()]).toEqual([step, before])
      // Without anything lost it did not even begin: it was given a connection that had just died.
      if (lost === undefined) continue
      last = lost
      step++
    }
    expect(last).toContain('commit\0')
    expectDone(before, await written(), events)
    await clear()

    // The COMMIT arrives, and nobody hears of it; whoever tries again changes nothing more.
    const again = await ready()
    const ask = { idempotencyKey: randomUUID() }
    const now = await written()
    let lost: string | undefined
    while (lost === undefined) {
      database.cutAt('commit', 'answer')
      expect(await goesThrough(again, ask)).toBe(false)
      lost = database.lost()
    }
    expect(lost).toContain('COMMIT')
    const done = await written()
    expectDone(now, done, events)
    while (!(await goesThrough(again, ask)));
    expect(await written()).toEqual(done)
    await clear()
  },
)
