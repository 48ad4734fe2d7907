import { afterEach, expect, test } from 'vitest'
import { buyer, onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { address, shopDefinition } from './shop.ts'

const recipient = { first_name: 'Tim', last_name: 'Williams', email: 'tim@example.com', phone_number: '+12125551234' }

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const booked = async (serviceId: string, more = {}) =>
      (await desk.book((await desk.slots(serviceId))[0], more)).data.booking

    test('[BKG-017] who does not say how many come comes alone', async () => {
      for (const id of ['svc_free', 'svc_class', 'svc_table']) expect((await booked(id)).party_size).toBe(1)
    })

    test('[BKG-023] people and notes come back as they were sent', async () => {
      const sent = { buyer: { ...buyer, phone_number: '+1 (212) 555-1234' }, recipient, notes: 'Ärmel kürzen 🪡' }
      const booking = await booked('svc_free', sent)
      expect(booking).toMatchObject(sent)
      expect((await desk.get(booking.id)).data.booking).toEqual(booking)
    })

    test('[BKG-023] who names no recipient has none', async () => {
      expect(await booked('svc_free')).not.toHaveProperty('recipient')
      expect(await booked('svc_free')).not.toHaveProperty('notes')
    })

    test.each(['svc_free', 'svc_hybrid'])('[BKG-024] a booking of %s says where it takes place', async (id) => {
      expect((await booked(id)).location).toEqual({ id: 'loc_main', name: 'Main Street' })
    })

    test('[BKG-025] where nobody comes to the business the booking names no place of it', async () => {
      expect(await booked('svc_phone')).not.toHaveProperty('location')
      expect(await booked('svc_visit', { delivery_address: address })).not.toHaveProperty('location')
    })

    test('[BKG-038] a booking tells when it was made, and a later time after each change, but not for being read', async () => {
      shop.time.now = new Date(START.getTime() + 123)
      const made = await booked('svc_asked')
      expect(new Date(made.created_at)).toEqual(shop.time.now)
      const slots = await desk.slots('svc_asked')
      // The clock stands still: even then each change is told to be later than the one before.
      const changes = [
        () => desk.update(made.id, { notes: 'A' }),
        () => desk.reschedule(made.id, slots[4]),
        () => desk.confirm(made.id),
        () => desk.update(made.id, { notes: 'B' }),
        () => desk.cancel(made.id),
      ]
      let last = made
      for (const change of changes) {
        const { booking } = (await change()).data
        expect(booking.created_at).toBe(made.created_at)
        expect(new Date(booking.updated_at).getTime()).toBeGreaterThan(new Date(last.updated_at).getTime())
        shop.minutesLater(1)
        expect((await desk.get(made.id)).data.booking).toEqual(booking)
        shop.minutesLater(-1)
        last = booking
      }
    })

    test('[BKG-039] the page of a booking stays where it is', async () => {
      const { id, booking_url } = await booked('svc_asked')
      const after = [
        await desk.get(id),
        await desk.update(id, { notes: 'A' }),
        await desk.confirm(id),
        await desk.cancel(id),
      ]
      expect(after.map(({ data }) => data.booking.booking_url)).toEqual(Array(4).fill(booking_url))
    })

    test('[BKG-040] a booking that waits for the business says until when, and no longer once it is answered', async () => {
      const { id, messages } = await booked('svc_asked')
      expect(messages).toEqual([
        { type: 'info', code: 'awaiting_approval', content: 'The business answers by 2026-11-21T07:00:00-05:00.' },
      ])
      expect((await desk.confirm(id)).data.booking).not.toHaveProperty('messages')
      const other = await booked('svc_asked')
      expect((await desk.cancel(other.id)).data.booking).not.toHaveProperty('messages')
      const third = await booked('svc_asked')
      shop.minutesLater(24 * 60)
      expect((await desk.get(third.id)).data.booking).not.toHaveProperty('messages')
    })
  },
)
