import { expect, test } from 'vitest'
import { service } from '../support/definitions.ts'
import { onBothDesks } from '../support/desk.ts'
import { business, CLASS, classOfOne, lineOf, openShop, person } from './queue.ts'

const { policies } = service('any')
const variants = {
  paid: { ...classOfOne, id: 'svc_paid', policies: { ...policies, payment_timing: 'at_booking' as const } },
  manual: { ...classOfOne, id: 'svc_manual', policies: { ...policies, confirmation_mode: 'manual' as const } },
  late: {
    ...classOfOne,
    id: 'svc_late',
    capacity: { max: 2, waitlist: true },
    policies: {
      ...policies,
      payment_timing: 'at_booking' as const,
      cancellation: { allowed: true, free_cancellation_until: 'P30D', late_cancellation_fee: 2000 },
    },
  },
}
const definition = { ...business, services: [classOfOne, ...Object.values(variants)] }

await onBothDesks(
  () => openShop(definition),
  (desk) => {
    const { join, entry, accept, leave, decline, read } = lineOf(desk)

    /** Somebody who is offered the first slot of a service. */
    async function offered(service_id: string, name: string, more = {}) {
      const [slot] = await desk.slots(service_id)
      const { booking } = (await desk.book(slot)).data
      const { data } = await join(name, { service_id, ...more })
      await desk.cancel(booking.id)
      return { slot, id: data.entry.id as string, joined: data }
    }

    test('[WTL-037] [WTL-038] accepting books the offered slot for who waited, and it is a booking like any other', async () => {
      const { slot, id } = await offered(CLASS, 'Ann')
      const said = await accept(id)
      expect(said.status).toBe(200)
      const { booking } = said.data
      expect(said.data.entry).toMatchObject({ id, status: 'accepted', position: 1 })
      expect(booking).toMatchObject({
        slot: { id: slot.id },
        service_id: CLASS,
        buyer: person('Ann'),
        status: 'confirmed',
      })
      const [, other] = await desk.slots(CLASS)
      expect((await desk.reschedule(booking.id, other)).data.booking.slot.id).toBe(other.id)
      expect((await desk.cancel(booking.id)).data.booking.status).toBe('canceled')
    })

    test('[WTL-039] for a service paid at booking the payment comes first', async () => {
      const { id } = await offered('svc_paid', 'Ann')
      const { booking } = (await accept(id)).data
      expect(booking).toMatchObject({ status: 'requires_action', actions: [{ type: 'payment', status: 'pending' }] })
      expect((await desk.pay(booking)).data.booking.status).toBe('confirmed')
    })

    test('[WTL-040] where the business confirms, it is asked', async () => {
      const { id } = await offered('svc_manual', 'Ann')
      expect((await accept(id)).data.booking.status).toBe('pending')
    })

    test('[WTL-026] [WTL-042] [ERR-035] accepting twice makes one booking, and leaving afterwards keeps it', async () => {
      const { id } = await offered(CLASS, 'Bob')
      const { booking } = (await accept(id)).data
      const again = await accept(id)
      expect([again.status, again.code, again.severity]).toEqual([200, 'offer_already_accepted', 'recoverable'])
      expect((await leave(id)).data.entry.status).toBe('removed')
      expect((await desk.get(booking.id)).data.booking.status).toBe('confirmed')
      await desk.cancel(booking.id)
    })

    test('[WTL-043] thirty who accept at once make one booking', async () => {
      const { id } = await offered(CLASS, 'Cid')
      const said = await Promise.all(Array.from({ length: 30 }, () => accept(id)))
      const made = said.filter(({ data }) => data.booking)
      expect(made).toHaveLength(1)
      expect(said.filter(({ code }) => code === 'offer_already_accepted')).toHaveLength(29)
      await desk.cancel(made[0]?.data.booking.id)
    })

    test('[WTL-045] a hold on another place of the offered slot can be turned into the booking', async () => {
      const [slot] = await desk.slots('svc_late')
      const taken = [(await desk.book(slot)).data.booking, (await desk.book(slot)).data.booking]
      const { data } = await join('Dan', { service_id: 'svc_late' })
      await desk.cancel(taken[0].id)
      expect((await entry(data.entry.id)).status).toBe('offered')
      await desk.cancel(taken[1].id)
      const held = (await desk.hold(slot)).data.hold
      const { booking } = (await accept(data.entry.id, { hold_id: held.id })).data
      expect(booking.slot.id).toBe(slot.id)
      expect((await desk.release(held.id)).data.hold.status).toBe('converted')
      expect((await desk.slots('svc_late'))[0].capacity).toMatchObject({ remaining: 1, held: 0 })
    })

    test('[WTL-055] the earlier booking of the same buyer can be given back without a fee', async () => {
      const [first, second] = await desk.slots('svc_late')
      const mine = (await desk.book(second, { buyer: person('Eve') })).data.booking
      await desk.pay(mine)
      const others = []
      for (let left = first.capacity.remaining; left > 0; left--) others.push((await desk.book(first)).data.booking)
      const { data } = await join('Eve', { service_id: 'svc_late', slot_id: first.id })
      await desk.cancel(others[0].id)
      expect((await accept(data.entry.id)).data.booking.slot.id).toBe(first.id)
      expect((await desk.cancel(mine.id)).data.booking.cancellation).toMatchObject({ fee: 0, refund_amount: 7500 })
    })

    test('[WTL-047] what is repeated under its key is answered as the first time', async () => {
      const key = () => ({ idempotencyKey: crypto.randomUUID() })
      const joining = key()
      const [slot] = await desk.slots(CLASS)
      const { booking } = (await desk.book(slot)).data
      const one = await join('Fay', {}, joining)
      expect((await join('Fay', {}, joining)).data).toEqual(one.data)
      await desk.cancel(booking.id)
      const { id } = one.data.entry
      const declining = key()
      const declined = await decline(id, {}, declining)
      expect((await decline(id, {}, declining)).data).toEqual(declined.data)
      const accepting = key()
      const accepted = await accept(id, {}, accepting)
      expect((await accept(id, {}, accepting)).data).toEqual(accepted.data)
      const leaving = key()
      const left = await leave(id, {}, leaving)
      expect((await leave(id, {}, leaving)).data).toEqual(left.data)
    })

    test('[REV-002] [REV-006] [REV-013] every change gives another revision, and a stale one changes nothing', async () => {
      const bookings = []
      for (const slot of await desk.slots('svc_manual')) {
        const { booking } = (await desk.book(slot)).data
        if (booking) bookings.push(booking)
      }
      const ann = (await join('Ann', { service_id: 'svc_manual' })).data.entry
      const bob = (await join('Bob', { service_id: 'svc_manual' })).data.entry
      const stale = { ifMatch: bob.revision }
      await leave(ann.id)
      const moved = (await read(bob.id)).data.entry
      expect(moved).toMatchObject({ position: 1 })
      expect(moved.revision).not.toBe(bob.revision)
      for (const act of [leave, accept, decline]) expect((await act(bob.id, {}, stale)).code).toBe('revision_mismatch')
      expect((await read(bob.id)).data.entry).toEqual(moved)
      await desk.cancel(bookings[0].id)
      const current = (await read(bob.id)).data.entry
      expect(current.revision).not.toBe(moved.revision)
      expect((await leave(bob.id, {}, { ifMatch: current.revision })).data.entry.status).toBe('removed')
    })
  },
)
