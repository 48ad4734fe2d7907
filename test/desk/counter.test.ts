import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { at, inStudio, tuesday, walkIn } from './studio.ts'

await inStudio((desk, staff, shop) => {
  let day = 1
  /** By the staff, so that it stands although nothing was paid. */
  const made = async (service_id: string) => {
    const start = `2026-12-${String(day++).padStart(2, '0')}T10:00:00-05:00`
    const wish = { service_id, start, buyer: walkIn, override: ['hours', 'booking_window'] }
    return (await staff('bookings_create', wish)).data.booking
  }
  const booked = async (service: string) => (await desk.book((await desk.slots(service))[day++])).data.booking
  const take = (id: string, what: object = {}) => staff('bookings_mark_paid', { booking_id: id, ...what })
  const read = async (id: string) => (await staff('bookings_get', { booking_id: id })).data

  test('[money at the counter] part of what is due leaves the rest due, by whatever way each is paid', async () => {
    const { id } = await made('svc_flat')
    const first = await take(id, { amount: 4000, kind: 'card', transaction_id: 'slip 1' })
    expect(first.data.booking.payment).toMatchObject({ status: 'deposit_paid', amount_due: 8000, amount_paid: 4000 })
    const message = 'At most 8000 is to be paid, which is $80.00. Enter anything beyond that as a tip.'
    const tooMuch = { code: 'validation_error', errors: [{ field: 'amount', message }] }
    expect((await take(id, { amount: 8001 })).data).toMatchObject(tooMuch)
    const rest = await take(id, { kind: 'cash' })
    expect(rest.data.booking.payment).toMatchObject({ status: 'paid', amount_due: 0, amount_paid: 12000 })
    expect((await read(id)).payments).toEqual([
      expect.objectContaining({ amount: 4000, kind: 'card', transaction_id: 'slip 1', source: 'staff' }),
      expect.objectContaining({ amount: 8000, kind: 'cash' }),
    ])
    expect((await take(id)).code).toBe('already_confirmed')
    expect((await take(id, { amount: 1 })).code).toBe('invalid_transition')
  })

  test('[money at the counter] what is paid on the spot is paid there, in one sum or by and by', async () => {
    const { id, payment } = await made('svc_counter')
    expect(payment).toMatchObject({ status: 'not_required', amount_due: 0 })
    expect((await read(id)).details).toMatchObject({ to_pay: 12000, currency: 'USD' })
    expect((await take(id, { amount: 5000, kind: 'voucher' })).data.booking.payment.status).toBe('deposit_paid')
    expect((await read(id)).details.to_pay).toBe(7000)
    expect((await take(id)).data.booking.payment).toMatchObject({ status: 'paid', amount_paid: 12000 })
    expect((await take(id)).code).toBe('already_confirmed')
    const { booking } = (await staff('bookings_cancel', { booking_id: id })).data
    expect(booking).toMatchObject({ cancellation: { refund_amount: 12000 }, payment: { status: 'refunded' } })
  })

  test('[money at the counter] the rest beside a deposit is taken when it is said, so that a retry takes none', async () => {
    const { id } = await made('svc_kept')
    expect((await take(id)).data.booking.payment).toMatchObject({ status: 'deposit_paid', amount_paid: 3000 })
    expect((await take(id)).code).toBe('already_confirmed')
    expect((await read(id)).details.to_pay).toBe(9000)
    const whole = await take(id, { amount: 9000, kind: 'transfer' })
    expect(whole.data.booking.payment).toMatchObject({ status: 'paid', amount_due: 0, amount_paid: 12000 })
    const other = await made('svc_kept')
    const atOnce = await take(other.id, { amount: 12000 })
    expect(atOnce.data.booking.payment).toMatchObject({ status: 'paid', amount_due: 0, amount_paid: 12000 })
  })

  test('[money at the counter] a booking that waits for its payment stands once the staff took part of it', async () => {
    const { id, status } = await booked('svc_late')
    expect(status).toBe('requires_action')
    const { booking } = (await take(id, { amount: 2000, kind: 'cash' })).data
    expect(booking).toMatchObject({ status: 'confirmed', payment: { status: 'deposit_paid', amount_due: 10000 } })
    const seen = (await desk.get(id)).data.booking
    expect(seen.payment.transactions).toHaveLength(1)
    await staff('bookings_cancel', { booking_id: id })
  })

  test('[a tip is no revenue] it pays nothing that is due, goes back with nothing, and no platform hears of it', async () => {
    const { id } = await booked('svc_late')
    const { booking } = (await take(id, { tip: 1500, kind: 'cash' })).data
    expect(booking.payment).toMatchObject({ status: 'paid', amount_paid: 12000, amount_due: 0 })
    const before = (await desk.get(id)).data.booking
    expect((await take(id, { amount: 0, tip: 500, kind: 'card' })).data.booking).toEqual(booking)
    expect((await desk.get(id)).data.booking).toEqual(before)
    expect(JSON.stringify(before)).not.toContain('tip')
    expect((await staff('bookings_refund', { booking_id: id, amount: 12001 })).code).toBe('validation_error')
    const back = (await staff('bookings_cancel', { booking_id: id })).data.booking
    expect(back.payment).toMatchObject({ status: 'refunded', refund_total: 12000 })
    expect((await read(id)).payments).toEqual([
      expect.objectContaining({ amount: 12000, tip: 1500, kind: 'cash' }),
      expect.objectContaining({ amount: 0, tip: 500, kind: 'card', purpose: 'tip', refunds: [] }),
    ])
    expect((await read(id)).changes).toContainEqual(
      expect.objectContaining({ action: 'take_tip', detail: { tip: 500 } }),
    )
    expect((await take(id, { tip: 100 })).code).toBe('invalid_transition')
  })

  test('[a tip is no revenue] also where nothing is to be paid', async () => {
    const { booking } = (
      await staff('bookings_create', { service_id: 'svc_table', start: tuesday('12:00'), buyer: walkIn, party_size: 2 })
    ).data
    expect((await take(booking.id)).code).toBe('invalid_transition')
    expect((await take(booking.id, { amount: 0 })).code).toBe('invalid_transition')
    expect((await take(booking.id, { tip: 300, kind: 'cash' })).data.booking).toEqual(booking)
    expect((await read(booking.id)).payments).toEqual([
      expect.objectContaining({ amount: 0, tip: 300, currency: 'USD' }),
    ])
  })

  test('[money at the counter] of a fee some can be paid, and the rest stays owed', async () => {
    const { id, slot } = await made('svc_flat')
    await at(shop, slot.end, () => staff('bookings_no_show', { booking_id: id }))
    const part = (await take(id, { amount: 500, kind: 'cash' })).data.booking
    expect(part).toMatchObject({ no_show: { amount_due: 1500 }, payment: { amount_due: 1500 } })
    expect((await take(id)).data.booking.no_show.amount_due).toBe(0)
    expect((await take(id)).code).toBe('already_confirmed')
  })

  test('[money at the counter] what goes back leaves due what is due', async () => {
    const { id } = await made('svc_flat')
    await take(id, { amount: 4000, kind: 'card' })
    const { payment } = (await staff('bookings_refund', { booking_id: id, amount: 4000 })).data.booking
    expect(payment).toMatchObject({ status: 'pending', amount_due: 8000, refund_total: 4000 })
  })

  test('[money at the counter] what was paid on the spot moves along, and what has become dearer is due there', async () => {
    const { id } = await booked('svc_counter')
    await take(id, { kind: 'cash' })
    const other = (await desk.slots('svc_counter')).at(-1)
    const { booking } = (await desk.reschedule(id, other)).data
    expect(booking).toMatchObject({
      status: 'confirmed',
      payment: { status: 'paid', amount_paid: 12000, amount_due: 0 },
    })
  })

  test('[money at the counter] no money is missing', async () => {
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
  })
})
