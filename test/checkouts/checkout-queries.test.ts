import { beforeEach, expect, test } from 'vitest'
import { bookingFind } from '../../src/domain/bookings/queries.ts'
import { checkoutsLease, checkoutsOfBooking, reusableCheckoutFind } from '../../src/domain/payments/queries.ts'
import { paidShop } from '../payments/shop.ts'

const { shop, booked } = await paidShop()
const { db } = shop.runtime
const now = () => shop.time.now
const ago = (seconds: number) => new Date(now().getTime() - seconds * 1000)
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).toSorted()
const bookings: { id: string }[] = [await booked('svc_paid'), await booked('svc_late')]
const [mine = '', other = ''] = bookings.map(({ id }) => id)

const enter = (id: string, more: object = {}) =>
  db
    .insertInto('checkouts')
    .values({
      id,
      booking_id: mine,
      provider: 'stripe',
      reference: `cs_${id}`,
      amount: 7500,
      currency: 'USD',
      status: 'open',
      created_at: ago(300),
      expires_at: ago(-600),
      next_at: now(),
      ...more,
    })
    .execute()
beforeEach(() => db.deleteFrom('checkouts').execute())

test('the checkouts of a booking are its own, open, and known to the provider', async () => {
  await enter('chk_mine')
  await enter('chk_other', { booking_id: other })
  await enter('chk_paid', { status: 'paid' })
  await enter('chk_unanswered', { reference: null })
  expect(ids(await checkoutsOfBooking(db, mine))).toEqual(['chk_mine'])
})

test.each([
  ['one the provider knows', {}, true],
  ['one it was asked for just now', { reference: null, created_at: ago(59) }, true],
  ['one it never answered for', { reference: null, created_at: ago(61) }, false],
  ['one of another booking', { booking_id: other }, false],
  ['one of another sum', { amount: 7600 }, false],
  ['one in other money', { currency: 'EUR' }, false],
  ['one that is over', { expires_at: now() }, false],
  ['one that was paid', { status: 'paid' }, false],
])('of the checkouts on which it can be paid: %s', async (_, more, isOpen) => {
  await enter('chk_one', more)
  const found = await reusableCheckoutFind(db, { booking_id: mine, amount: 7500, currency: 'USD' }, now())
  expect(found?.id).toBe(isOpen ? 'chk_one' : undefined)
})

test.each([
  ['one that can still be paid', {}, false],
  ['one whose time is up', { expires_at: ago(0) }, true],
  ['one whose time is up and that is due later', { expires_at: ago(0), next_at: ago(-1) }, false],
  ['one that a process is closing', { expires_at: ago(0), leased_until: new Date(Date.now() + 5_000) }, false],
  ['one that a process died over', { expires_at: ago(0), leased_until: new Date(Date.now() - 1) }, true],
  ['one of another sum than is due', { amount: 1 }, true],
  ['one that was paid', { expires_at: ago(0), status: 'paid' }, false],
])('of the checkouts that are closed: %s', async (_, more, isTaken) => {
  const { due } = (await bookingFind(db, mine, undefined, { lock: false }))?.record.payment ?? {}
  await enter('chk_one', { amount: due, ...more })
  expect(ids(await checkoutsLease(db, 10, now()))).toEqual(isTaken ? ['chk_one'] : [])
})
