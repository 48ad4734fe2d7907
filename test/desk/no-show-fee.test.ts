import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { expectValidEvent, toldShop } from '../events/told-shop.ts'
import { businessWith, service } from '../support/definitions.ts'
import { mcpDesk, restDesk } from '../support/desk.ts'

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const { payment_timing: _, ...usual } = service('svc').policies
const missed = (id: string, no_show: object, payment_timing?: 'at_booking' | 'at_service' | 'deposit_required') =>
  service(id, {
    pricing: payment_timing
      ? {
          model: 'fixed',
          amount: 10000,
          currency: 'USD',
          ...(payment_timing === 'deposit_required' && { deposit: { type: 'fixed', value: 3000, refundable: true } }),
        }
      : { model: 'free', currency: 'USD' },
    policies: payment_timing ? { ...usual, no_show, payment_timing } : { ...usual, no_show, requires_payment: false },
  } satisfies Partial<ServiceDefinition>)

const definition = businessWith(
  [
    missed('svc_spot', { fee_percentage: 100 }, 'at_service'),
    missed('svc_deposit', { fee_percentage: 100 }, 'deposit_required'),
    missed('svc_paid', { fee_percentage: 100 }, 'at_booking'),
    missed('svc_free', { fee: 2500 }),
    { ...missed('svc_abroad', { fee: 2500 }), pricing: { model: 'free', currency: 'EUR' } },
    missed('svc_nothing', {}, 'at_service'),
  ],
  { hours: [{ days: [...EVERY_DAY], opens: '09:00', closes: '18:00' }] },
)

for (const deskOf of [restDesk, mcpDesk]) {
  const shop = await toldShop(definition)
  const desk = deskOf(shop)
  const staff = (what: string, input: object) =>
    desk.call(`usp_business_bookings_${what}`, { ...input }, { as: shop.staff })
  async function noShow(serviceId: string, more: object = {}) {
    const before = shop.time.now
    const { booking } = (await desk.book((await desk.slots(serviceId))[0])).data
    if (booking.status === 'requires_action') await desk.pay(booking)
    await shop.told()
    shop.time.now = new Date(Date.parse(booking.slot.start) + 3_600_000)
    const said = await staff('no_show', { booking_id: booking.id, ...more })
    const told = await shop.told()
    shop.time.now = before
    return { id: booking.id, said, booking: said.data.booking, told }
  }

  test.each([
    ['svc_spot', 10000, 10000, { status: 'not_required', amount_due: 0 }],
    ['svc_deposit', 10000, 7000, { status: 'deposit_paid', amount_due: 7000, amount_paid: 3000 }],
    ['svc_free', 2500, 2500, undefined],
  ])(
    `[what a no-show owes] of %s stands in the booking, with its event (${desk.binding})`,
    async (id, fee, due, payment) => {
      const { booking, told, ...made } = await noShow(id)
      const no_show = { fee, amount_due: due, refund_amount: 0, currency: 'USD' }
      expect(booking).toMatchObject({ status: 'no_show', no_show, ...(payment && { payment }) })
      if (!payment) expect(booking).not.toHaveProperty('payment')
      const owed = `The buyer did not come and owes the business $${due / 100}.00.`
      expect(booking.messages).toMatchObject([{ code: 'no_show_fee_due', content: owed, path: '$.no_show.amount_due' }])
      expect(told.map(({ event }) => event)).toEqual(['booking.no_show'])
      expect(told[0]?.data).toMatchObject({ status: 'no_show', no_show })
      for (const event of told) expectValidEvent(event)

      const reported = await desk.pay(booking, { amount_paid: due })
      expect([reported.code, reported.data.booking]).toEqual(['invalid_transition', undefined])
      const paid = await staff('mark_paid', { booking_id: made.id, transaction_id: 'till 9' })
      expect(paid.data.booking).toMatchObject({ status: 'no_show', no_show: { fee, amount_due: 0 } })
      expect(paid.data.booking).not.toHaveProperty('messages')
      expect((await staff('mark_paid', { booking_id: made.id })).code).toBe('already_confirmed')
      const { payments } = (await staff('get', { booking_id: made.id })).data
      expect(payments.at(-1)).toMatchObject({
        amount: due,
        purpose: 'no_show_fee',
        source: 'staff',
        transaction_id: 'till 9',
      })
      expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
    },
  )

  test(`[what a no-show owes] is of the currency of the service where nothing else is paid (${desk.binding})`, async () => {
    expect((await noShow('svc_abroad')).booking.no_show).toMatchObject({ amount_due: 2500, currency: 'EUR' })
  })

  test(`[LIV-068] [what a no-show owes] is kept first of what was paid, and no platform pays more (${desk.binding})`, async () => {
    const { booking, told } = await noShow('svc_paid')
    expect(booking).toMatchObject({
      no_show: { fee: 10000, amount_due: 0, refund_amount: 0 },
      payment: { status: 'paid', amount_due: 0 },
    })
    expect(booking).not.toHaveProperty('messages')
    expect(told).toHaveLength(1)
    expect((await desk.pay(booking)).code).toBe('invalid_transition')
  })

  test(`[what a no-show owes] can be less where the business wants it so, and never more (${desk.binding})`, async () => {
    const { booking, told } = await noShow('svc_paid', { fee: 4000 })
    expect(booking).toMatchObject({
      no_show: { fee: 4000, amount_due: 0, refund_amount: 6000 },
      payment: { status: 'partially_refunded', refund_amount: 6000 },
    })
    expect(told.map(({ event }) => event)).toEqual(['booking.no_show', 'booking.refund_issued'])
    const waived = await noShow('svc_spot', { fee: 0 })
    expect(waived.booking).toMatchObject({ no_show: { fee: 0, amount_due: 0 } })
    const more = await noShow('svc_free', { fee: 2501 })
    expect(more.said).toMatchObject({ code: 'validation_error', data: { errors: [{ field: 'fee' }] } })
  })

  test(`[what a no-show owes] is not spoken of where nothing was agreed on (${desk.binding})`, async () => {
    expect((await noShow('svc_nothing')).booking).not.toHaveProperty('no_show')
  })
}
