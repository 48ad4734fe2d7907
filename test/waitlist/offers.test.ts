import { expect, test } from 'vitest'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, onBothDesks, testShop } from '../support/desk.ts'
import { testPlatform } from '../support/platform.ts'
import { testReceiver } from '../support/receiver.ts'

const definition = businessWith([
  service('svc_class', {
    type: 'group',
    capacity: { max: 2, waitlist: true },
    sessions: [{ days: ['wednesday'], starts: '10:00' }],
    waitlist: { limit: 3 },
  }),
])
const receiver = await testReceiver()
const platform = await testPlatform({ webhook_url: receiver.url })
const person = (name: string) => ({ ...buyer, first_name: name, email: `${name}@example.com` })

await onBothDesks(
  async () => {
    const shop = await testShop(definition)
    return { ...shop, platform: await shop.newPlatform(platform.url) }
  },
  (desk, shop) => {
    const join = (name: string, more = {}) =>
      desk.call('usp_waitlist_join', { service_id: 'svc_class', buyer: person(name), ...more })
    const get = async (entry_id: string) => (await desk.call('usp_waitlist_get', { entry_id })).data.entry
    const act = (what: string, entry_id: string, more = {}) => desk.call(`usp_waitlist_${what}`, { entry_id, ...more })

    test('[WTL-001] [WTL-006] [ERR-032] [WTL-010] [AVL-030] [WTL-028] [WTL-034] [WTL-037] from a full class over the queue to a booking', async () => {
      const [slot] = await desk.slots('svc_class')
      const first = (await desk.book(slot)).data.booking
      const second = (await desk.book(slot, { buyer: person('Second') })).data.booking
      const [full] = await desk.slots('svc_class')
      expect(full).toMatchObject({ id: slot.id, state: 'waitlist', capacity: { total: 2, remaining: 0 } })
      expect((await desk.book(slot)).code).toBe('slot_unavailable')

      const joined = []
      for (const name of ['Ann', 'Bob', 'Cid']) joined.push((await join(name)).data.entry)
      expect(joined.map(({ status, position }) => [status, position])).toEqual([
        ['waiting', 1],
        ['waiting', 2],
        ['waiting', 3],
      ])
      const dan = await join('Dan')
      expect([dan.code, dan.severity]).toEqual(['waitlist_full', 'recoverable'])
      const [ann, bob, cid] = joined

      await desk.cancel(first.id)
      expect(await get(ann.id)).toMatchObject({ status: 'offered', offered_slot: { slot_id: slot.id }, position: 1 })
      expect((await get(bob.id)).status).toBe('waiting')
      expect((await desk.book(slot)).code).toBe('slot_unavailable')
      expect((await act('accept', bob.id)).code).toBe('invalid_transition')

      const accepted = await act('accept', ann.id)
      expect(accepted.status).toBe(200)
      expect(accepted.data).toMatchObject({
        entry: { status: 'accepted', position: 1 },
        booking: { status: 'confirmed', slot: { id: slot.id }, buyer: person('Ann') },
      })
      expect((await act('accept', ann.id)).code).toBe('offer_already_accepted')
      receiver.received.length = 0
      await sendDueEvents(shop.runtime)
      expect((await desk.get(accepted.data.booking.id)).data.booking.id).toBe(accepted.data.booking.id)

      await desk.cancel(second.id)
      expect((await get(bob.id)).status).toBe('offered')
      expect((await act('decline', bob.id)).data.entry).toMatchObject({ status: 'waiting', position: 2 })
      expect(await get(cid.id)).toMatchObject({ status: 'offered', position: 1 })

      shop.minutesLater(31)
      expect((await get(cid.id)).status).toBe('expired')
      expect((await act('accept', cid.id)).code).toBe('offer_expired')
      await runWaitlist(shop.runtime)
      expect((await get(bob.id)).status).toBe('offered')
      const { entry } = (await act('leave', bob.id)).data
      expect(entry).toEqual({ id: bob.id, status: 'removed', revision: (await get(bob.id)).revision })
      expect((await desk.slots('svc_class'))[0]).toMatchObject({ id: slot.id, capacity: { remaining: 1 } })

      await sendDueEvents(shop.runtime)
      const told = (id: string) =>
        receiver.received.filter(({ body }) => body.entry_id === id).map(({ body }) => body.event)
      expect(told(ann.id)).toEqual(['waitlist.spot_offered', 'waitlist.converted'])
      // The offer tells the position that changed with it.
      expect(told(cid.id)).toEqual(['waitlist.position_changed', 'waitlist.spot_offered', 'waitlist.expired'])
    })
  },
)
