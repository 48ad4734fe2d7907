import { afterEach, expect, test } from 'vitest'
import { onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tillDefinition } from './till.ts'

await onBothDesks(
  () => testShop(tillDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const booked = async (serviceId: string, more: object = {}) =>
      (await desk.book((await desk.slots(serviceId))[0], { ...more })).data.booking
    const current = async ({ id }: { id: string }) => (await desk.get(id)).data.booking
    const signatures = {
      accepted: true,
      waiver: true,
      waiver_accepted: true,
      acceptances: [{ type: 'waiver', accepted: true }],
      actions: [{ type: 'waiver', status: 'completed' }],
    }

    test('[LIV-052] no member of a request stands in for the acceptance of the buyer', async () => {
      const booking = await booked('svc_signed_spot', signatures)
      expect(booking).toMatchObject({ status: 'requires_action', actions: [{ type: 'waiver', status: 'pending' }] })
      const updated = (await desk.update(booking.id, { notes: 'A', ...signatures })).data.booking
      expect(updated).toMatchObject({ status: 'requires_action', actions: [{ type: 'waiver', status: 'pending' }] })
      expect((await desk.confirm(booking.id, signatures)).code).toBe('invalid_transition')
      expect((await current(booking)).status).toBe('requires_action')
    })

    test('[LIV-052] only the staff, who answer for it, book without the acceptance of the buyer', async () => {
      const [slot] = await desk.slots('svc_signed_spot')
      const wish = { service_id: 'svc_signed_spot', slot_id: slot.id, buyer: { first_name: 'Jo' } }
      expect((await desk.call('usp_business_bookings_create', wish)).data.booking).toBeUndefined()
      const { booking } = (await desk.call('usp_business_bookings_create', wish, { as: shop.staff })).data
      expect(booking.status).toBe('confirmed')
      await desk.call('usp_business_bookings_cancel', { booking_id: booking.id }, { as: shop.staff })
    })

    test('[LIV-052] nor does the payment', async () => {
      const booking = await booked('svc_signed')
      const paid = (await desk.pay(booking, { accepted: true })).data.booking
      expect([paid.status, paid.payment.status]).toEqual(['requires_action', 'paid'])
    })

    test.each([
      ['svc_asked', 'pending', 'manual'],
      ['svc_paid', 'requires_action', 'auto'],
      ['svc_free', 'confirmed', 'auto'],
    ])('[LIV-071] [LIV-073] %s: a booking that is %s has the mode %s', async (id, status, confirmation_mode) => {
      const booking = await booked(id)
      expect(booking).toMatchObject({ status, confirmation_mode })
      expect('expires_at' in booking).toBe(status !== 'confirmed')
      expect((await desk.cancel(booking.id)).data.booking.confirmation_mode).toBe(confirmation_mode)
    })

    test.each(['svc_asked', 'svc_paid'])(
      '[LIV-073] at its end a booking of %s frees its slot and stays readable',
      async (id) => {
        const booking = await booked(id)
        shop.time.now = new Date(booking.expires_at)
        expect((await desk.slots(id)).map((slot) => slot.id)).toContain(booking.slot.id)
        expect((await desk.book({ ...booking.slot, service_id: id }, {}, { as: shop.other })).status).toBeLessThan(202)
        expect(await current(booking)).toMatchObject({ id: booking.id, status: 'canceled' })
      },
    )

    test('[LIV-074] each action has the deadline that the booking has', async () => {
      const booking = await booked('svc_signed')
      expect(booking.actions.map(({ expires_at }: { expires_at: string }) => expires_at)).toEqual([
        booking.expires_at,
        booking.expires_at,
      ])
    })

    test('[LIV-077] a refused move leaves the hold that came with it', async () => {
      const [, , other, held] = await desk.slots('svc_free')
      const booking = await booked('svc_free')
      const { hold } = (await desk.hold(held)).data
      expect((await desk.reschedule(booking.id, other, { hold_id: hold.id })).code).toBe('validation_error')
      await desk.cancel(booking.id)
      expect((await desk.reschedule(booking.id, held, { hold_id: hold.id })).code).toBe('invalid_transition')
      expect((await desk.book(held, {}, { as: shop.other })).code).toBe('slot_unavailable')
      expect((await desk.book(held, { hold_id: hold.id })).data.booking.status).toBe('confirmed')
    })

    test('[LIV-078] the instant of a cancellation is the same at every reading', async () => {
      const [asked, free] = [await booked('svc_asked'), await booked('svc_free')]
      const { canceled_at } = (await desk.cancel(free.id)).data.booking.cancellation
      shop.time.now = new Date(Date.parse(asked.expires_at) + 60_000)
      const first = await current(asked)
      for (let hour = 0; hour < 3; hour++) {
        shop.minutesLater(60)
        expect((await current(free)).cancellation).toMatchObject({ canceled_by: 'buyer', canceled_at })
        expect((await current(asked)).cancellation).toEqual(first.cancellation)
      }
      expect(first.cancellation).toMatchObject({
        canceled_by: 'system',
        canceled_at: asked.expires_at.replace(/:00-/, ':00.000-'),
      })
    })
  },
)
