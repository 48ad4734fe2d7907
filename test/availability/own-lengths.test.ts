import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, type Slot, testShop } from '../support/desk.ts'
import { daily, hours, on, who } from './week.ts'

const { policies } = service('svc')
const withAlex: Partial<ServiceDefinition> = {
  duration: { fixed: 'PT60M', buffer_after: 'PT15M' },
  duration_rules: [
    { name: 'Learning', resources: ['staff_alex'], fixed: 'PT90M' },
    { resources: ['staff_alex', 'staff_jo'], fixed: 'PT45M' },
  ],
  policies: { ...policies, booking_window: { ...policies.booking_window, slot_interval: 'PT60M' } },
}

const definition: BusinessDefinition = businessWith(
  [
    service('svc_cut', {
      ...withAlex,
      pricing: { model: 'variable', amount: 7500, currency: 'USD', price_range: { min: 6000, max: 9000 } },
      price_rules: [
        { resources: ['staff_jane'], amount: 9000 },
        { resources: ['staff_alex'], amount: 6000 },
      ],
      resources: [
        { type: 'staff', selectable: true, options: ['staff_jane', 'staff_alex', 'staff_jo'] },
        { type: 'room' },
      ],
    }),
    // Whoever is free does it, by the hour.
    service('svc_any', {
      ...withAlex,
      duration_rules: [{ resources: ['staff_alex'], fixed: 'PT90M' }],
      pricing: { model: 'hourly', amount: 6000, currency: 'USD' },
      resources: [{ type: 'staff', options: ['staff_jane', 'staff_alex'] }],
    }),
  ],
  {
    hours: daily('09:00', '12:00'),
    resources: [
      { id: 'staff_jane', type: 'staff', name: 'Jane' },
      { id: 'staff_alex', type: 'staff', name: 'Alex' },
      { id: 'staff_jo', type: 'staff', name: 'Jo' },
      { id: 'room_1', type: 'room', name: 'Room 1' },
      { id: 'room_2', type: 'room', name: 'Room 2' },
    ],
  },
)

const buyer = { first_name: 'Rosa', phone_number: '+12125550143' }
const at = (day: string, time: string) => `2026-11-${day}T${time}:00-05:00`

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    const staff = (what: string, input: object) => desk.call(`usp_business_${what}`, { ...input }, { as: shop.staff })
    const slotOf = async (day: string, person: string, time: string) =>
      (await desk.slots('svc_cut', on(day))).find((slot) => who(slot) === person && slot.start.includes(`T${time}`))
    const isClean = async () => expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])

    test('[how long with whom] each slot is as long as it takes with whom it is, and ends while it is open', async () => {
      const slots = await desk.slots('svc_cut', on('2026-11-24'))
      const of = (id: string) => slots.filter((slot) => who(slot) === id)
      expect(hours(of('staff_jane'))).toEqual(['09:00', '10:00', '11:00'])
      expect(hours(of('staff_alex'))).toEqual(['09:00', '10:00'])
      expect(hours(of('staff_jo'))).toEqual(['09:00', '10:00', '11:00'])
      const said = (id: string) => of(id).map(({ duration, pricing }: Slot) => [duration, pricing.amount])
      expect(new Set(said('staff_jane').map(String))).toEqual(new Set(['PT60M,9000']))
      expect(new Set(said('staff_alex').map(String))).toEqual(new Set(['PT90M,6000']))
      expect(new Set(said('staff_jo').map(String))).toEqual(new Set(['PT45M,7500']))
    })

    test('[how long with whom] the catalogue says between what and what', async () => {
      const { data } = await desk.call('usp_services_get', { service_id: 'svc_cut' }, { as: {} })
      expect(data.service.duration).toEqual({
        range: { min: 'PT45M', max: 'PT90M', step: 'PT15M' },
        buffer_after: 'PT15M',
      })
      expect(data.service).not.toHaveProperty('duration_rules')
    })

    test('[how long with whom] is what is held, booked and moved, and takes up just that', async () => {
      const slot = await slotOf('2026-11-24', 'staff_alex', '09:00')
      const held = await desk.hold(slot)
      const { booking } = (await desk.book(slot, { hold_id: held.data.hold.id })).data
      expect(booking.slot).toMatchObject({ start: at('24', '09:00'), end: at('24', '10:30'), duration: 'PT90M' })
      expect(booking.payment.amount).toBe(6000)
      // With what is kept free it is taken until a quarter to eleven.
      expect(await slotOf('2026-11-24', 'staff_alex', '10:00')).toBeUndefined()
      const { booking: moved } = (await desk.reschedule(booking.id, await slotOf('2026-11-25', 'staff_jane', '10:00')))
        .data
      expect(moved.slot).toMatchObject({ start: at('25', '10:00'), end: at('25', '11:00') })
      expect(moved.payment.amount).toBe(9000)
      expect(await slotOf('2026-11-24', 'staff_alex', '10:00')).toBeDefined()
      await isClean()
    })

    test('[how long with whom] where nobody chooses, each length is offered with those who take it', async () => {
      const slots = async () =>
        (await desk.slots('svc_any', on('2026-11-26'))).filter(({ start }) => start === at('26', '09:00'))
      const [short, long] = await slots()
      expect([short?.duration, long?.duration]).toEqual(['PT60M', 'PT90M'])
      const price = async (slot: Slot) => (await desk.book(slot)).data.booking
      const booked = await price(long)
      expect([booked.payment.amount, booked.slot.duration]).toEqual([9000, 'PT90M'])
      expect((await slots()).map(({ duration }) => duration)).toEqual(['PT60M'])
      expect((await price(short)).payment.amount).toBe(6000)
      expect(await slots()).toEqual([])
      const { data } = await staff('day', { date: '2026-11-26' })
      const of = data.bookings.map((one: Slot) => [one.resource_ids, one.end])
      expect(of).toContainEqual([['staff_alex'], at('26', '10:30')])
      expect(of).toContainEqual([['staff_jane'], at('26', '10:00')])
      await isClean()
    })

    test('[how long with whom] the staff book and move it with the length of whom they name, or one of their own', async () => {
      const create = async (more: object) =>
        (await staff('bookings_create', { service_id: 'svc_cut', buyer, start: at('27', '09:10'), ...more })).data
          .booking
      const move = async (id: string, more: object) =>
        (await staff('bookings_reschedule', { booking_id: id, ...more })).data.booking
      const booking = await create({ resource_ids: ['staff_alex'] })
      expect(booking.slot.end).toBe(at('27', '10:40'))
      const withJane = await move(booking.id, { start: at('27', '09:10'), resource_ids: ['staff_jane'] })
      expect([withJane.slot.end, who({ ...withJane, ...withJane.slot })]).toEqual([at('27', '10:10'), 'staff_jane'])
      await staff('bookings_adjust', { booking_id: booking.id, end: at('27', '10:25') })
      expect((await move(booking.id, { start: at('27', '09:10'), resource_ids: ['staff_jo'] })).slot.end).toBe(
        at('27', '10:25'),
      )
      expect(
        (await move(booking.id, { start: at('28', '09:00'), duration: 'PT45M', resource_ids: ['staff_alex'] })).slot
          .end,
      ).toBe(at('28', '09:45'))
      expect((await move(booking.id, { start: at('28', '10:00') })).slot.end).toBe(at('28', '10:45'))
      await staff('bookings_cancel', { booking_id: booking.id })
      await isClean()
    })

    test('[how long with whom] a sick day gives it to others for as long as it takes them', async () => {
      const { booking } = (await desk.book(await slotOf('2026-11-30', 'staff_jane', '09:00'))).data
      const away = { resource_id: 'staff_jane', start: at('30', '00:00'), end: at('30', '23:59') }
      const { suggestion, revision } = (await staff('time_affected', away)).data.bookings[0]
      const { end, ...to } = suggestion
      const length = (Date.parse(end) - Date.parse(to.start)) / 60_000
      expect(to.start).toBe(at('30', '09:00'))
      expect(length).toBe(to.resource_ids.includes('staff_alex') ? 90 : 45)
      const move = { booking_id: booking.id, revision, action: 'move', ...to }
      expect((await staff('time_clear', { ...away, bookings: [move] })).data.moved).toEqual([booking.id])
      expect((await desk.get(booking.id)).data.booking.slot.end).toBe(end)
      await isClean()
    })
  },
)
