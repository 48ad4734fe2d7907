import { afterEach, describe, expect, test } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { statusSet } from '../bookings/booking-rows.ts'
import { withPolicies } from '../bookings/shop.ts'
import { businessWith, service } from '../support/definitions.ts'
import { mcpDesk, onBothDesks, restDesk, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'

/** The published vectors of whole flows, told here since the tests stand alone. 101, 102 and 104 are raced in test/race. */
const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const hours = [{ days: [...EVERY_DAY], opens: '00:00', closes: '06:00' }]
const staff = { resources: [{ type: 'staff' as const, options: ['ann'] }] }
const resources = [{ id: 'ann', type: 'staff' as const, name: 'Ann' }]

const massage = businessWith(
  [
    withPolicies('svc_massage', { payment_timing: 'at_booking' }),
    withPolicies('svc_asked', { payment_timing: 'at_booking', confirmation_mode: 'manual' }),
    withPolicies('svc_signed', {}, { waiver: { text: 'I take part at my own risk.' } }),
  ],
  { hours: [{ days: [...EVERY_DAY], opens: '09:00', closes: '18:00' }] },
)

await onBothDesks(
  () => testShop(massage),
  (desk, shop) => {
    const { db } = shop.runtime
    afterEach(() => {
      shop.time.now = START
    })

    describe('[LIV-059] [LIV-060] vector 101, the part without checkout: a hold that lapses before the booking', () => {
      const held = async () => {
        const [slot] = await desk.slots('svc_massage')
        const { hold } = (await desk.hold(slot)).data
        shop.time.now = new Date(Date.parse(hold.expires_at) + 60_000)
        return { slot, hold }
      }

      test('gives hold_expired while its slot is free, books nothing, and the slot can be held again', async () => {
        const { slot, hold } = await held()
        const before = await tableContents(db)
        const said = await desk.book(slot, { hold_id: hold.id })
        expect([said.status, said.code]).toEqual([200, 'hold_expired'])
        expect(said.data).not.toHaveProperty('booking')
        expect(await tableContents(db)).toEqual(before)
        const again = (await desk.hold(slot)).data.hold
        expect((await desk.book(slot, { hold_id: again.id })).data.booking).toMatchObject({ slot: { id: slot.id } })
      })

      test('gives slot_unavailable once another buyer has the slot', async () => {
        const { slot, hold } = await held()
        expect((await desk.book(slot, {}, { as: shop.other })).data.booking.slot.id).toBe(slot.id)
        expect((await desk.book(slot, { hold_id: hold.id })).code).toBe('slot_unavailable')
      })
    })

    describe('[LIV-070] vector 105, the part without checkout: the confirmation of the business', () => {
      const booked = async (id: string) => (await desk.book((await desk.slots(id))[0])).data.booking

      test('is refused for a pending booking that needs no approval, and changes nothing', async () => {
        const booking = await booked('svc_massage')
        await statusSet(db, booking.id, 'pending')
        const before = await tableContents(db)
        const said = await desk.confirm(booking.id)
        expect(said).toMatchObject({ status: 200, rpc: undefined, code: 'invalid_transition' })
        expect(await tableContents(db)).toEqual(before)
        expect((await desk.get(booking.id)).data.booking).toMatchObject({
          status: 'pending',
          confirmation_mode: 'auto',
        })
      })

      test('is accepted for a pending booking that needs approval', async () => {
        const { id } = await booked('svc_asked')
        expect((await desk.confirm(id)).data.booking.status).toBe('requires_action')
      })

      test('is repeated without effect for a confirmed booking', async () => {
        const booking = (await desk.pay(await booked('svc_massage'))).data.booking
        expect((await desk.confirm(booking.id)).data.booking).toEqual(booking)
      })
    })
  },
)

const twoLengths = (policies = service('svc').policies): BusinessDefinition =>
  businessWith(
    [
      service('svc_massage_090', { duration: { fixed: 'PT90M' }, policies, ...staff }),
      service('svc_consult_060', { policies, ...staff }),
    ],
    { hours, resources },
  )

describe.each([
  {
    change: 'clocks go back',
    now: '2026-10-30T12:00:00Z',
    id: 'svc_massage_090',
    minutes: 90,
    start: '2026-11-01T01:00:00-04:00',
    end: '2026-11-01T01:30:00-05:00',
    utc: '2026-11-01T05:00:00Z',
  },
  {
    change: 'clocks go forward',
    now: '2026-03-06T12:00:00Z',
    id: 'svc_consult_060',
    minutes: 60,
    start: '2026-03-08T01:30:00-05:00',
    end: '2026-03-08T03:30:00-04:00',
    utc: '2026-03-08T06:30:00Z',
  },
])('[LIV-054] [LIV-055] vector 103, where $change', async ({ now, id, start, end, utc, minutes }) => {
  const shop = await testShop(twoLengths())
  shop.time.now = new Date(now)
  await shop.apply(twoLengths())
  const day = { start_date: start.slice(0, 10), end_date: start.slice(0, 10) }

  test.each([restDesk(shop), mcpDesk(shop)])(
    'a slot lasts as long between instants as its service ($binding)',
    async (desk) => {
      const slot = (await desk.slots(id, day)).find((one) => one.start === start)
      expect(slot).toMatchObject({ start, end, duration: `PT${minutes}M`, state: 'available' })
      expect((Date.parse(slot.end) - Date.parse(slot.start)) / 60_000).toBe(minutes)
      const inUtc = await desk.slots(id, { ...day, timezone: 'UTC' })
      const same = inUtc.find((one) => Date.parse(one.start) === Date.parse(utc))
      expect([same.id, same.end]).toEqual([slot.id, new Date(slot.end).toISOString().replace('.000Z', '+00:00')])
    },
  )

  test.each([restDesk(shop), mcpDesk(shop)])(
    'no slot starts at a time that the clocks skip ($binding)',
    async (desk) => {
      for (const service of ['svc_massage_090', 'svc_consult_060'])
        for (const one of await desk.slots(service, day)) {
          expect(one.start).toMatch(/(Z|[+-]\d\d:\d\d)$/)
          if (start.startsWith('2026-03-08')) expect(one.start.slice(11, 13)).not.toBe('02')
        }
    },
  )

  test.each([restDesk(shop), mcpDesk(shop)])(
    'a booking excludes exactly the slots that overlap it ($binding)',
    async (desk) => {
      const others = id === 'svc_massage_090' ? 'svc_consult_060' : 'svc_massage_090'
      const slot = (await desk.slots(id, day)).find((one) => one.start === start)
      const before = await desk.slots(others, day)
      const { booking } = (await desk.book(slot)).data
      expect(booking.slot).toMatchObject({ start, end })
      const overlaps = (one: { start: string; end: string }) =>
        Date.parse(one.start) < Date.parse(end) && Date.parse(start) < Date.parse(one.end)
      const left = before.filter((one) => !overlaps(one)).map((one) => one.id)
      expect((await desk.slots(others, day)).map((one) => one.id)).toEqual(left)
      expect(left.length).toBeLessThan(before.length)
      await desk.cancel(booking.id)
    },
  )
})
