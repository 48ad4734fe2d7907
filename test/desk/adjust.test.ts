import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { at, inStudio, tuesday, walkIn } from './studio.ts'

await inStudio((desk, staff, shop) => {
  const adjust = (booking_id: string, end: string) => staff('bookings_adjust', { booking_id, end })
  /** A cut with Ann that has begun. After each she needs a quarter of an hour. */
  const begun = async (start: string) => {
    const wish = { service_id: 'svc_cut', start, resource_ids: ['staff_ann'], buyer: walkIn, override: ['hours'] }
    const { booking } = (await staff('bookings_create', wish)).data
    return (await staff('bookings_start', { booking_id: booking.id })).data.booking
  }
  const isFree = async (start: string) =>
    (await desk.slots('svc_cut', { resource_ids: ['staff_ann'] })).some((slot) => slot.start === start)

  test('what has begun may take longer, and then its time is taken; shorter, and it is free', async () => {
    const booking = await begun(tuesday('09:00'))
    expect(await isFree(tuesday('10:30'))).toBe(true)
    const longer = await adjust(booking.id, tuesday('10:45'))
    expect(longer.data.booking).toMatchObject({
      status: 'in_progress',
      slot: { id: booking.slot.id, start: tuesday('09:00'), end: tuesday('10:45') },
    })
    expect(longer.data.booking.revision).not.toBe(booking.revision)
    expect([await isFree(tuesday('10:30')), await isFree(tuesday('11:00'))]).toEqual([false, true])
    await adjust(booking.id, tuesday('10:15'))
    expect(await isFree(tuesday('10:30'))).toBe(true)
    const { changes } = (await staff('bookings_get', { booking_id: booking.id })).data
    expect(changes.at(-1)).toMatchObject({
      actor: expect.stringMatching(/^staff:/),
      action: 'adjust',
      from: 'in_progress',
      to: 'in_progress',
    })
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
    await staff('bookings_complete', { booking_id: booking.id })
  })

  test('not into time that is taken, nor what is kept free before it', async () => {
    const booking = await begun(tuesday('12:00'))
    await staff('blocks_create', { resource_id: 'staff_ann', start: tuesday('14:00'), end: tuesday('15:00') })
    const refused = await adjust(booking.id, tuesday('13:50'))
    expect(refused.code).toBe('slot_unavailable')
    expect(refused.data.messages[0].taken_by).toMatchObject([{ kind: 'block', start: tuesday('14:00') }])
    expect((await staff('bookings_get', { booking_id: booking.id })).data.booking).toEqual(booking)
    expect((await adjust(booking.id, tuesday('13:45'))).data.booking.slot.end).toBe(tuesday('13:45'))
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
    await staff('bookings_complete', { booking_id: booking.id })
  })

  test('the same end changes nothing', async () => {
    const booking = await begun(tuesday('16:00'))
    expect((await adjust(booking.id, booking.slot.end)).data.booking.revision).toBe(booking.revision)
    for (const end of [booking.slot.start, tuesday('15:00')])
      expect((await adjust(booking.id, end)).code).toBe('validation_error')
    const late = await at(shop, tuesday('16:50'), () => adjust(booking.id, tuesday('16:45')))
    expect(late.code).toBe('validation_error')
    await staff('bookings_complete', { booking_id: booking.id })
    expect((await adjust(booking.id, tuesday('17:30'))).code).toBe('invalid_transition')
  })

  test('what has not begun, too, and keeps that length wherever it is moved', async () => {
    const { booking } = (await desk.book((await desk.slots('svc_cut', { start_date: '2026-11-25' }))[0])).data
    const on = (time: string) => tuesday(time).replace('-24T', '-25T')
    const { data } = await adjust(booking.id, on('10:45'))
    expect(data.booking).toMatchObject({ status: 'confirmed', slot: { start: on('09:00'), end: on('10:45') } })
    expect(data.booking.slot.id).not.toBe(booking.slot.id)
    const moved = await staff('bookings_reschedule', { booking_id: booking.id, start: on('13:00') })
    expect(moved.data.booking.slot).toMatchObject({ start: on('13:00'), end: on('14:45') })
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
    await staff('bookings_cancel', { booking_id: booking.id })
    expect((await adjust(booking.id, on('17:30'))).code).toBe('invalid_transition')
  })

  test('[no stored value stalls the server] not for years', async () => {
    const { id } = await begun(tuesday('19:00'))
    const refused = await adjust(id, '2199-12-31T10:00:00Z')
    expect(refused.code).toBe('validation_error')
    expect(refused.data.errors).toEqual([{ field: 'end', message: 'It can last at most 400 days.' }])
  })

  test('a class ends for all who take part in it', async () => {
    const wish = { service_id: 'svc_class', start: tuesday('16:00'), buyer: walkIn }
    const part = (await staff('bookings_create', wish)).data.booking
    expect((await adjust(part.id, tuesday('17:30'))).code).toBe('invalid_transition')
  })
})
