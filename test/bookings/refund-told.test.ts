import { afterEach, expect, test } from 'vitest'
import { expectValidEvent, toldShop } from '../events/told-shop.ts'
import { mcpDesk, restDesk } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tillDefinition } from './till.ts'

for (const deskOf of [restDesk, mcpDesk]) {
  const shop = await toldShop(tillDefinition)
  const desk = deskOf(shop)
  const staff = (what: string, input: object) =>
    desk.call(`usp_business_bookings_${what}`, { ...input }, { as: shop.staff })
  const slotAt = async (service: string, time: string) =>
    (await desk.slots(service)).findLast(({ start }) => start.includes(time))
  const paid = async (time = 'T10:00') => {
    const { booking } = (await desk.book(await slotAt('svc_paid', time))).data
    return (await desk.pay(booking)).data.booking
  }
  afterEach(() => {
    shop.time.now = START
  })

  /** The same sums in the booking, in its messages and in the event. */
  async function expectTold(booking: { id: string }, refund_amount: number, refund_total: number, words: string) {
    const sums = { refund_amount, refund_total }
    const now = (await desk.get(booking.id)).data.booking
    expect(now.payment).toMatchObject({ ...sums, amount_paid: 13200 })
    expect(now.messages).toContainEqual({
      type: 'info',
      code: 'refund_issued',
      content: words,
      path: '$.payment.refund_amount',
    })
    const event = (await shop.told()).findLast((one) => one.event === 'booking.refund_issued')
    expect(event).toMatchObject({ ...sums, currency: 'USD', booking_id: booking.id, data: { payment: sums } })
    if (event) expectValidEvent(event)
  }

  test(`[refund amount told] when the staff give some back, and then more (${desk.binding})`, async () => {
    const booking = await paid()
    expect(booking.payment).not.toHaveProperty('refund_amount')
    expect(booking).not.toHaveProperty('messages')
    await staff('refund', { booking_id: booking.id, amount: 2000 })
    await expectTold(booking, 2000, 2000, '$20.00 is refunded to the buyer.')
    await staff('refund', { booking_id: booking.id, amount: 3000 })
    await expectTold(booking, 3000, 5000, '$30.00 is refunded to the buyer, $50.00 in all.')
    await staff('refund', { booking_id: booking.id })
    await expectTold(booking, 8200, 13200, '$82.00 is refunded to the buyer, $132.00 in all.')
  })

  test(`[refund amount told] when the buyer cancels late (${desk.binding})`, async () => {
    const booking = await paid()
    shop.time.now = new Date(Date.parse(booking.slot.start) - 3_600_000)
    expect((await desk.cancel(booking.id)).data.booking.cancellation.refund_amount).toBe(11200)
    await expectTold(booking, 11200, 11200, '$112.00 is refunded to the buyer.')
  })

  test(`[refund amount told] when a booking moves to a cheaper time (${desk.binding})`, async () => {
    const booking = await paid('T11:30')
    await desk.reschedule(booking.id, await slotAt('svc_paid', 'T18:30'))
    await expectTold(booking, 3300, 3300, '$33.00 is refunded to the buyer.')
  })

  test(`[refund amount told] when a dispute is decided for the buyer (${desk.binding})`, async () => {
    const booking = await paid('T13:00')
    await staff('dispute_open', { booking_id: booking.id, reason: 'quality_issue' })
    await staff('dispute_resolve', { booking_id: booking.id, in_favor_of: 'buyer', refund_amount: 700 })
    await expectTold(booking, 700, 700, '$7.00 is refunded to the buyer.')
  })

  test(`[refund amount told] when the payment of a move is not made in time (${desk.binding})`, async () => {
    const booking = await paid('T14:00')
    await desk.reschedule(booking.id, await slotAt('svc_paid', 'T15:00'))
    await shop.told()
    shop.minutesLater(24 * 60)
    await desk.update(booking.id, { notes: 'Too late' })
    const now = (await desk.get(booking.id)).data.booking
    expect(now).toMatchObject({ status: 'canceled', payment: { refund_amount: 13200, refund_total: 13200 } })
  })

  test(`[payments are rows] the staff see each payment, who said so and what went back of it (${desk.binding})`, async () => {
    const booking = await paid('T14:30')
    const moved = (await desk.reschedule(booking.id, await slotAt('svc_paid', 'T16:00'))).data.booking
    await staff('mark_paid', { booking_id: booking.id, transaction_id: 'till 7' })
    expect(moved.payment).toMatchObject({ status: 'deposit_paid', amount_paid: 13200, amount_due: 3300 })
    await staff('refund', { booking_id: booking.id, amount: 4000 })
    const { payments } = (await staff('get', { booking_id: booking.id })).data
    expect(payments).toMatchObject([
      {
        amount: 13200,
        purpose: 'price',
        source: 'platform',
        reported_by: shop.platform.principal,
        transaction_id: 'txn_1',
        refunds: [{ amount: 700, status: 'elsewhere' }],
      },
      {
        amount: 3300,
        purpose: 'difference',
        source: 'staff',
        reported_by: expect.stringMatching(/^staff:/),
        transaction_id: 'till 7',
        provider: 'manual',
        refunds: [{ amount: 3300, status: 'elsewhere' }],
      },
    ])
  })
}
