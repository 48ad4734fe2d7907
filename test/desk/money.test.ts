import { expect, test } from 'vitest'
import { at, inStudio } from './studio.ts'

await inStudio((desk, staff, shop) => {
  let nth = 0
  const traced = { transaction_id: 'txn_1', order_reference: 'ord_1' }
  /** A booking for which the platform has paid what was due. */
  const paid = async (serviceId: string) => {
    const slots = await desk.slots(serviceId)
    const { data } = await desk.book(slots[nth++ % slots.length])
    return (await desk.pay(data.booking, { order_reference: 'ord_1' })).data.booking
  }
  const read = async (id: string) => (await staff('bookings_get', { booking_id: id })).data
  const inDecember = <T>(work: () => Promise<T>) => at(shop, '2026-12-05T12:00:00Z', work)
  const reach = async (id: string, status: string) => {
    const steps = { confirmed: [], in_progress: ['start'], completed: ['start', 'complete'], no_show: ['no_show'] }
    const names = status === 'canceled' ? ['cancel'] : steps[status as keyof typeof steps]
    for (const step of names)
      await inDecember(() =>
        staff(`bookings_${step}`, { booking_id: id, ...(step === 'no_show' && { refund_amount: 0 }) }),
      )
  }

  test.each([
    ['late', 'svc_late', 12000],
    ['for a deposit that buyers do not get back', 'svc_kept', 3000],
    ['where buyers may not cancel', 'svc_paid', 12000],
  ] as const)('[BKG-095] [PAY-063] the staff cancel at no cost %s', async (_, service, all) => {
    const { id, payment } = await paid(service)
    const { data } = await staff('bookings_cancel', { booking_id: id, reason: 'Burst pipe' })
    expect(data.booking).toMatchObject({
      status: 'canceled',
      cancellation: { canceled_by: 'business', fee: 0, refund_amount: all, reason: 'Burst pipe' },
      payment: { status: 'refunded', amount_due: 0, transaction_id: payment.transaction_id },
    })
  })

  test('[who reported a payment is shown] the staff see each with how the platform names it', async () => {
    const { id } = await paid('svc_paid')
    expect((await read(id)).payments).toEqual([
      expect.objectContaining({ amount: 12000, purpose: 'price', source: 'platform', ...traced }),
    ])
  })

  test.each([
    ['half the price', 'svc_paid', 15, 6000, 6000],
    ['the fee', 'svc_flat', 0, 2000, 10000],
    ['nothing where no fee was agreed on', 'svc_kept', 0, 0, 3000],
  ] as const)('[PAY-069] [CAT-122] of a no-show the business keeps %s', async (_, service, grace, fee, refund) => {
    const { id, slot } = await paid(service)
    const over = Date.parse(slot.start) + grace * 60_000
    const missed = (instant: number) =>
      at(shop, new Date(instant).toISOString(), () => staff('bookings_no_show', { booking_id: id }))
    expect((await missed(over - 1000)).code).toBe('invalid_transition')
    expect((await read(id)).details.refunded).toBe(0)
    const { data } = await missed(over)
    expect(data.booking).toMatchObject({
      status: 'no_show',
      payment: { status: fee > 0 ? 'partially_refunded' : 'refunded', amount_due: 0 },
    })
    expect((await read(id)).changes.at(-1)).toMatchObject({ action: 'no_show', detail: { fee, refund } })
    expect((await read(id)).details.refunded).toBe(refund)
  })

  test('[PAY-069] of a no-show at most what exceeds the fee goes back, and less where the business wants it so', async () => {
    const { id } = await paid('svc_flat')
    const no = (refund_amount: number) => inDecember(() => staff('bookings_no_show', { booking_id: id, refund_amount }))
    expect((await no(10_001)).code).toBe('validation_error')
    expect((await read(id)).booking.status).toBe('confirmed')
    expect((await no(0)).data.booking).toMatchObject({ status: 'no_show', payment: { status: 'paid' } })
  })

  test('[PAY-067] [PAY-068] refunds add up to what was paid, and the payment can still be traced', async () => {
    const { id } = await paid('svc_paid')
    const part = await staff('bookings_refund', { booking_id: id, amount: 5000 })
    expect(part.data.booking).toMatchObject({
      status: 'confirmed',
      payment: { status: 'partially_refunded', amount: 12000, amount_due: 0, ...traced },
    })
    const beyond = await staff('bookings_refund', { booking_id: id, amount: 7001 })
    expect(beyond.code).toBe('validation_error')
    expect(beyond.data.errors[0].message).toBe('At most 7000 can be refunded, which is $70.00.')
    expect((await read(id)).details).toMatchObject({ collected: 12000, refunded: 5000 })
    const rest = await staff('bookings_refund', { booking_id: id })
    expect(rest.data.booking.payment).toMatchObject({ status: 'refunded', ...traced })
    expect((await staff('bookings_refund', { booking_id: id })).code).toBe('invalid_transition')
    expect((await read(id)).details).toMatchObject({ collected: 12000, refunded: 12000 })
  })

  test('what waits for something is canceled, not refunded', async () => {
    const { data } = await desk.book((await desk.slots('svc_flat')).at(-1))
    expect((await staff('bookings_refund', { booking_id: data.booking.id })).code).toBe('invalid_transition')
    await staff('bookings_cancel', { booking_id: data.booking.id })
  })

  test('[PAY-082] what was canceled and refunded whole leaves nothing to refund', async () => {
    const { id } = await paid('svc_late')
    await desk.cancel(id)
    expect((await read(id)).details.refunded).toBe(7000)
    const { data } = await staff('bookings_refund', { booking_id: id, amount: 5000 })
    expect(data.booking).toMatchObject({ status: 'canceled', payment: { status: 'refunded' } })
    expect((await staff('bookings_refund', { booking_id: id, amount: 1 })).code).toBe('validation_error')
  })

  test.each(['completed', 'no_show', 'canceled'])(
    '[PAY-082] a refund and a dispute leave a booking that is %s what it is',
    async (status) => {
      const { id } = await paid('svc_late')
      if (status === 'canceled') await desk.cancel(id)
      else await reach(id, status)
      const refunded = await staff('bookings_refund', { booking_id: id, amount: 1000 })
      expect(refunded.data.booking).toMatchObject({ status, payment: { status: 'partially_refunded' } })
      const disputed = await staff('bookings_dispute_open', { booking_id: id, reason: 'quality_issue' })
      expect(disputed.data.booking).toMatchObject({ status, dispute: { status: 'opened' } })
    },
  )

  test('what the business was paid completes the payment that a booking waits for, once', async () => {
    const slots = await desk.slots('svc_flat')
    const { data } = await desk.book(slots.at(-1))
    const { id, status } = data.booking
    expect(status).toBe('requires_action')
    const pay = () => staff('bookings_mark_paid', { booking_id: id, transaction_id: 'till 7, 104' })
    const first = await pay()
    expect(first.data.booking).toMatchObject({
      status: 'confirmed',
      payment: { status: 'paid', amount_due: 0, transaction_id: 'till 7, 104' },
    })
    const again = await pay()
    expect(again.code).toBe('already_confirmed')
    expect(again.data.booking).toEqual(first.data.booking)
    expect((await read(id)).details.collected).toBe(12000)
  })

  test('what was not paid in time cannot be paid any more', async () => {
    const { data } = await desk.book((await desk.slots('svc_flat')).at(-2))
    const { id } = data.booking
    const late = new Date(shop.time.now.getTime() + 24 * 3_600_000).toISOString()
    expect((await at(shop, late, () => staff('bookings_mark_paid', { booking_id: id }))).code).toBe('payment_expired')
    await staff('bookings_cancel', { booking_id: id })
  })

  test('a booking that waits for the business awaits no payment', async () => {
    const { data } = await desk.book((await desk.slots('svc_asked_paid'))[0])
    const said = await staff('bookings_mark_paid', { booking_id: data.booking.id })
    expect(said.code).toBe('invalid_transition')
  })
})
