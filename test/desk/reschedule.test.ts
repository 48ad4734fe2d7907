import { expect, test } from 'vitest'
import { inStudio, tuesday, walkIn } from './studio.ts'

await inStudio((desk, staff) => {
  const move = (booking_id: string, more: Record<string, unknown>) =>
    staff('bookings_reschedule', { booking_id, ...more })
  const book = async (service: string, start: string, more = {}) => {
    const { data } = await staff('bookings_create', { service_id: service, start, buyer: walkIn, ...more })
    return data.booking
  }
  const changes = async (id: string) => (await staff('bookings_get', { booking_id: id })).data

  test('[BKG-121] moves by the staff are neither limited nor charged, and leave the buyer theirs', async () => {
    const slots = await desk.slots('svc_late')
    const { data } = await desk.book(slots[0])
    const { booking } = (await desk.pay(data.booking)).data
    for (const slot of [slots[4], slots[8], slots[12]]) {
      const moved = await move(booking.id, { slot_id: slot.id })
      expect(moved.data.booking).toMatchObject({
        id: booking.id,
        status: 'confirmed',
        slot: { id: slot.id },
        payment: { ...booking.payment },
      })
    }
    const { details, changes: list } = await changes(booking.id)
    expect(details.reschedules).toBe(0)
    expect(list.at(-1).detail).toEqual({ from: expect.any(String), to: expect.any(String), fee: 0, refund: 0 })
    // The one move that the terms allow is still the buyer's own, at its own price.
    const own = await desk.reschedule(booking.id, slots[16])
    expect(own.data.booking).toMatchObject({ status: 'requires_action', payment: { amount_due: 1500 } })
  })

  test('[BKG-121] the staff move what buyers may not move', async () => {
    const slots = await desk.slots('svc_paid')
    const { data } = await desk.book(slots[0])
    const { booking } = (await desk.pay(data.booking)).data
    expect((await desk.reschedule(booking.id, slots[6])).code).toBe('reschedule_not_allowed')
    expect((await move(booking.id, { start: slots[6].start })).data.booking.slot.start).toBe(slots[6].start)
  })

  test('it stays with whom it was, for as long as it was', async () => {
    const cut = await book('svc_cut', tuesday('13:00'), { resource_ids: ['staff_ben'] })
    const moved = await move(cut.id, { start: tuesday('13:20') })
    expect(moved.data.booking).toMatchObject({ slot: { start: tuesday('13:20') }, resources: [{ id: 'staff_ben' }] })
    const other = await move(cut.id, { start: tuesday('15:00'), resource_ids: ['staff_ann'] })
    expect(other.data.booking.resources).toMatchObject([{ id: 'staff_ann' }])
    expect((await changes(cut.id)).details).not.toHaveProperty('overridden')

    const ride = await book('svc_bike', tuesday('09:00'), { duration: 'PT3H' })
    const later = await move(ride.id, { start: tuesday('10:00') })
    expect(later.data.booking.slot).toMatchObject({ start: tuesday('10:00'), end: tuesday('13:00') })
  })

  test('what nobody chose is assigned anew', async () => {
    const first = await book('svc_room', tuesday('09:00'), { resource_ids: ['room_1'] })
    await book('svc_room', tuesday('11:00'), { resource_ids: ['room_1'] })
    const moved = await move(first.id, { start: tuesday('11:00') })
    expect(moved.data.booking.resources).toMatchObject([{ id: 'room_2' }])
  })

  test('rules are set aside by name, taken time is not, and a refused move leaves the booking where it was', async () => {
    const mine = await book('svc_cut', '2026-11-25T13:00:00-05:00', { resource_ids: ['staff_ben'] })
    const theirs = await book('svc_cut', '2026-11-25T15:00:00-05:00', { resource_ids: ['staff_ben'] })
    const early = { start: '2026-11-25T08:00:00-05:00' }
    expect((await move(mine.id, early)).code).toBe('validation_error')
    const override = ['hours', 'booking_window', 'capacity']
    expect((await move(mine.id, { start: theirs.slot.start, override })).code).toBe('slot_unavailable')
    expect((await changes(mine.id)).booking.slot).toEqual(mine.slot)
    const moved = await move(mine.id, { ...early, override })
    expect(moved.data.booking.slot.start).toBe(early.start)
    const { details, changes: list } = await changes(mine.id)
    expect(details.overridden).toEqual(['hours'])
    expect(list.at(-1)).toMatchObject({ action: 'reschedule', detail: { overridden: ['hours'], fee: 0, refund: 0 } })
  })
})
