import { expect, test } from 'vitest'
import { expectProblem, onBothDesks } from '../support/desk.ts'
import { business, CLASS, classOfOne, lineOf, openShop, person } from './queue.ts'

const definition = {
  ...business,
  services: [...business.services, { ...classOfOne, id: 'svc_pairs', capacity: { min: 2, max: 4, waitlist: true } }],
}

await onBothDesks(
  () => openShop(definition),
  (desk) => {
    const { join, entry } = lineOf(desk)
    const ok = desk.binding === 'REST' ? 201 : 200

    test('[WTL-001] [WTL-002] [WTL-010] joining answers an entry that waits at the end of the line', async () => {
      const first = await join('Ann')
      const second = await join('Bob')
      expect([first.status, second.status]).toEqual([ok, ok])
      expect(first.data.entry).toEqual({
        id: expect.stringMatching(/^wle_/),
        service_id: CLASS,
        buyer: person('Ann'),
        status: 'waiting',
        position: 1,
        created_at: expect.any(String),
        revision: expect.any(String),
      })
      expect(second.data.entry.position).toBe(2)
    })

    test.each([
      ['[WTL-003] without a service', { service_id: undefined }, 400, 'invalid_request'],
      ['[WTL-003] without a buyer', { buyer: undefined }, 400, 'invalid_request'],
      [
        '[WTL-003] with a buyer without an address',
        { buyer: { first_name: 'A', last_name: 'B' } },
        400,
        'invalid_request',
      ],
      ['[WTL-009] with a day that is none', { preferred_slots: [{ start_date: 'soon' }] }, 422, 'validation_error'],
    ])('%s nobody joins', async (_, more, status, code) => {
      const refused = await join('Eve', more)
      expect([refused.code, desk.binding === 'REST' ? refused.status : status]).toEqual([code, status])
      expect(refused.data.entry).toBeUndefined()
    })

    test.each<[string, object, string]>([
      ['[LIV-010] for a service that is unknown', { service_id: 'svc_none' }, 'service_id'],
      ['[LIV-011] for a service without a waitlist', { service_id: 'svc_plain' }, 'service_id'],
      [
        '[who waits could accept what is offered] with a phone number that is none',
        { buyer: { ...person('Eve'), phone_number: 'ask me' } },
        'buyer.phone_number',
      ],
      [
        '[who waits could accept what is offered] for a service that takes no single person',
        { service_id: 'svc_pairs' },
        'service_id',
      ],
    ])('%s nobody joins, and the error names the value', async (_, more, field) => {
      expectProblem(await join('Eve', { ...more }), 'validation_error', field)
    })

    test('[WTL-007] [WTL-008] what suits the buyer comes back as it was sent', async () => {
      const preferred_slots = [{ start_date: '2026-11-24', end_date: '2026-11-25', time_of_day: 'morning' }]
      const { data } = await join('Cid', { preferred_slots })
      expect((await entry(data.entry.id)).preferred_slots).toEqual(preferred_slots)
      const [slot] = await desk.slots(CLASS)
      expect((await join('Dan', { slot_id: slot.id })).data.entry.status).toBe('waiting')
    })

    test('[WTL-007] whoever waits to the end of all calendars waits without an end', async () => {
      const preferred_slots = [{ start_date: '0000-01-01', end_date: '9999-12-31' }]
      const { status, data } = await join('Eli', { preferred_slots })
      expect([status, data.entry.preferred_slots]).toEqual([expect.toBeOneOf([200, 201]), preferred_slots])
    })

    test('[WTL-008] [what is stored is bounded] of what suits the buyer nothing is kept that the protocol has no place for', async () => {
      const wish = { start_date: '2026-11-24', note: 'x'.repeat(10_000) }
      const { data } = await join('Fay', { preferred_slots: [wish] })
      expect(data.entry.preferred_slots).toEqual([{ start_date: '2026-11-24' }])
      expect(data.messages).toContainEqual(
        expect.objectContaining({ code: 'field_ignored', path: '$.preferred_slots[0].note' }),
      )
    })

    test('[WTL-007] [what is stored is bounded] a hundred times suit, but not a hundred long texts', async () => {
      const times = { start_date: '2026-11-24', end_date: '2026-11-25', time_of_day: 'afternoon' }
      const { data } = await join('Gus', { preferred_slots: Array(100).fill(times) })
      expect(data.entry.preferred_slots).toHaveLength(100)
      const refused = await join('Hal', {
        preferred_slots: Array(100).fill({ ...times, time_of_day: '\u0001'.repeat(99) }),
      })
      expect(refused.code).toBe('validation_error')
    })

    test('a slot of another service is none that one could wait for', async () => {
      const [slot] = await desk.slots('svc_plain')
      expect((await join('Eve', { slot_id: slot.id })).code).toBe('slot_unavailable')
    })

    test.each(['join', 'list', 'get', 'leave', 'accept', 'decline'])(
      '[WTL-013] without proof nobody gets to %s',
      async (what) => {
        const input =
          what === 'join' ? { service_id: CLASS, buyer: person('Eve') } : what === 'list' ? {} : { entry_id: 'x' }
        const { code } = await desk.call(`usp_waitlist_${what}`, input, { as: {} })
        expect(code).toBe('authentication_required')
      },
    )

    test('[WTL-001] whoever waits for one class that is full is told nothing besides', async () => {
      const [slot] = await desk.slots(CLASS, { start_date: '2026-12-01', end_date: '2026-12-07' })
      await desk.book(slot)
      const { data } = await join('Una', { slot_id: slot.id })
      expect(data.entry.status).toBe('waiting')
      expect(data).not.toHaveProperty('messages')
    })
  },
)
