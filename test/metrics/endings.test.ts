import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import { services, shopDefinition } from '../bookings/shop.ts'
import { freshDatabase } from '../support/database.ts'
import { service } from '../support/definitions.ts'
import { buyer, restDesk, testShop } from '../support/desk.ts'
import { metricsOf } from '../support/metrics.ts'
import { testServer } from '../support/server.ts'

const DAY = 24 * 60
const sold = ['svc_cut', 'svc_free', 'svc_asked', 'svc_paid']
const classes = service('svc_class', {
  type: 'group',
  capacity: { max: 1, waitlist: true },
  sessions: [{ days: ['wednesday'], starts: '10:00' }],
})
const definition = { ...shopDefinition, services: [...services.filter(({ id }) => sold.includes(id)), classes] }
const databaseUrl = await freshDatabase()
const shop = await testShop(definition, { databaseUrl })
const another = await testServer(undefined, { databaseUrl })
const desk = restDesk(shop)

/** What is told to have ended, but for what did not. */
async function ended(server: Parameters<typeof metricsOf>[0] = shop): Promise<Record<string, number>> {
  const told = [...(await metricsOf(server))].flatMap(([name, count]) => {
    const [, kind, outcome] = /^usp_ended_day\{kind="(\w+)",outcome="(\w+)"\}$/.exec(name) ?? []
    return kind !== undefined && count > 0 ? [[`${kind} ${outcome}`, count] as const] : []
  })
  return Object.fromEntries(told)
}

afterEach(async () => {
  shop.minutesLater(DAY)
  await expireOverdue(shop.runtime, shop.time.now)
  await runWaitlist(shop.runtime)
  shop.minutesLater(DAY + 1)
  expect(await ended()).toEqual({})
})

const booked = async (serviceId: string) => (await desk.book((await desk.slots(serviceId))[0])).data.booking
const staff = (what: string, id: string) =>
  desk.call(
    `usp_business_bookings_${what}`,
    { booking_id: id, ...(what === 'decline' && { reason: 'ill' }) },
    { as: shop.staff },
  )

test('[each end is told once] in the waitlist, where who is not offered anything goes as well', async () => {
  const person = (name: string) => ({ ...buyer, first_name: name, email: `${name}@example.com` })
  const join = async (name: string) =>
    (await desk.call('usp_waitlist_join', { service_id: 'svc_class', buyer: person(name) })).data.entry.id
  const act = async (what: string, entry_id: string) => (await desk.call(`usp_waitlist_${what}`, { entry_id })).data
  const first = await booked('svc_class')
  const [ann, bob] = [await join('Ann'), await join('Bob')]
  await join('Cid')
  await act('leave', await join('Dan'))
  await desk.cancel(first.id)
  await act('decline', ann)
  await desk.cancel((await act('accept', bob)).booking.id)
  const by = { 'booking canceled': 2, 'offer declined': 1, 'offer accepted': 1, 'entry left': 1 }
  expect(await ended()).toEqual(by)
  shop.minutesLater(31)
  expect(await ended()).toEqual({ ...by, 'offer lapsed': 1 })
  await runWaitlist(shop.runtime)
  expect(await ended()).toEqual({ ...by, 'offer lapsed': 1 })
})

test('[each end is told once] by the clock, before anybody writes it down and after, at each server', async () => {
  expect((await metricsOf(shop)).get('usp_ended_day{kind="hold",outcome="expired"}')).toBe(0)
  for (const at of [-1, -3]) await desk.hold((await desk.slots('svc_free')).at(at))
  await desk.release((await desk.hold((await desk.slots('svc_free')).at(-2))).data.hold.id)
  const [asked, unpaid] = [await booked('svc_asked'), await booked('svc_paid')]
  await booked('svc_paid')
  expect(await ended()).toEqual({})
  shop.time.now = new Date(Math.max(Date.parse(asked.expires_at), Date.parse(unpaid.expires_at)))
  const all = { 'hold expired': 2, 'booking unanswered': 1, 'booking lapsed': 2 }
  expect(await ended()).toEqual(all)
  // One is written down by a call that comes for it, and the others by the server itself.
  expect((await desk.pay(unpaid)).data.booking.status).toBe('canceled')
  expect(await ended()).toEqual(all)
  await expireOverdue(shop.runtime, shop.time.now)
  expect(await ended()).toEqual(all)
  another.time.now = shop.time.now
  expect(await ended(another)).toEqual(all)
})

test('[each end is told once] by whoever ends it', async () => {
  const [declined, canceled, missed, done] = [
    await booked('svc_asked'),
    await booked('svc_free'),
    await booked('svc_cut'),
    await booked('svc_cut'),
  ]
  await staff('decline', declined.id)
  await desk.cancel(canceled.id)
  expect(await ended()).toEqual({ 'booking declined': 1, 'booking canceled': 1 })
  shop.time.now = new Date(Date.parse(done.slot.end))
  for (const [what, { id }] of [
    ['start', done],
    ['complete', done],
    ['no_show', missed],
  ] as const)
    expect([what, (await staff(what, id)).status]).toEqual([what, 200])
  const all = { 'booking declined': 1, 'booking canceled': 1, 'booking completed': 1, 'booking no_show': 1 }
  expect(await ended()).toEqual(all)
  // However much is done on a day.
  await sql`
    insert into changes (at, actor, action, subject, detail)
    select ${shop.time.now}, 'system', 'tell_again', 'booking b', '{}' from generate_series(1, 3500)`.execute(
    shop.runtime.db,
  )
  expect(await ended()).toEqual(all)
})

test('[each end is told once] what was over before it was imported did not end today', async () => {
  const past = new Date(shop.time.now.getTime() - 30 * DAY * 60_000).toISOString()
  const row = { service_id: 'svc_cut', resource_ids: ['staff_ann'], buyer, start: past, status: 'completed', key: 'a' }
  const said = await desk.call('usp_business_bookings_import', { source: 'old', bookings: [row] }, { as: shop.staff })
  expect(said.data.results).toMatchObject([{ outcome: 'imported' }])
  expect(await ended()).toEqual({})
})
