import { expect, test } from 'vitest'
import { at, inStudio } from './studio.ts'

await inStudio((desk, staff, shop) => {
  let nth = 0
  const paid = async (serviceId: string) => {
    const { data } = await desk.book((await desk.slots(serviceId))[nth++])
    return (await desk.pay(data.booking)).data.booking
  }
  const read = async (id: string) => (await staff('bookings_get', { booking_id: id })).data
  const inDecember = <T>(work: () => Promise<T>) => at(shop, '2026-12-05T12:00:00Z', work)

  test('[PAY-075] [PAY-076] [PAY-077] [PAY-078] [PAY-079] [PAY-081] a dispute that the business wins', async () => {
    const { id } = await paid('svc_paid')
    const open = () => staff('bookings_dispute_open', { booking_id: id, reason: 'service_not_provided' })
    const opened = (await open()).data.booking
    expect(opened.payment.status).toBe('paid')
    expect(opened.dispute).toEqual({
      status: 'opened',
      reason: 'service_not_provided',
      opened_at: '2026-11-20T07:00:00.000-05:00',
    })
    expect((await open()).code).toBe('invalid_transition')

    const review = await staff('bookings_dispute_review', { booking_id: id })
    expect(review.data.booking.dispute).toEqual({ ...opened.dispute, status: 'under_review' })
    expect((await staff('bookings_dispute_review', { booking_id: id })).code).toBe('invalid_transition')

    const decide = (in_favor_of: string) =>
      inDecember(() => staff('bookings_dispute_resolve', { booking_id: id, in_favor_of }))
    const decided = (await decide('business')).data.booking
    expect(decided.payment).toEqual(opened.payment)
    expect(decided.dispute).toEqual({
      ...opened.dispute,
      status: 'resolved_business',
      resolved_at: '2026-12-05T07:00:00.000-05:00',
    })
    for (const again of [open, () => decide('buyer'), () => staff('bookings_dispute_review', { booking_id: id })])
      expect((await again()).code).toBe('invalid_transition')
    const { booking } = await read(id)
    expect([booking.dispute, booking.payment]).toEqual([decided.dispute, opened.payment])
  })

  test.each([
    [undefined, 'refunded'],
    [5000, 'partially_refunded'],
    [0, 'paid'],
  ])('[PAY-080] [PAY-078] [PAY-081] a dispute that the buyer wins gives back %s', async (refund_amount, status) => {
    const { id } = await paid('svc_paid')
    await staff('bookings_dispute_open', { booking_id: id, reason: 'unauthorized' })
    const resolve = (amount: number | undefined) =>
      staff('bookings_dispute_resolve', {
        booking_id: id,
        in_favor_of: 'buyer',
        ...(amount !== undefined && { refund_amount: amount }),
      })
    expect((await resolve(12_001)).code).toBe('validation_error')
    const { dispute, payment } = (await resolve(refund_amount)).data.booking
    expect([dispute.status, payment.status]).toEqual(['resolved_buyer', status])
    expect(Date.parse(dispute.resolved_at)).toBe(shop.time.now.getTime())
    const again = await staff('bookings_dispute_open', { booking_id: id, reason: 'duplicate' })
    expect(again.code).toBe('invalid_transition')
    expect((await read(id)).booking.dispute).toEqual(dispute)
  })

  test('[PAY-077] what was not paid or not disputed cannot be disputed or decided', async () => {
    const { data } = await desk.book((await desk.slots('svc_cut'))[0])
    const { id } = data.booking
    for (const [what, more] of [
      ['dispute_open', { reason: 'duplicate' }],
      ['dispute_review', {}],
      ['dispute_resolve', { in_favor_of: 'buyer' }],
    ] as const)
      expect((await staff(`bookings_${what}`, { booking_id: id, ...more })).code).toBe('invalid_transition')
    const wrong = await staff('bookings_dispute_resolve', { booking_id: id, in_favor_of: 'both' })
    expect(wrong.code).toBe('validation_error')
    expect((await read(id)).booking).not.toHaveProperty('dispute')
  })
})
