import { afterEach, expect, test } from 'vitest'
import { type Ask, buyer, onBothDesks, type Said, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { shopDefinition } from './shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
type Booking = any

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const booked = async (serviceId: string): Promise<Booking> =>
      (await desk.book((await desk.slots(serviceId))[0])).data.booking
    const paid = async () => (await desk.pay(await booked('svc_paid'))).data.booking
    const staff = (tool: string, id: string, more = {}) =>
      desk.call(`usp_business_bookings_${tool}`, { booking_id: id, ...more }, { as: shop.staff })
    const started = async () => (await staff('start', (await paid()).id)).data.booking
    const disputed = async () => (await staff('dispute_open', (await paid()).id, { reason: 'duplicate' })).data.booking

    /** What can change a booking: how it was before, and the change. */
    const changes: [what: string, prepare: () => Promise<Booking>, change: (booking: Booking) => Promise<Said>][] = [
      ['an update', () => booked('svc_free'), ({ id }) => desk.update(id, { notes: 'A' })],
      ['a confirm', () => booked('svc_asked'), ({ id }) => desk.confirm(id)],
      ['a cancel', () => booked('svc_free'), ({ id }) => desk.cancel(id)],
      [
        'a reschedule',
        () => booked('svc_free'),
        async ({ id }) => desk.reschedule(id, (await desk.slots('svc_free'))[4]),
      ],
      ['a payment', () => booked('svc_paid'), (booking) => desk.pay(booking)],
      ['a start', paid, ({ id }) => staff('start', id)],
      ['an end', started, ({ id }) => staff('complete', id)],
      [
        'a no-show',
        started,
        ({ id, slot }) => {
          shop.time.now = new Date(slot.end)
          return staff('no_show', id)
        },
      ],
      ['a refund', paid, ({ id }) => staff('refund', id, { amount: 100 })],
      ['a dispute', paid, ({ id }) => staff('dispute_open', id, { reason: 'duplicate' })],
      ['the end of a dispute', disputed, ({ id }) => staff('dispute_resolve', id, { in_favor_of: 'business' })],
    ]

    test.each(changes)(
      '[REV-001] [REV-004] [REV-005] [REV-008] %s gives a new revision, and reading none',
      async (_, prepare, change) => {
        const before = await prepare()
        expect(before.revision).toEqual(expect.stringMatching(/\S/))
        const read = async () => (await desk.get(before.id)).data.booking.revision
        expect([await read(), await read()]).toEqual([before.revision, before.revision])
        const said = await change(before)
        expect(said.code).toBeUndefined()
        const { revision } = said.data.booking
        expect(revision).toEqual(expect.stringMatching(/\S/))
        expect(revision).not.toBe(before.revision)
        expect([await read(), await read()]).toEqual([revision, revision])
      },
    )

    test('[REV-006] so does its expiry, the same whenever it is read or written down', async () => {
      const { id, revision, expires_at } = await booked('svc_asked')
      shop.time.now = new Date(expires_at)
      const expired = (await desk.get(id)).data.booking.revision
      expect(expired).not.toBe(revision)
      expect((await desk.cancel(id)).code).toBe('invalid_transition')
      shop.minutesLater(60)
      expect((await desk.get(id)).data.booking.revision).toBe(expired)
    })

    test('[REV-006] and so does each step forward in a waiting line', async () => {
      const [slot] = await desk.slots('svc_queue')
      await desk.book(slot, { party_size: 6 })
      const join = async (ask: Ask = {}) =>
        (await desk.call('usp_waitlist_join', { service_id: 'svc_queue', slot_id: slot.id, buyer }, ask)).data.entry
      const first = await join({ as: shop.other })
      const second = await join()
      const read = async () => (await desk.call('usp_waitlist_get', { entry_id: second.id })).data.entry
      expect([second.position, await read()]).toEqual([2, second])
      await desk.call('usp_waitlist_leave', { entry_id: first.id }, { as: shop.other })
      const after = await read()
      expect(after.position).toBe(1)
      expect(after.revision).not.toBe(second.revision)
      expect((await read()).revision).toBe(after.revision)
    })

    test('[REV-007] [REV-008] a booking that is changed back is another than before', async () => {
      const { id } = await booked('svc_free')
      const revisions = []
      for (const notes of ['A', 'B', 'A', 'A']) revisions.push((await desk.update(id, { notes })).data.booking.revision)
      expect(new Set(revisions).size).toBe(4)
    })

    test('[REV-009] a revision shows no counter, and bookings that changed as often do not share one', async () => {
      const [one, other] = [await booked('svc_free'), await booked('svc_free')]
      const after = [await desk.update(one.id, { notes: 'A' }), await desk.update(other.id, { notes: 'A' })]
      const revisions: string[] = [one, other, ...after.map(({ data }) => data.booking)].map(({ revision }) => revision)
      expect(new Set(revisions).size).toBe(4)
      for (const revision of revisions) expect(revision).toMatch(/^[\w-]{16}$/)
      // As alike as any two tags: no common beginning, no neighbours.
      const same = [...(revisions[0] ?? '')].filter((letter, index) => letter === revisions[2]?.[index]).length
      expect(same).toBeLessThan(8)
    })
  },
)
