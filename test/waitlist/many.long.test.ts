import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { slowness } from '../support/slowness.ts'
import { business, CLASS, classOfOne, lineOf, openShop } from './queue.ts'

const PLACES = 100
const WAITING = 500

test('[WTL-035] a hundred places that come free at once are offered to the first hundred of five hundred, once each', async () => {
  const crowded = { ...classOfOne, capacity: { max: PLACES, waitlist: true } }
  const shop = await openShop({ ...business, services: [crowded] })
  const desk = restDesk(shop)
  const { join } = lineOf(desk)
  const [slot] = await desk.slots(CLASS)
  const bookings = []
  for (let place = 0; place < PLACES; place++) bookings.push((await desk.book(slot)).data.booking)
  for (let nth = 0; nth < WAITING; nth++) await join(`Guest${nth}`, { slot_id: slot.id })

  await Promise.all(bookings.map(({ id }) => desk.cancel(id)))
  await runWaitlist(shop.runtime)
  const { rows } = await sql<{ status: string; count: number; first: number; last: number }>`
    select status, count(*)::integer as count, min(number)::integer as first, max(number)::integer as last
    from waitlist_entries group by status order by first`.execute(shop.runtime.db)
  expect(rows).toEqual([
    { status: 'offered', count: PLACES, first: 1, last: PLACES },
    { status: 'waiting', count: WAITING - PLACES, first: PLACES + 1, last: WAITING },
  ])
  const [full] = await desk.slots(CLASS)
  expect(full.capacity).toEqual({ total: PLACES, remaining: 0, held: 0, waitlist: true })
  expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
})

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const wanting = (id: string, options: string[]) =>
  service(id, { capacity: { max: 1, waitlist: true }, resources: [{ type: 'staff', options }] })
const chairs = (people: string[], closes: string) =>
  businessWith(
    ['svc_a', 'svc_b', 'svc_z'].map((id) => wanting(id, people)),
    {
      hours: [{ days: [...EVERY_DAY], opens: '10:00', closes }],
      resources: people.map((id) => ({ id, type: 'staff' as const, name: id })),
    },
  )

test('[of several services that want the same time, who has waited longest is first]', async () => {
  const shop = await openShop(chairs(['ann'], '11:00'))
  const desk = restDesk(shop)
  const { join, entry } = lineOf(desk)
  const [slot] = await desk.slots('svc_b')
  const { booking } = (await desk.book(slot)).data
  const waiting: { id: string }[] = []
  for (const service_id of ['svc_z', 'svc_a', 'svc_b', 'svc_a'])
    waiting.push((await join(`Guest${waiting.length}`, { service_id })).data.entry)
  const statuses = async () => Promise.all(waiting.map(async ({ id }) => (await entry(id)).status))

  await desk.cancel(booking.id)
  expect(await statuses()).toEqual(['offered', 'waiting', 'waiting', 'waiting'])
  await desk.call('usp_waitlist_decline', { entry_id: String(waiting[0]?.id) })
  expect(await statuses()).toEqual(['waiting', 'offered', 'waiting', 'waiting'])
})

test('[opening for longer, many are offered something at once, and no two of them the same]', async () => {
  const people = ['ann', 'ben', 'cat']
  const shop = await openShop(chairs(people, '11:00'))
  const desk = restDesk(shop)
  const { join } = lineOf(desk)
  const guests = 45
  for (let nth = 0; nth < guests; nth++) await join(`Guest${nth}`, { service_id: ['svc_z', 'svc_b', 'svc_a'][nth % 3] })
  await shop.apply(chairs(people, '20:00'))

  await runWaitlist(shop.runtime)
  const { rows } = await sql<{ offered: number; times: number }>`
    select count(*)::integer as offered, count(distinct offered_from)::integer as times
    from waitlist_entries where status = 'offered'`.execute(shop.runtime.db)
  expect(rows).toEqual([{ offered: guests, times: guests / people.length }])
  expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
})

test('[one platform holds up no other] many who wait for none of thousands of times that came free keep nobody waiting', async () => {
  const { policies } = service('any')
  const booking_window = { min_advance: 'PT1H', max_advance: 'P365D', slot_interval: 'PT15M' }
  const opened = (name: string) =>
    businessWith([{ ...wanting('svc_a', ['ann']), name, policies: { ...policies, booking_window } }], {
      resources: [{ id: 'ann', type: 'staff', name: 'Ann' }],
    })
  const shop = await openShop(opened('Any time'))
  const { join } = lineOf(restDesk(shop))
  const preferred_slots = Array.from({ length: 100 }, () => ({ start_date: '2028-01-01', end_date: '2028-01-01' }))
  for (let nth = 0; nth < 40; nth++) await join(`Guest${nth}`, { service_id: 'svc_a', preferred_slots })
  await shop.apply(opened('Any time at all'))

  const longest = longestTurn()
  await runWaitlist(shop.runtime)
  expect(longest()).toBeLessThan(250 * slowness())
})

test('[one platform holds up no other] of thousands of lengths only those are looked at again that touch what was offered', async () => {
  const { policies } = service('any')
  const van = wanting('svc_van', [])
  const shop = await openShop(
    businessWith(
      [
        {
          ...van,
          type: 'rental',
          duration: { range: { min: 'PT1H', max: 'P7D', step: 'PT1H' } },
          resources: [{ type: 'equipment', options: ['van'] }],
          policies: { ...policies, booking_window: { ...policies.booking_window, slot_interval: 'PT1H' } },
        },
      ],
      { resources: [{ id: 'van', type: 'equipment', name: 'Van' }] },
    ),
  )
  const desk = restDesk(shop)
  const { join } = lineOf(desk)
  // No rental is just as long, so everybody is offered a part of it.
  const time = { start: '2026-12-10T10:30:00-05:00', end: '2026-12-17T10:30:00-05:00' }
  const input = { resource_id: 'van', ...time }
  const { block } = (await desk.call('usp_business_blocks_create', input, { as: shop.staff })).data
  for (let nth = 0; nth < 20; nth++) await join(`Guest${nth}`, { service_id: 'svc_van' })

  const [longest, before] = [longestTurn(), process.threadCpuUsage()]
  await desk.call('usp_business_blocks_remove', { block_id: block.id }, { as: shop.staff })
  const { user } = process.threadCpuUsage(before)
  expect(longest()).toBeLessThan(250 * slowness())
  expect(user / 1000).toBeLessThan(2_500 * slowness())
  const offered = await desk.call('usp_waitlist_list', { service_id: 'svc_van', status: 'offered' })
  expect(offered.data.pagination.total).toBe(20)
})

test('[one platform holds up no other] everybody who moves up is told in one statement', async () => {
  const shop = await openShop()
  const { wait, leave } = lineOf(restDesk(shop))
  const line: { id: string }[] = []
  for (let nth = 0; nth < 101; nth++) line.push(await wait(`Guest${nth}`))
  await leave(String(line[0]?.id))
  const { rows } = await sql<{ subject: string; receiver: string; statement: string }>`
    select e.subject, d.receiver, e.cmin::text as statement from events e join deliveries d on d.event_id = e.id
    where type = 'waitlist.position_changed' order by e.number`.execute(shop.runtime.db)
  expect(rows.map(({ subject }) => subject)).toEqual(line.slice(1).map(({ id }) => `entry ${id}`))
  expect(new Set(rows.map(({ receiver }) => receiver))).toEqual(new Set([`profile ${shop.platform.profile}`]))
  expect(new Set(rows.map(({ statement }) => statement)).size).toBe(1)
})
