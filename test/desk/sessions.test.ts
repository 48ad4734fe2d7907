import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { inStudio, studio, walkIn } from './studio.ts'

await inStudio((desk, staff, shop) => {
  const week = { service_id: 'svc_class', start_date: '2026-11-24', end_date: '2026-11-30' }
  const sessions = async () => (await staff('sessions_list', week)).data.sessions
  const resize = (session_id: string, capacity: number) => staff('sessions_resize', { session_id, capacity })
  /** The definition is applied again, with another name, so that every class is looked at. */
  let names = 0
  const apply = async (more: Partial<BusinessDefinition> = {}) => {
    await shop.apply({ ...studio, ...more, business: { ...studio.business, name: `Studio ${names++}` } })
    await shop.runtime.business.seenBy(shop.runtime.db)
  }
  const applyAnew = () => apply()
  const slotOf = async ({ start }: { start: string }) =>
    (await desk.slots('svc_class')).find((slot) => slot.start === start)

  test('the classes of a week, and how full they are', async () => {
    const before = await sessions()
    expect(before).toHaveLength(7)
    expect(before[0]).toMatchObject({
      service_id: 'svc_class',
      start: '2026-11-24T16:00:00-05:00',
      end: '2026-11-24T17:00:00-05:00',
      resource_ids: ['staff_cat', 'room_big'],
      capacity: 3,
      taken: 0,
      held: 0,
      status: 'open',
    })
    const slot = await slotOf(before[0])
    await desk.book(slot, { party_size: 2 })
    const held = await desk.hold(slot)
    expect((await sessions())[0]).toMatchObject({ taken: 3, held: 1 })
    await desk.release(held.data.hold.id)
    expect((await sessions())[0]).toMatchObject({ taken: 2, held: 0 })
  })

  test('one class, and who takes part in it', async () => {
    const [session, next] = await sessions()
    const read = (session_id: string) => staff('sessions_get', { session_id })
    expect((await read(session.id)).data.session).toEqual(session)
    expect(await read('ses_none')).toMatchObject({ code: 'not_found' })
    const taking = async (session_id: string) =>
      (await staff('bookings_list', { session_id })).data.bookings.map(({ id }: { id: string }) => id)
    const before = await taking(session.id)
    const { data } = await desk.book(await slotOf(session))
    expect(await taking(session.id)).toEqual(expect.arrayContaining([...before, data.booking.id]))
    expect(await taking(next.id)).toEqual([])
    await staff('bookings_cancel', { booking_id: data.booking.id })
  })

  test('more may take part, or fewer, but never fewer than have a place; and so it stays', async () => {
    const [session] = await sessions()
    const slot = await slotOf(session)
    expect(await resize(session.id, 1)).toMatchObject({ status: 200, code: 'capacity_exceeded' })
    expect((await resize(session.id, 2)).data.session).toMatchObject({ capacity: 2, taken: 2 })
    expect((await desk.book(slot)).code).toBe('slot_unavailable')
    expect((await resize(session.id, 4)).data.session).toMatchObject({ capacity: 4, taken: 2 })
    expect((await desk.book(slot, { party_size: 2 })).code).toBeUndefined()
    await resize(session.id, 5)
    await applyAnew()
    expect((await sessions())[0]).toMatchObject({ id: session.id, capacity: 5, taken: 4 })
  })

  test('[never fewer than have a place] a definition that lets fewer take part leaves room for all who do', async () => {
    const last = (await sessions()).length - 1
    const smaller = (max: number) =>
      apply({
        services: studio.services.map((one) => (one.id === 'svc_class' ? { ...one, capacity: { min: 1, max } } : one)),
      })
    const { data } = await desk.book(await slotOf((await sessions())[last]), { party_size: 2 })
    await smaller(1)
    expect((await sessions())[last]).toMatchObject({ capacity: 2, taken: 2 })
    expect((await sessions())[last - 1]).toMatchObject({ capacity: 1, taken: 0 })
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
    // Once somebody leaves it, it is as small as it should be.
    await desk.cancel(data.booking.id)
    await smaller(1)
    expect((await sessions())[last]).toMatchObject({ capacity: 1, taken: 0 })
    await applyAnew()
    expect((await sessions())[last]).toMatchObject({ capacity: 3, taken: 0 })
  })

  test('a lapsed hold does not keep a class from becoming smaller', async () => {
    const session = (await sessions())[1]
    const slot = await slotOf(session)
    // A server goes on with the definition of before for a second.
    await expect.poll(async () => (await desk.hold(slot, { spots: 3 })).code).toBeUndefined()
    expect((await resize(session.id, 0)).code).toBe('capacity_exceeded')
    shop.minutesLater(10)
    expect((await resize(session.id, 0)).data.session).toMatchObject({ capacity: 0, taken: 0 })
  })

  test('[PAY-063] [BKG-095] a class that is canceled is refunded to all, and its teacher is free', async () => {
    const session = (await sessions())[2]
    const slot = await slotOf(session)
    const first = await desk.book(slot)
    const paid = await desk.pay(first.data.booking)
    const unpaid = await desk.book(slot)
    const held = await desk.hold(slot)
    const time = { start: session.start, end: session.end }
    expect((await staff('blocks_create', { resource_id: 'staff_cat', ...time })).code).toBe('slot_unavailable')

    const { data } = await staff('sessions_cancel', { session_id: session.id, reason: 'Cat is ill.' })
    expect(data.session).toMatchObject({ id: session.id, status: 'canceled', taken: 0 })
    const ids = [paid.data.booking.id, unpaid.data.booking.id]
    expect(data.booking_ids.toSorted()).toEqual(ids.toSorted())
    for (const [id, refund] of [
      [ids[0], 12000],
      [ids[1], 0],
    ])
      expect((await desk.get(id)).data.booking).toMatchObject({
        status: 'canceled',
        cancellation: { canceled_by: 'business', fee: 0, refund_amount: refund, reason: 'Cat is ill.' },
      })
    expect(await slotOf(session)).toBeUndefined()
    expect((await desk.book(slot)).code).toBe('slot_unavailable')
    expect((await desk.book(slot, { hold_id: held.data.hold.id })).code).toMatch(/^(slot_unavailable|hold_expired)$/)
    expect((await staff('blocks_create', { resource_id: 'staff_cat', ...time })).code).toBeUndefined()

    const again = await staff('sessions_cancel', { session_id: session.id })
    expect(again.data).toEqual({ ...data, booking_ids: [] })
    expect((await resize(session.id, 5)).code).toBe('invalid_transition')
    // The definition wants it, but what the staff canceled does not come back.
    await applyAnew()
    expect(await slotOf(session)).toBeUndefined()
  })

  test('a class in which somebody takes part already goes on', async () => {
    const session = (await sessions())[3]
    const made = await staff('bookings_create', { service_id: 'svc_class', start: session.start, buyer: walkIn })
    const { id } = made.data.booking
    await staff('bookings_start', { booking_id: id })
    expect((await staff('sessions_cancel', { session_id: session.id })).code).toBe('cancellation_not_allowed')
    expect((await sessions())[3]).toMatchObject({ status: 'open', taken: 1 })
  })

  test('whoever books while the class is being canceled is canceled as well, or not booked at all', async () => {
    const session = (await sessions())[4]
    const slot = await slotOf(session)
    const held = await desk.hold(slot)
    const said = await Promise.all([
      desk.book(slot),
      staff('sessions_cancel', { session_id: session.id }),
      desk.book(slot, { hold_id: held.data.hold.id }),
      desk.book(slot),
    ])
    const booked = said.flatMap(({ data }) => data.booking?.id ?? [])
    for (const id of booked) expect((await desk.get(id)).data.booking.status).toBe('canceled')
    expect(said[1].data.booking_ids.toSorted()).toEqual(booked.toSorted())
    const seats = await shop.runtime.db
      .selectFrom('seats')
      .select('holder_id')
      .where('session_id', '=', session.id)
      .execute()
    expect(seats).toEqual([])
  })

  test('a class goes on to the moment at which it ends, and from then on it is over', async () => {
    const session = (await sessions())[5]
    const before = shop.time.now
    const end = Date.parse(session.end)
    shop.time.now = new Date(end)
    expect((await staff('sessions_cancel', { session_id: session.id })).code).toBe('invalid_transition')
    shop.time.now = new Date(end - 1)
    expect((await staff('sessions_cancel', { session_id: session.id })).data.session.status).toBe('canceled')
    shop.time.now = before
  })

  test.each(['cancel', 'resize'])('a class that does not exist cannot be %sd', async (what) => {
    const more = what === 'resize' ? { capacity: 1 } : {}
    expect((await staff(`sessions_${what}`, { session_id: 'ses_none', ...more })).code).toBe('not_found')
  })
})
