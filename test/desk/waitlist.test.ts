import { expect, test } from 'vitest'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import { type Ask, onBothDesks } from '../support/desk.ts'
import { testPlatform } from '../support/platform.ts'
import { testReceiver } from '../support/receiver.ts'
import { business, CLASS, classOfOne, lineOf, openShop, person } from '../waitlist/queue.ts'

const receiver = await testReceiver()
const platform = await testPlatform({ webhook_url: receiver.url })
const definition = { ...business, services: [classOfOne, { ...classOfOne, id: 'svc_other', name: 'Other' }] }

await onBothDesks(
  async () => {
    const shop = await openShop(definition)
    return { ...shop, platform: await shop.newPlatform(platform.url) }
  },
  (desk, shop) => {
    const { join, wait, fill, entry, leave, accept, decline, list } = lineOf(desk)
    const staff = (what: string, input: Record<string, unknown> = {}, ask: Ask = {}) =>
      desk.call(`usp_business_waitlist_${what}`, input, { as: shop.staff, ...ask })
    const line = async (more = {}): Promise<{ id: string }[]> =>
      (await staff('list', { service_id: CLASS, ...more })).data.entries
    const move = (entry_id: string, position: number, ask: Ask = {}) => staff('move', { entry_id, position }, ask)
    const offer = (entry_id: string, slot_id: string, ask: Ask = {}) => staff('offer', { entry_id, slot_id }, ask)
    const places = async (...entries: { id: string }[]) => {
      const shown = await Promise.all(entries.map(({ id }) => staff('get', { entry_id: id })))
      return shown.map(({ data }) => data.entry.position)
    }
    const told = async () => {
      receiver.received.length = 0
      await sendDueEvents(shop.runtime)
      return receiver.received.map(({ body }) => [body.event, body.entry_id, body.data.position])
    }
    async function clear(bookings: { id: string }[] = []) {
      for (const { id } of await line()) await leave(id)
      for (const { id } of bookings) await desk.cancel(id)
      await told()
    }

    test('the staff see everybody who waits, whichever platform they came from', async () => {
      const bookings = await fill()
      const ann = await wait('Ann')
      const bob = (await join('Bob', {}, { as: shop.other })).data.entry
      const cid = (await join('Cid', { service_id: 'svc_other' })).data.entry
      expect(await line()).toEqual([await entry(ann.id), { ...bob, position: 2 }])
      expect((await staff('list')).data.entries.map(({ id }: { id: string }) => id)).toEqual([ann.id, bob.id, cid.id])
      expect((await list({ service_id: CLASS })).data.pagination.total).toBe(1)
      await leave(ann.id)
      expect(await line({ statuses: ['removed'] })).toMatchObject([{ id: ann.id, status: 'removed' }])
      expect(await line()).toMatchObject([{ id: bob.id, position: 1 }])
      await leave(bob.id, {}, { as: shop.other })
      await leave(cid.id)
      await clear(bookings)
    })

    test('the list comes in pages, none twice', async () => {
      const bookings = await fill()
      const waiting = [await wait('Ann'), await wait('Bob'), await wait('Cid')]
      const seen = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const { entries, pagination } = (
          await staff('list', { service_id: CLASS, limit: 2, ...(cursor && { cursor }) })
        ).data
        seen.push(...entries)
        expect(pagination.has_more).toBe(pagination.cursor !== null)
        cursor = pagination.cursor
      }
      expect(seen).toEqual(waiting)
      await clear(bookings)
    })

    test('one entry comes with what only the business knows', async () => {
      const bookings = await fill()
      const [{ slot }] = bookings
      const ann = await wait('Ann', { slot_id: slot.id })
      await desk.cancel(bookings[0].id)
      const { booking } = (await accept(ann.id)).data
      const { data } = await staff('get', { entry_id: ann.id })
      expect(data.entry).toEqual(await entry(ann.id))
      const details = { joined_by: expect.stringMatching(/^client:/), profile: platform.url }
      expect(data.details).toEqual({ came_from: 'platform', ...details, slot_id: slot.id, booking_id: booking.id })
      expect(data.changes.map(({ actor, action }: { actor: string; action: string }) => [actor, action])).toEqual([
        [details.joined_by, 'join'],
        ['system', 'offer'],
        [details.joined_by, 'accepted'],
      ])
      expect((await staff('get', { entry_id: 'wle_none' })).code).toBe('entry_not_found')
      await clear([...bookings.slice(1), booking])
    })

    test('the staff put the line in order, and each who moved is told of the new place', async () => {
      const bookings = await fill()
      const [ann, bob, cid, dan] = [await wait('Ann'), await wait('Bob'), await wait('Cid'), await wait('Dan')]
      const moved = await move(cid.id, 1)
      expect(moved.data.entry).toMatchObject({ id: cid.id, status: 'waiting', position: 1 })
      expect((await line()).map(({ id }) => id)).toEqual([cid.id, ann.id, bob.id, dan.id])
      expect(await places(cid, ann, bob, dan)).toEqual([1, 2, 3, 4])
      const changed = 'waitlist.position_changed'
      expect((await told()).sort()).toEqual(
        [
          [changed, cid.id, 1],
          [changed, ann.id, 2],
          [changed, bob.id, 3],
        ].sort(),
      )
      expect((await move(ann.id, 100)).data.entry.position).toBe(4)
      expect(await places(cid, bob, dan, ann)).toEqual([1, 2, 3, 4])
      const { changes } = (await staff('get', { entry_id: ann.id })).data
      expect(changes.at(-1)).toMatchObject({
        actor: expect.stringMatching(/^staff:/),
        action: 'move',
        detail: { from: 2, to: 4 },
      })
      await told()
      expect((await move(bob.id, 2)).data.entry.position).toBe(2)
      expect(await told()).toEqual([])
      await desk.cancel(bookings[0].id)
      expect((await entry(cid.id)).status).toBe('offered')
      await clear(bookings)
    })

    test('[REV-006] a move gives everybody whom it concerns another revision, and a stale one moves nobody', async () => {
      const bookings = await fill()
      const [ann, bob] = [await wait('Ann'), await wait('Bob')]
      await move(bob.id, 1, { ifMatch: bob.revision })
      expect((await entry(ann.id)).revision).not.toBe(ann.revision)
      expect((await move(bob.id, 2, { ifMatch: bob.revision })).code).toBe('revision_mismatch')
      expect(await places(bob, ann)).toEqual([1, 2])
      await clear(bookings)
    })

    test('who has left the line has no place to be moved to', async () => {
      const ann = await wait('Ann')
      await leave(ann.id)
      expect((await move(ann.id, 1)).code).toBe('invalid_transition')
      expect((await move('wle_none', 1)).code).toBe('entry_not_found')
    })

    test('a place offered by hand is kept as one that is offered by itself, and becomes a booking', async () => {
      const [slot] = await desk.slots(CLASS)
      const [ann, bob] = [await wait('Ann'), await wait('Bob', { preferred_slots: [{ time_of_day: 'evening' }] })]
      const offered = await offer(bob.id, slot.id)
      expect(offered.data.entry).toMatchObject({
        status: 'offered',
        position: 2,
        offered_slot: { slot_id: slot.id, start: slot.start, end: slot.end },
      })
      expect(Date.parse(offered.data.entry.offer_expires_at) - shop.time.now.getTime()).toBe(30 * 60_000)
      expect(await told()).toEqual([['waitlist.spot_offered', bob.id, 2]])
      const { changes } = (await staff('get', { entry_id: bob.id })).data
      expect(changes.at(-1)).toMatchObject({
        actor: expect.stringMatching(/^staff:/),
        action: 'offer',
        from: 'waiting',
        to: 'offered',
        detail: { slot_id: slot.id },
      })
      expect((await desk.book(slot)).code).toBe('slot_unavailable')
      expect((await offer(ann.id, slot.id)).code).toBe('slot_unavailable')
      expect((await entry(ann.id)).status).toBe('waiting')
      const { booking } = (await accept(bob.id)).data
      expect(booking).toMatchObject({ status: 'confirmed', slot: { id: slot.id }, buyer: person('Bob') })
      await clear([booking])
    })

    test('it goes back on sale when it is not answered in time', async () => {
      const [slot] = await desk.slots(CLASS)
      const ann = await wait('Ann', { preferred_slots: [{ time_of_day: 'evening' }] })
      await offer(ann.id, slot.id)
      shop.minutesLater(31)
      await runWaitlist(shop.runtime)
      expect((await entry(ann.id)).status).toBe('expired')
      expect(await told()).toContainEqual(['waitlist.expired', ann.id, 1])
      expect((await desk.slots(CLASS))[0]).toMatchObject({ id: slot.id, state: 'available' })
    })

    test('who waits for one slot and declines another stays in line', async () => {
      const bookings = await fill()
      const [first, second] = bookings
      const ann = await wait('Ann', { slot_id: first.slot.id })
      await desk.cancel(second.id)
      expect((await entry(ann.id)).status).toBe('waiting')
      await offer(ann.id, second.slot.id)
      expect((await decline(ann.id)).data.entry.status).toBe('waiting')
      await desk.cancel(first.id)
      expect((await decline(ann.id)).data.entry.status).toBe('removed')
      await clear(bookings.slice(2))
    })

    test('what is not free, or not for this line, cannot be offered', async () => {
      const [slot, later] = await desk.slots(CLASS)
      const [other] = await desk.slots('svc_other')
      const { booking } = (await desk.book(slot)).data
      const ann = await wait('Ann', { preferred_slots: [{ time_of_day: 'evening' }] })
      for (const id of [slot.id, other.id, `${later.id.slice(0, -1)}_`])
        expect((await offer(ann.id, id)).code).toBe('slot_unavailable')
      expect((await offer('wle_none', later.id)).code).toBe('entry_not_found')
      expect((await offer(ann.id, later.id, { ifMatch: 'stale' })).code).toBe('revision_mismatch')
      await offer(ann.id, later.id)
      expect((await offer(ann.id, later.id)).code).toBe('invalid_transition')
      const begun = shop.time.now
      shop.time.now = new Date(Date.parse(later.start) - 119 * 60_000)
      const bob = await wait('Bob')
      expect((await offer(bob.id, later.id)).code).toBe('booking_window_violated')
      shop.time.now = begun
      await clear([booking])
    })

    test('a viewer looks and changes nothing, a platform does not even look', async () => {
      const ann = await wait('Ann')
      const viewer = await shop.staffAs('viewer')
      expect((await staff('list', {}, { as: viewer })).data.entries).toHaveLength(1)
      expect((await staff('move', { entry_id: ann.id, position: 1 }, { as: viewer })).code).toBe(
        'authentication_required',
      )
      expect((await staff('list', {}, { as: shop.platform })).code).toBe('authentication_required')
      await clear()
    })
  },
)
