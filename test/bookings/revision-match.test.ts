import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Ask, buyer, expectProblem, onBothDesks, type Said, testShop } from '../support/desk.ts'
import { tableContents } from '../support/table-contents.ts'
import { shopDefinition } from './shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
type Booking = any
type Change = (booking: Booking, ask: Ask) => Promise<Said>

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    const { db } = shop.runtime
    const isRest = desk.binding === 'REST'
    const mismatch = [isRest ? 412 : -32002, 'revision_mismatch']
    const outcome = ({ rpc, status, code }: Said) => [rpc ?? status, code]
    const booked = async (serviceId: string): Promise<Booking> =>
      (await desk.book((await desk.slots(serviceId))[0])).data.booking
    /** The same for each booking whenever it is asked: a retry is the same request. */
    const targets = new Map<string, Booking>()
    const targetOf = async (id: string) => {
      const target = targets.get(id) ?? (await desk.slots('svc_asked'))[4]
      targets.set(id, target)
      return target
    }
    const notes: Change = ({ id }, ask) => desk.update(id, { notes: 'New' }, ask)

    const changes: [what: string, serviceId: string, change: Change][] = [
      ['an update', 'svc_free', notes],
      ['a confirm', 'svc_asked', ({ id }, ask) => desk.confirm(id, {}, ask)],
      ['a cancel', 'svc_asked', ({ id }, ask) => desk.cancel(id, {}, ask)],
      ['a reschedule', 'svc_asked', async ({ id }, ask) => desk.reschedule(id, await targetOf(id), {}, ask)],
      ['a payment', 'svc_paid', (booking, ask) => desk.pay(booking, {}, ask)],
    ]

    test.each(changes)(
      '[REV-010] [REV-011] [REV-012] [REV-014] [REV-015] %s is made at the revision it is meant for, and at no other',
      async (_, serviceId, change) => {
        const booking = await booked(serviceId)
        const stale = booking.revision
        const { revision } = (await desk.update(booking.id, { notes: 'Meanwhile' })).data.booking
        const before = await tableContents(db)
        for (const ifMatch of [stale, `"${stale}"`, 'nonsense', ''])
          expect(outcome(await change(booking, { ifMatch }))).toEqual(mismatch)
        expect(await tableContents(db)).toEqual(before)
        const said = await change(booking, { ifMatch: revision })
        expect(said.code).toBeUndefined()
        expect(said.data.booking.revision).not.toBe(revision)
      },
    )

    test.each(changes)('[REV-016] without it %s is made in any case', async (_, serviceId, change) => {
      const booking = await booked(serviceId)
      await desk.update(booking.id, { notes: 'Meanwhile' })
      expect((await change(booking, {})).code).toBeUndefined()
    })

    test.each(changes)(
      '[REV-017] the retry of %s with its key is answered as the first time',
      async (_, serviceId, change) => {
        const booking = await booked(serviceId)
        const ask = { ifMatch: booking.revision, idempotencyKey: randomUUID() }
        const once = await change(booking, ask)
        expect(once.code).toBeUndefined()
        const before = await tableContents(db)
        expect((await change(booking, ask)).data).toEqual(once.data)
        expect(await tableContents(db)).toEqual(before)
      },
    )

    test('[REV-018] [LIV-012] a key that is used for something else is a conflict before anything else is', async () => {
      const booking = await booked('svc_free')
      const ask = { ifMatch: booking.revision, idempotencyKey: randomUUID() }
      await notes(booking, ask)
      const said = await desk.update(booking.id, { notes: 'Other' }, ask)
      expect(outcome(said)).toEqual([isRest ? 409 : -32602, 'idempotency_conflict'])
    })

    test('[REV-019] a mismatch is not kept: with the current revision the same key does it', async () => {
      const booking = await booked('svc_free')
      const { revision } = (await desk.update(booking.id, { notes: 'Meanwhile' })).data.booking
      const idempotencyKey = randomUUID()
      expect((await notes(booking, { ifMatch: booking.revision, idempotencyKey })).code).toBe('revision_mismatch')
      expect((await notes(booking, { ifMatch: revision, idempotencyKey })).data.booking.notes).toBe('New')
    })

    test('[REV-020] of two who change one revision at once one does', async () => {
      for (let round = 0; round < 5; round++) {
        const { id, revision: ifMatch } = await booked('svc_class')
        const both = await Promise.all(['A', 'B'].map((notes) => desk.update(id, { notes }, { ifMatch })))
        const [won] = both.filter(({ code }) => code === undefined)
        const [lost] = both.filter(({ code }) => code !== undefined)
        expect(lost && outcome(lost)).toEqual(mismatch)
        expect((await desk.get(id)).data.booking).toEqual(won?.data.booking)
      }
    })

    test('[REV-021] [LIV-003] [LIV-004] a stale revision tells nothing of a booking that is somebody else’s, or none', async () => {
      const mine = await booked('svc_asked')
      for (const [what, , change] of changes) {
        const asks: [Booking, Ask][] = [[{ ...mine, id: 'bkg_none' }, {}]]
        if (what !== 'a confirm') asks.push([mine, { as: shop.other }])
        for (const [booking, ask] of asks) {
          const said = await change(booking, { ...ask, ifMatch: 'stale' })
          expectProblem(said, 'booking_not_found')
        }
      }
    })

    test('[REV-022] a revision may be bare or quoted, several are alternatives, and * is any', async () => {
      let { id, revision } = await booked('svc_free')
      const lists = [(it: string) => `"stale", "${it}"`, (it: string) => `W/"${it}" , stale`]
      for (const written of [(it: string) => it, (it: string) => `"${it}"`, () => '*', ...lists]) {
        const said = await desk.update(id, { notes: 'New' }, { ifMatch: written(revision) })
        expect(said.code).toBeUndefined()
        revision = said.data.booking.revision
      }
      const stale = await desk.update(id, { notes: 'Newer' }, { ifMatch: '"stale", "older"' })
      expect(stale.code).toBe('revision_mismatch')
      expect((await desk.cancel('bkg_none', {}, { ifMatch: '*' })).code).toBe('booking_not_found')
    })

    // On the tool binding a read has no place for one.
    if (isRest)
      test('[REV-023] who only reads a booking or an entry is not asked for any', async () => {
        const booking = await booked('svc_free')
        const read = await desk.get(booking.id, { ifMatch: 'stale' })
        expect([read.code, read.data.booking]).toEqual([undefined, booking])
        const [slot] = await desk.slots('svc_queue')
        await desk.book(slot, { party_size: slot.capacity.remaining })
        const join = { service_id: 'svc_queue', slot_id: slot.id, buyer }
        const { entry } = (await desk.call('usp_waitlist_join', join)).data
        const found = await desk.call('usp_waitlist_get', { entry_id: entry.id }, { ifMatch: 'stale' })
        expect([found.code, found.data.entry]).toEqual([undefined, entry])
      })
  },
)
