import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verify } from '../../src/ledger/verify.ts'
import { keepWaitlist } from '../../src/waitlist/offer-freed.ts'
import { restDesk } from '../support/desk.ts'
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
  await keepWaitlist(shop.runtime)
  const { rows } = await sql<{ status: string; count: number; first: number; last: number }>`
    select status, count(*)::integer as count, min(number)::integer as first, max(number)::integer as last
    from waitlist_entries group by status order by first`.execute(shop.runtime.db)
  expect(rows).toEqual([
    { status: 'offered', count: PLACES, first: 1, last: PLACES },
    { status: 'waiting', count: WAITING - PLACES, first: PLACES + 1, last: WAITING },
  ])
  const [full] = await desk.slots(CLASS)
  expect(full.capacity).toEqual({ total: PLACES, remaining: 0, held: 0 })
  expect((await verify(shop.runtime.db, shop.time.now)).findings.named).toEqual([])
}, 120_000)
