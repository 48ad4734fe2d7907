import { expect, test } from 'vitest'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { claimPayment } from '../../src/domain/bookings/report-payment-by-buyer.ts'
import { bookedBy, staffOf, talkingShop } from '../mails/letters-shop.ts'
import { mcpDesk, restDesk } from '../support/desk.ts'

const shop = await talkingShop()
const desk = restDesk(shop)
const staff = staffOf(desk, shop)
const listed = async (payment_claimed: boolean) =>
  (await staff('bookings_list', { payment_claimed })).data.bookings.map(({ id }: { id: string }) => id)
const claim = (id: string) => shop.runtime.makeChange((tx) => claimPayment(tx, id, shop.time.now))

test('that somebody says to have paid is written once, and shown to the staff', async () => {
  const booking = await bookedBy(desk, 'svc_paid')
  const first = await claim(booking.id)
  expect(first?.revision).toBe(2)
  shop.minutesLater(1)
  expect(await claim(booking.id)).toEqual(first)
  const { data } = await staff('bookings_get', { booking_id: booking.id })
  expect(data.details.payment_claimed_at).toBe('2026-11-20T07:00:00.000-05:00')
  expect(data.changes.map(({ actor, action }: Record<string, unknown>) => [actor, action])).toEqual([
    [shop.platform.principal, 'create'],
    ['buyer', 'claim_payment'],
  ])
  expect([await listed(true), await listed(false)]).toEqual([[booking.id], []])
  // It is paid when the staff say so.
  expect(data.booking).toMatchObject({ status: 'requires_action', payment: { status: 'pending' } })
  await staff('bookings_mark_paid', { booking_id: booking.id })
  expect([await listed(true), await listed(false)]).toEqual([[], [booking.id]])
  expect((await claim(booking.id))?.status).toBe('confirmed')
})

test('of what is not to be paid nobody can say so', async () => {
  const booking = await bookedBy(desk, 'svc_spot')
  expect((await claim(booking.id))?.record.payment_claimed_at).toBeUndefined()
  expect(await claim('bkg_none')).toBeUndefined()
})

test('what has to be paid once more is said once more', async () => {
  const booking = await bookedBy(desk, 'svc_dear', 0)
  await claim(booking.id)
  await staff('bookings_mark_paid', { booking_id: booking.id })
  shop.minutesLater(1)
  await desk.reschedule(booking.id, (await desk.slots('svc_dear')).at(-1))
  expect(await listed(true)).toEqual([])
  await claim(booking.id)
  await claim(booking.id)
  expect(await listed(true)).toEqual([booking.id])
  const kinds = (await shop.lettersOf(booking)).map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'booking.payment_claimed')).toHaveLength(2)
})

const at = (time: string) => new Date(time).getTime()

test.each(['rest', 'mcp'] as const)(
  '[%s] a payment that the buyer reported keeps the booking until it begins, and no longer',
  async (binding) => {
    const desk = binding === 'rest' ? restDesk(shop) : mcpDesk(shop)
    const { now } = shop.time
    const booking = await bookedBy(desk, 'svc_paid')
    expect(at(booking.expires_at)).toBeLessThan(at(booking.slot.start))
    await claim(booking.id)
    shop.time.now = new Date(at(booking.expires_at) + 60_000)
    await expireOverdue(shop.runtime, shop.time.now)
    const later = (await desk.get(booking.id)).data.booking
    expect([later.status, at(later.expires_at)]).toEqual(['requires_action', at(booking.slot.start)])
    expect(await listed(true)).toContain(booking.id)
    expect((await staff('inbox', {})).data.inbox.payments_claimed).toBeGreaterThan(0)
    shop.time.now = new Date(booking.slot.start)
    await expireOverdue(shop.runtime, shop.time.now)
    expect((await desk.get(booking.id)).data.booking.status).toBe('canceled')
    shop.time.now = now
  },
)
