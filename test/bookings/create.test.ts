import { afterEach, describe, expect, test } from 'vitest'
import { buyer, expectProblem, onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { address, shopDefinition } from './shop.ts'

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })

    const first = async (serviceId: string, more = {}) => (await desk.slots(serviceId, more))[0]

    test('[BKG-001] [BKG-002] [BKG-004] [BKG-020] a free slot is booked without a hold', async () => {
      const slot = await first('svc_free')
      const { status, data } = await desk.book(slot)
      expect(status).toBe(desk.binding === 'REST' ? 201 : 200)
      expect(data.usp.version).toBe('2026-08-20')
      expect(data.booking).toEqual({
        id: expect.stringMatching(/^bkg_/),
        service_id: 'svc_free',
        service_name: 'Service svc_free',
        slot: { id: slot.id, start: slot.start, end: slot.end, duration: slot.duration },
        buyer,
        party_size: 1,
        status: 'confirmed',
        confirmation_mode: 'auto',
        location: { id: 'loc_main', name: 'Main Street' },
        booking_url: expect.stringMatching(/^http/),
        created_at: expect.any(String),
        updated_at: data.booking.created_at,
        revision: expect.any(String),
      })
      expect(new Date(data.booking.created_at)).toEqual(START)
    })

    test('[BKG-003] the server names the booking, whatever the request calls it', async () => {
      const { data } = await desk.book(await first('svc_free'), { id: 'bkg_mine' })
      expect(data.booking.id).not.toBe('bkg_mine')
      expect((await desk.get('bkg_mine')).code).toBe('booking_not_found')
    })

    test('[BKG-005] a slot that was taken since the query is refused', async () => {
      const slot = await first('svc_free')
      await desk.book(slot, {}, { as: shop.other })
      const { status, code, severity, data } = await desk.book(slot)
      expect([status, code, severity]).toEqual([200, 'slot_unavailable', 'recoverable'])
      expect(data).not.toHaveProperty('booking')
    })

    test('[BKG-005] a held slot is booked with its hold, and by nobody without', async () => {
      const slot = await first('svc_free')
      const { data } = await desk.hold(slot)
      expect((await desk.book(slot, {}, { as: shop.other })).code).toBe('slot_unavailable')
      expect((await desk.book(slot, { hold_id: data.hold.id })).data.booking.slot.id).toBe(slot.id)
    })

    test('[LIV-010] [LIV-011] an unknown service is an invalid value', async () => {
      const slot = await first('svc_free')
      expectProblem(await desk.book({ ...slot, service_id: 'svc_none' }), 'validation_error', 'service_id')
    })

    test.each([
      ['too soon', { start_date: '2026-11-20', end_date: '2026-11-20' }, 7 * 60],
      ['too far ahead', { start_date: '2027-01-18', end_date: '2027-01-18' }, -2 * 24 * 60],
    ])('[BKG-012] [CAT-120] a slot %s is outside the booking window, and not offered', async (_, days, minutes) => {
      const slot = await first('svc_free', days)
      shop.minutesLater(minutes)
      expect((await desk.slots('svc_free', days)).map(({ id }) => id)).not.toContain(slot.id)
      const { status, code, severity } = await desk.book(slot)
      expect([status, code, severity]).toEqual([200, 'booking_window_violated', 'requires_buyer_input'])
    })

    describe('of a class', () => {
      test('[BKG-013] [BKG-018] a party takes its places, and more than are left are refused', async () => {
        const slot = await first('svc_class')
        expect((await desk.book(slot, { party_size: 4 })).data.booking.party_size).toBe(4)
        const { status, code, severity } = await desk.book(slot, { party_size: 3 })
        expect([status, code, severity]).toEqual([200, 'capacity_exceeded', 'recoverable'])
        expect((await first('svc_class')).capacity).toMatchObject({ total: 6, remaining: 2 })
        expect((await desk.book(slot, { party_size: 2 })).code).toBeUndefined()
      })

      test('[BKG-014] one that is full is unavailable, however small the party', async () => {
        const slot = await first('svc_class')
        await desk.book(slot, { party_size: 6 })
        for (const party_size of [1, 3]) expect((await desk.book(slot, { party_size })).code).toBe('slot_unavailable')
      })

      test('[BKG-015] [LIV-011] a party of one or five where two to four may come is refused', async () => {
        const slot = await first('svc_pairs', { party_size: 2 })
        expectProblem(await desk.book(slot, { party_size: 1 }), 'validation_error', 'party_size')
        const { status, data } = await desk.book(slot, { party_size: 5 })
        const tooMany = { code: 'capacity_exceeded', path: '$.party_size', type: 'error' }
        expect([status, data.messages]).toEqual([200, [expect.objectContaining(tooMany)]])
      })
    })

    test('[BKG-018] a party that reserves a table has it alone', async () => {
      const slot = await first('svc_table', { party_size: 3 })
      expect(slot.capacity).toMatchObject({ total: 6, remaining: 6 })
      expect((await desk.book(slot, { party_size: 3 })).data.booking).toMatchObject({
        party_size: 3,
        resources: [{ id: 'table_4', type: 'other', name: 'Large table' }],
      })
      expect((await first('svc_table')).capacity).toMatchObject({ total: 6, remaining: 2 })
    })

    test('[BKG-021] the booking is with whom the slot names', async () => {
      const [slot] = await desk.slots('svc_cut', { resource_id: 'staff_ben' })
      const { data } = await desk.book(slot)
      expect(data.booking.resources).toEqual(slot.resources)
      expect(data.booking.resources).toEqual([{ id: 'staff_ben', type: 'staff', name: 'Ben' }])
    })

    test('[BKG-022] [LIV-011] a resource_id must be one of the slot’s, and then changes nothing', async () => {
      const [slot] = await desk.slots('svc_cut', { resource_id: 'staff_ann' })
      for (const resource_id of ['staff_ben', 'staff_none', '']) {
        expectProblem(await desk.book(slot, { resource_id }), 'validation_error', 'resource_id')
      }
      const { data } = await desk.book(slot, { resource_id: 'staff_ann' })
      expect(data.booking.resources).toEqual(slot.resources)
    })

    test('[BKG-025] [BKG-026] where the service comes to the buyer the booking says where, and no other place', async () => {
      const slot = await first('svc_visit')
      const whole = { ...address, line2: '2B', region: 'NY', coordinates: { lat: 40.7, lng: -74 } }
      const { data } = await desk.book(slot, { delivery_address: whole })
      expect(data.booking.delivery_address).toEqual(whole)
      expect(data.booking).not.toHaveProperty('location')
    })

    test('[BKG-027] [LIV-011] without an address it does not come', async () => {
      expectProblem(await desk.book(await first('svc_visit')), 'validation_error', 'delivery_address')
    })
  },
)
