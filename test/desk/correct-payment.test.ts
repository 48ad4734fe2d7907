import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { at, inStudio, walkIn } from './studio.ts'

interface Entry {
  id: string
  amount: number
  kind: string
  reverses?: string
}

await inStudio((desk, staff, shop) => {
  let day = 1
  /** By the staff, so that it stands although nothing was paid. */
  const made = async (service_id: string) => {
    const start = `2026-12-${String(day++).padStart(2, '0')}T10:00:00-05:00`
    const wish = { service_id, start, buyer: walkIn, override: ['hours', 'booking_window'] }
    return (await staff('bookings_create', wish)).data.booking.id as string
  }
  const take = (id: string, what: object = {}) => staff('bookings_mark_paid', { booking_id: id, ...what })
  const read = async (id: string) => (await staff('bookings_get', { booking_id: id })).data
  const entries = async (id: string): Promise<Entry[]> => (await read(id)).payments
  const correct = (id: string, payment_id: string | undefined, what: object) =>
    staff('bookings_payment_correct', { booking_id: id, payment_id, ...what })
  const correctLast = async (id: string, what: object) => correct(id, (await entries(id)).at(-1)?.id, what)

  test('[LIV-047] amounts may be decimal strings, within the same bounds as numbers', async () => {
    const id = await made('svc_flat')
    const paid = await take(id, { amount: '12000', tip: '300', kind: 'cash' })
    expect(paid.data.booking.payment).toMatchObject({ amount_paid: 12000 })
    const [entry] = await entries(id)
    expect(entry).toMatchObject({ amount: 12000, tip: 300 })
    for (const wrong of [{ amount: '-1' }, { amount: '120.00' }, { amount: '9'.repeat(400) }, { tip: '9'.repeat(15) }])
      expect((await correct(id, entry?.id, wrong)).code).toBe('validation_error')
    for (const wrong of ['0', '-5'])
      expect((await staff('bookings_refund', { booking_id: id, amount: wrong })).code).toBe('validation_error')
    expect(await entries(id)).toEqual([entry])
  })

  test('[the books lose no line] what was entered wrong stays, is taken back, and comes in again as it was', async () => {
    const id = await made('svc_flat')
    const paid = (await take(id, { amount: 12000, tip: 300, kind: 'cash', transaction_id: 'slip 1' })).data.booking
    const [wrong] = await entries(id)
    const { booking } = (await correct(id, wrong?.id, { kind: 'card', transaction_id: 'slip 2' })).data
    expect(booking.payment).toEqual({
      ...paid.payment,
      transaction_id: 'slip 2',
      transactions: [{ ...paid.payment.transactions[0], transaction_id: 'slip 2' }],
    })
    const all = await entries(id)
    expect(all).toEqual([
      { ...wrong, correctable: undefined },
      expect.objectContaining({ amount: -12000, tip: -300, kind: 'cash', reverses: wrong?.id }),
      expect.objectContaining({ amount: 12000, tip: 300, kind: 'card', transaction_id: 'slip 2', correctable: true }),
    ])
    const { changes } = await read(id)
    expect(changes.at(-1)).toMatchObject({
      action: 'correct_payment',
      actor: expect.stringMatching(/^staff:/),
      detail: { payment: wrong?.id, by: all[2]?.id, from: { kind: 'cash' }, to: { kind: 'card' } },
    })
    for (const again of [wrong?.id, all[1]?.id])
      expect((await correct(id, again, { kind: 'voucher' })).code).toBe('invalid_transition')
    expect((await correct(id, all[2]?.id, { kind: 'voucher' })).data.booking.payment).toEqual(booking.payment)
  })

  test('[the books lose no line] takings show it on the day of the correction, for whoever took it', async () => {
    const id = await made('svc_flat')
    await at(shop, '2026-11-24T15:00:00Z', () => take(id, { amount: 12000, tip: 100, kind: 'cash' }))
    await at(shop, '2026-11-26T15:00:00Z', () => correctLast(id, { kind: 'card', tip: 0 }))
    const { takings } = (await staff('takings', { start_date: '2026-11-24', end_date: '2026-11-26' })).data
    const same = { currency: 'USD', refunded: 0, taken_by: expect.any(String), name: expect.any(String) }
    expect(takings).toEqual([
      { ...same, date: '2026-11-24', kind: 'cash', payments: 1, amount: 12000, tips: 100 },
      { ...same, date: '2026-11-26', kind: 'card', payments: 1, amount: 12000, tips: 0 },
      { ...same, date: '2026-11-26', kind: 'cash', payments: -1, amount: -12000, tips: -100 },
    ])
  })

  test.each([
    ['svc_flat', 12000, { amount: 5000 }, { status: 'deposit_paid', amount_paid: 5000, amount_due: 7000 }, 7000],
    ['svc_flat', 5000, { amount: 12000 }, { status: 'paid', amount_paid: 12000, amount_due: 0 }, 0],
    ['svc_counter', 12000, { amount: 5000 }, { status: 'deposit_paid', amount_paid: 5000 }, 7000],
    ['svc_counter', 5000, { amount: 0 }, { status: 'not_required', amount_due: 0 }, 12000],
    ['svc_kept', 3000, { amount: 12000 }, { status: 'paid', amount_paid: 12000, amount_due: 0 }, 0],
    ['svc_kept', 12000, { amount: 3000 }, { status: 'deposit_paid', amount_paid: 3000, amount_due: 0 }, 9000],
    ['svc_kept', 3000, { amount: 0 }, { status: 'pending', amount_due: 3000 }, 12000],
  ])('[the books lose no line] %s: %i was really %j', async (service, amount, what, payment, to_pay) => {
    const id = await made(service)
    await take(id, { amount, kind: 'cash' })
    expect((await correctLast(id, what)).data.booking.payment).toMatchObject(payment)
    expect((await read(id)).details.to_pay).toBe(to_pay)
    const sum = (await entries(id)).reduce((all, one) => all + one.amount, 0)
    expect(sum).toBe(what.amount)
  })

  test('more than was to be paid is none of it, and a tip alone is no price', async () => {
    const id = await made('svc_flat')
    await take(id, { amount: 5000, kind: 'cash' })
    const refused = await correctLast(id, { amount: 12001 })
    expect(refused.code).toBe('validation_error')
    expect(refused.data.errors).toEqual([{ field: 'amount', message: expect.stringContaining('At most 12000') }])
    await take(id, { amount: 0, tip: 500, kind: 'card' })
    expect((await correctLast(id, { amount: 100 })).code).toBe('validation_error')
    const before = (await read(id)).booking
    expect((await correctLast(id, { tip: 700 })).data.booking).toEqual(before)
    expect((await entries(id)).map(({ amount }) => amount)).toEqual([5000, 0, 0, 0])
    // As it was: nothing is written.
    await correctLast(id, { tip: 700, kind: 'card' })
    expect(await entries(id)).toHaveLength(4)
  })

  test('a transaction id alone is corrected, and writes nothing where it is the same', async () => {
    const id = await made('svc_flat')
    await take(id, { amount: 5000, kind: 'card' })
    await correctLast(id, { transaction_id: 'slip 3' })
    const corrected = await entries(id)
    expect(corrected).toHaveLength(3)
    expect(corrected.at(-1)).toMatchObject({ amount: 5000, kind: 'card', transaction_id: 'slip 3' })
    await correctLast(id, { kind: 'card' })
    await correctLast(id, { transaction_id: 'slip 3' })
    expect(await entries(id)).toEqual(corrected)
  })

  test('the fee of somebody who did not come is owed again, or less of it', async () => {
    const id = await made('svc_flat')
    const { start } = (await read(id)).booking.slot
    await at(shop, new Date(Date.parse(start) + 3_600_000).toISOString(), async () => {
      await staff('bookings_no_show', { booking_id: id })
      await take(id, { kind: 'cash' })
      expect((await read(id)).booking.no_show.amount_due).toBe(0)
      const { booking } = (await correctLast(id, { amount: 500 })).data
      expect(booking.no_show.amount_due).toBe(1500)
      expect((await correctLast(id, { amount: 2001 })).code).toBe('validation_error')
      expect((await correctLast(id, { amount: 0 })).data.booking.no_show.amount_due).toBe(2000)
    })
  })

  test('what a platform reported, what went back, and what is of another booking is not corrected', async () => {
    const slot = (await desk.slots('svc_flat')).at(-1)
    const { booking } = (await desk.pay((await desk.book(slot)).data.booking)).data
    expect((await correctLast(booking.id, { kind: 'cash' })).code).toBe('invalid_transition')
    const id = await made('svc_flat')
    await take(id, { amount: 12000, kind: 'cash' })
    const [payment] = await entries(id)
    expect((await correct(booking.id, payment?.id, { kind: 'card' })).code).toBe('not_found')
    await staff('bookings_refund', { booking_id: id, amount: 1 })
    expect((await correctLast(id, { kind: 'card' })).code).toBe('invalid_transition')
  })

  test('after a correction money goes back as what it really was', async () => {
    const id = await made('svc_flat')
    await take(id, { kind: 'cash' })
    await correctLast(id, { kind: 'card' })
    await staff('bookings_cancel', { booking_id: id })
    const all = (await read(id)).payments
    expect(all.map(({ refunds }: { refunds: object[] }) => refunds.length)).toEqual([0, 0, 1])
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
  })
})
