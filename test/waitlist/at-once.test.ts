import { expect, test } from 'vitest'
import { type Desk, onBothDesks, type Shop, testShop } from '../support/desk.ts'
import { salon } from './doors.ts'
import { person } from './queue.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
type Told = any

interface Case {
  what: string
  services: string[]
  /** How the booking ends, and for what ends by the clock how many minutes that takes. */
  end: ((desk: Desk, booking: Told, elsewhere: Told) => Promise<unknown>) | number
}

const shared = ['svc_class', 'svc_chair', 'svc_picked']
const cases: Case[] = [
  { what: 'is canceled', services: shared, end: (desk, { id }) => desk.cancel(id) },
  {
    what: 'is rescheduled away',
    services: shared,
    end: (desk, { id }, elsewhere) => desk.reschedule(id, elsewhere),
  },
  { what: 'expires unpaid', services: ['svc_paid_class', 'svc_paid_chair'], end: 15 },
  { what: 'expires without approval', services: ['svc_asked'], end: 24 * 60 },
]
const each = cases.flatMap(({ services, ...one }) => services.map((service) => ({ ...one, service })))

/** Neither server nor test looks after the waitlist here: what is true at that instant is so without. */
await onBothDesks(
  () => testShop(salon),
  (desk: Desk, shop: Shop) => {
    const of = async (what: string, input: object) => (await desk.call(`usp_waitlist_${what}`, { ...input })).data
    const free = async (service: string): Promise<Told[]> => {
      const slots = await desk.slots(service, { start_date: '2026-12-01', end_date: '2026-12-30' })
      return slots.filter(({ state }) => state !== 'waitlist')
    }

    test.each(each)(
      '[WTL-028] the instant a booking of a full slot of $service $what the first who is eligible is offered it',
      async ({ service, end }) => {
        const [slot, elsewhere, unwanted] = await free(service)
        const { booking } = (await desk.book(slot)).data
        const isFree = async () => (await free(service)).some(({ id }) => id === slot.id)
        expect(await isFree()).toBe(false)

        const day = (one: Told) => one.start.slice(0, 10)
        const onDay = (one: Told) => ({ preferred_slots: [{ start_date: day(one), end_date: day(one) }] })
        const join = async (name: string, wish: object) =>
          (await of('join', { service_id: service, buyer: person(`${name}${service.slice(4)}`), ...wish })).entry
        const elsewhereMinded = await join('Ada', onDay(unwanted))
        const first = await join('Bea', onDay(slot))
        const second = await join('Cem', { slot_id: slot.id })
        const line = [elsewhereMinded, first, second]
        const statuses = async () => {
          const read = line.map(async ({ id }) => (await of('get', { entry_id: id })).entry.status)
          return Promise.all(read)
        }
        expect(await statuses()).toEqual(['waiting', 'waiting', 'waiting'])

        const rival = async () => (await desk.book(slot, {}, { as: shop.other })).code
        if (typeof end === 'number') {
          // A second before it still stands; from the end on the next who asks sees to it that the line comes first.
          shop.minutesLater(end - 1 / 60)
          expect([await rival(), ...(await statuses())]).toEqual(['slot_unavailable', 'waiting', 'waiting', 'waiting'])
          shop.minutesLater(1 / 60)
          expect(await rival()).toBe('slot_unavailable')
          expect((await desk.get(booking.id)).data.booking.status).toBe('canceled')
        } else expect(await end(desk, booking, elsewhere)).toMatchObject({ code: undefined })

        expect(await statuses()).toEqual(['waiting', 'offered', 'waiting'])
        expect((await of('get', { entry_id: first.id })).entry.offered_slot.slot_id).toBe(slot.id)
        expect(await rival()).toBe('slot_unavailable')
        expect(await isFree()).toBe(false)
        expect((await of('accept', { entry_id: first.id })).booking.slot.id).toBe(slot.id)
        for (const { id } of [elsewhereMinded, second]) await of('leave', { entry_id: id })
      },
    )
  },
)
