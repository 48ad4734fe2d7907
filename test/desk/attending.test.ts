import { describe, expect, test } from 'vitest'
import { confirmAttendance } from '../../src/domain/bookings/confirm-attendance.ts'
import { inStudio } from './studio.ts'

describe('[the staff see who has confirmed to come]', async () => {
  await inStudio((desk, staff, shop) => {
    const attend = (id: string) => shop.runtime.makeChange((tx) => confirmAttendance(tx, id, shop.time.now))

    test('in the day, in the booking and in its history, until the booking moves or ends', async () => {
      const slots = await desk.slots('svc_cut', { resource_id: 'staff_ann' })
      const { id, slot } = (await desk.book(slots[0])).data.booking
      const ofDay = async () => {
        const { data } = await staff('day', { date: slot.start.slice(0, 10) })
        return data.bookings.find((one: { id: string }) => one.id === id)
      }
      const ofPerson = async () => {
        const { data } = await staff('resources_day', { resource_id: 'staff_ann', date: slot.start.slice(0, 10) })
        return data.bookings.find((one: { id: string }) => one.id === id)
      }
      const read = async () => (await staff('bookings_get', { booking_id: id })).data
      expect(await ofDay()).not.toHaveProperty('attending')
      expect((await read()).details).not.toHaveProperty('attending_since')

      await attend(id)
      expect([(await ofDay()).attending, (await ofPerson()).attending]).toEqual([true, true])
      const { details, changes } = await read()
      expect(Date.parse(details.attending_since)).toBe(shop.time.now.getTime())
      expect(changes.at(-1)).toMatchObject({ action: 'attend', actor: 'buyer', from: 'confirmed', to: 'confirmed' })

      await staff('bookings_reschedule', { booking_id: id, slot_id: slots[4].id })
      expect(await ofDay()).not.toHaveProperty('attending')
      await attend(id)
      expect((await ofDay()).attending).toBe(true)
      await desk.cancel(id)
      expect((await read()).details).not.toHaveProperty('attending_since')
    })

    test('in the class, by booking', async () => {
      const [slot] = await desk.slots('svc_class')
      const book = async () => {
        const { booking } = (await desk.book(slot)).data
        await staff('bookings_mark_paid', { booking_id: booking.id })
        return booking.id
      }
      const [first, second] = [await book(), await book()]
      const { session_id } = (await staff('bookings_get', { booking_id: first })).data.details
      const attending = async () => (await staff('sessions_get', { session_id })).data.attending
      expect(await attending()).toBeUndefined()
      await attend(second)
      expect(await attending()).toEqual([second])
      await desk.cancel(second)
      expect(await attending()).toBeUndefined()
    })
  })
})
