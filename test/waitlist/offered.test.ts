import { expect, test } from 'vitest'
import { runWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import { onBothDesks } from '../support/desk.ts'
import { business, CLASS, classOfOne, lineOf, openShop } from './queue.ts'

await onBothDesks(openShop, (desk, shop) => {
  const { wait, fill, entry, leave, accept, decline, list } = lineOf(desk)
  /** Nobody waits any more, and every class is free again. */
  async function clear(bookings: { id: string }[]) {
    for (const { id, status } of (await list()).data.entries)
      if (['waiting', 'offered'].includes(status)) await leave(id)
    for (const { id } of bookings) await desk.cancel(id)
  }

  test('[WTL-029] [WTL-030] [WTL-036] an offer names the slot and its end; entries without one name neither', async () => {
    const bookings = await fill()
    const [ann, bob] = [await wait('Ann'), await wait('Bob')]
    await desk.cancel(bookings[0].id)
    const offered = await entry(ann.id)
    const { id: slot_id, start, end } = bookings[0].slot
    expect(offered.offered_slot).toEqual({ slot_id, start, end })
    expect(Date.parse(offered.offer_expires_at) - shop.time.now.getTime()).toBe(30 * 60_000)
    for (const other of [await entry(bob.id), ann]) {
      expect(other.offered_slot).toBeUndefined()
      expect(other.offer_expires_at).toBeUndefined()
    }
    await clear(bookings)
  })

  test('[WTL-032] [WTL-033] [WTL-056] each is offered only what suits', async () => {
    const bookings = await fill()
    const [tuesday, wednesday, thursday] = bookings.map(({ slot }) => slot)
    const later = await wait('Later', { preferred_slots: [{ start_date: '2026-11-25' }] })
    const evening = await wait('Evening', { preferred_slots: [{ time_of_day: 'evening' }] })
    const exact = await wait('Exact', { slot_id: tuesday.id })
    const whenever = await wait('Whenever', { preferred_slots: [{ time_of_day: 'whenever' }] })
    await desk.cancel(bookings[0].id)
    expect((await entry(exact.id)).offered_slot.slot_id).toBe(tuesday.id)
    await desk.cancel(bookings[1].id)
    expect((await entry(later.id)).offered_slot.slot_id).toBe(wednesday.id)
    await desk.cancel(bookings[2].id)
    expect((await entry(whenever.id)).offered_slot.slot_id).toBe(thursday.id)
    expect((await entry(evening.id)).status).toBe('waiting')
    await clear(bookings)
  })

  test('[WTL-012] [WTL-024] [WTL-025] [WTL-053] who leaves is removed, and those behind move up once', async () => {
    const bookings = await fill()
    const [ann, bob, cid] = [await wait('Ann'), await wait('Bob'), await wait('Cid')]
    const left = (await leave(ann.id)).data.entry
    expect(left).toEqual({ id: ann.id, status: 'removed', revision: (await entry(ann.id)).revision })
    expect((await leave(ann.id)).data.entry).toEqual(left)
    expect((await entry(ann.id)).status).toBe('removed')
    expect([(await entry(bob.id)).position, (await entry(cid.id)).position]).toEqual([1, 2])
    await clear(bookings)
  })

  test('[WTL-027] [WTL-031] [WTL-050] what is declined or left goes to the next, then on sale', async () => {
    const bookings = await fill()
    const [ann, bob] = [await wait('Ann'), await wait('Bob')]
    await desk.cancel(bookings[0].id)
    expect((await entry(bob.id)).status).toBe('waiting')
    await leave(ann.id)
    expect((await entry(bob.id)).status).toBe('offered')
    await leave(bob.id)
    const [slot] = await desk.slots(CLASS)
    expect(slot).toMatchObject({ id: bookings[0].slot.id, state: 'available' })
    await clear(bookings)
  })

  test('[WTL-048] [WTL-049] who declines waits at the end; who wanted that very slot is gone', async () => {
    const bookings = await fill()
    const [ann, bob] = [await wait('Ann', { slot_id: bookings[0].slot.id }), await wait('Bob')]
    await desk.cancel(bookings[0].id)
    expect((await decline(ann.id)).data.entry).toMatchObject({ status: 'removed', position: 1 })
    expect((await entry(bob.id)).status).toBe('offered')
    const cid = await wait('Cid')
    expect((await decline(bob.id)).data.entry).toMatchObject({ status: 'waiting', position: 2 })
    expect((await entry(cid.id)).status).toBe('offered')
    await clear(bookings)
  })

  test('[WTL-011] [WTL-041] [WTL-051] [WTL-052] [ERR-033] an offer that is not answered in time is over', async () => {
    const bookings = await fill()
    const ann = await wait('Ann')
    await desk.cancel(bookings[0].id)
    shop.minutesLater(31)
    expect(await entry(ann.id)).toMatchObject({ status: 'expired', position: 1 })
    expect((await entry(ann.id)).offered_slot).toBeUndefined()
    const late = await accept(ann.id)
    expect([late.status, late.code, late.severity]).toEqual([200, 'offer_expired', 'recoverable'])
    await runWaitlist(shop.runtime)
    expect(await entry(ann.id)).toMatchObject({ status: 'expired', position: 1 })
    await clear(bookings)
  })

  test('[WTL-044] what is not offered can be neither accepted nor declined', async () => {
    const bookings = await fill()
    const ann = await wait('Ann')
    for (const act of [accept, decline]) expect((await act(ann.id)).code).toBe('invalid_transition')
    await leave(ann.id)
    for (const act of [accept, decline]) expect((await act(ann.id)).code).toBe('invalid_transition')
    await clear(bookings)
  })

  test('[WTL-054] an offer of what the business takes back ends without a booking', async () => {
    const bookings = await fill()
    const ann = await wait('Ann')
    await desk.cancel(bookings[0].id)
    expect((await entry(ann.id)).status).toBe('offered')
    await shop.apply({ ...business, services: [{ ...classOfOne, status: 'suspended' }, ...business.services.slice(1)] })
    const seen = async () => (await shop.runtime.business.get())?.services[0]?.status
    await expect.poll(seen).toBe('suspended')
    expect((await accept(ann.id)).code).toBe('offer_expired')
    await runWaitlist(shop.runtime)
    expect((await entry(ann.id)).status).toBe('expired')
    await shop.apply(business)
    await clear(bookings)
  })
})
