import { expect, test } from 'vitest'
import { referenceOf } from '../../src/domain/bookings/booking-response.ts'
import { buyer } from '../support/desk.ts'
import { inStudio } from './studio.ts'

await inStudio((desk, staff, shop) => {
  const booked = async (service: string, more = {}): Promise<{ id: string }> =>
    (await desk.book((await desk.slots(service))[0], more)).data.booking

  test.each([
    ['as it is shown', (reference: string) => reference],
    ['in lower case, in one piece', (reference: string) => reference.toLowerCase().replace('-', '')],
  ])('[a reference names a booking] to the staff, %s', async (_, written) => {
    const { id } = await booked('svc_paid')
    const booking_id = written(referenceOf({ id }))
    expect((await staff('bookings_get', { booking_id })).data.booking.id).toBe(id)
    expect((await staff('bookings_mark_paid', { booking_id })).data.booking).toMatchObject({ id, status: 'confirmed' })
    expect((await staff('bookings_changes', { booking_id })).data.changes).toHaveLength(2)
    const asked = await booked('svc_asked')
    expect((await desk.confirm(referenceOf(asked))).data.booking).toMatchObject({ id: asked.id, status: 'confirmed' })
  })

  test('[a reference names a booking] to nobody else', async () => {
    const { id } = await booked('svc_cut')
    const answers = [await desk.get(referenceOf({ id })), await desk.cancel(referenceOf({ id }))]
    expect(answers.map(({ code }) => code)).toEqual(['booking_not_found', 'booking_not_found'])
    expect((await desk.get(id)).data.booking.status).toBe('confirmed')
  })

  test('[a reference names a booking] that nobody takes the place of by its name', async () => {
    const { id } = await booked('svc_cut')
    const reference = referenceOf({ id })
    const other = await booked('svc_cut', { buyer: { ...buyer, last_name: reference } })
    expect((await staff('bookings_get', { booking_id: reference })).data.booking.id).toBe(id)
    await staff('bookings_cancel', { booking_id: referenceOf(other) })
    const statuses = [id, other.id].map(async (one) => (await desk.get(one)).data.booking.status)
    expect(await Promise.all(statuses)).toEqual(['confirmed', 'canceled'])
  })

  test('[a reference names a booking] or none', async () => {
    expect((await staff('bookings_get', { booking_id: 'BBBB-BBBB' })).code).toBe('booking_not_found')
  })

  test('[a reference names a booking] unless two have the same', async () => {
    const [one, other] = ['bkg_130180', 'bkg_256769']
    expect(referenceOf({ id: one })).toBe(referenceOf({ id: other }))
    const { db } = shop.runtime
    const made = [await booked('svc_cut'), await booked('svc_cut')]
    for (const [index, id] of [one, other].entries())
      await db
        .updateTable('bookings')
        .set({ id, search_text: `alice ${referenceOf({ id }).toLowerCase()}` })
        .where('id', '=', made[index]?.id ?? '')
        .execute()
    expect((await staff('bookings_get', { booking_id: referenceOf({ id: one }) })).code).toBe('booking_not_found')
    expect((await staff('bookings_get', { booking_id: other })).data.booking.id).toBe(other)
  })
})
