import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, restDesk, testShop } from '../support/desk.ts'
import { inStudio, tuesday, walkIn } from './studio.ts'

await inStudio((desk, staff, shop) => {
  const block = (more: Record<string, unknown> = {}) =>
    staff('blocks_create', { resource_id: 'staff_ann', start: tuesday('10:00'), end: tuesday('12:00'), ...more })
  const unblock = (block_id: string) => staff('blocks_remove', { block_id })
  const annsStarts = async () =>
    (await desk.slots('svc_cut', { resource_id: 'staff_ann', end_date: '2026-11-24' })).map(({ start }) => start)

  test('what is blocked from now on is listed, the first first, in pages', async () => {
    const made = []
    for (const [start, end] of [
      ['14:00', '15:00'],
      ['10:00', '12:00'],
    ] as const)
      made.unshift((await block({ start: tuesday(start), end: tuesday(end) })).data.block)
    const past = (await block({ start: '2026-11-19T10:00:00-05:00', end: '2026-11-19T11:00:00-05:00' })).data.block
    const list = async (more = {}) => (await staff('blocks_list', more)).data
    expect((await list()).blocks).toEqual(made)
    const first = await list({ limit: 1 })
    expect(first).toMatchObject({ blocks: [made[0]], pagination: { has_more: true } })
    const { cursor } = first.pagination
    expect(await list({ limit: 1, cursor })).toMatchObject({ blocks: [made[1]], pagination: { has_more: false } })
    expect((await list({ resource_id: 'staff_ben' })).blocks).toEqual([])
    expect(await staff('blocks_list', { resource_id: 'staff_ann', cursor })).toMatchObject({ code: 'cursor_expired' })
    for (const { id } of [...made, past]) await unblock(id)
  })

  test('[AVL-060] blocked time is offered to nobody, and again when it is unblocked', async () => {
    const before = await annsStarts()
    expect(before).toContain(tuesday('10:00'))
    const { status, data } = await block({ reason: 'Dentist' })
    expect(status).toBe(desk.binding === 'REST' ? 201 : 200)
    expect(data.block).toMatchObject({
      resource_id: 'staff_ann',
      start: tuesday('10:00'),
      end: tuesday('12:00'),
      reason: 'Dentist',
      created_by: expect.stringMatching(/^staff:/),
    })
    // A cut takes an hour, and a quarter of an hour to tidy up.
    const gone = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'].map(tuesday)
    expect(await annsStarts()).toEqual(before.filter((start) => !gone.includes(start)))
    const rival = await staff('bookings_create', {
      service_id: 'svc_cut',
      start: tuesday('11:00'),
      resource_ids: ['staff_ann'],
      buyer: walkIn,
      override: ['hours', 'booking_window', 'capacity'],
    })
    expect(rival.code).toBe('slot_unavailable')

    expect((await unblock(data.block.id)).data.block).toEqual(data.block)
    expect(await annsStarts()).toEqual(before)
    expect(await unblock(data.block.id)).toMatchObject({ code: 'not_found' })
    const entries = await shop.runtime.db
      .selectFrom('changes')
      .select(['action', 'actor'])
      .where('subject', '=', `block ${data.block.id}`)
      .orderBy('number')
      .execute()
    const actor = data.block.created_by
    expect(entries).toEqual([
      { action: 'block', actor },
      { action: 'unblock', actor },
    ])
  })

  test('what is taken cannot be blocked, but up to it and from it on', async () => {
    const [slot] = await desk.slots('svc_bike')
    const { data } = await desk.book(slot)
    const { start, end } = data.booking.slot
    const bike = { resource_id: 'bike_1' }
    expect((await block({ ...bike, start, end })).code).toBe('slot_unavailable')
    const hourBefore = new Date(Date.parse(start) - 3_600_000).toISOString()
    const hourAfter = new Date(Date.parse(end) + 3_600_000).toISOString()
    expect((await block({ ...bike, start: hourBefore, end: start })).code).toBeUndefined()
    expect((await block({ ...bike, start: end, end: hourAfter })).code).toBeUndefined()
    expect((await block({ ...bike, start: end, end: hourAfter })).code).toBe('slot_unavailable')
  })

  test('[a block over bookings says which they are] and what else has the time', async () => {
    const at = (time: string) => `2026-11-26T${time}:00-05:00`
    const cut = async (start: string) =>
      (await desk.slots('svc_cut', { resource_id: 'staff_ann' })).find((slot) => slot.start === at(start))
    const wide = { start: at('08:00'), end: at('18:00') }
    const bookings = []
    for (const start of ['11:00', '09:00']) bookings.push((await desk.book(await cut(start))).data.booking)
    const { hold } = (await desk.hold(await cut('13:00'))).data
    const blocked = (await block({ start: at('16:00'), end: at('17:00') })).data.block
    const { status, code, severity, data } = await block(wide)
    expect([status, code, severity]).toEqual([200, 'slot_unavailable', 'recoverable'])
    const [later, earlier] = bookings
    const taken = { resource_id: 'staff_ann' }
    expect(data.messages).toMatchObject([
      {
        path: '$.start',
        taken_by: [
          { ...taken, kind: 'booking', id: earlier.id, start: at('09:00'), end: at('10:15') },
          { ...taken, kind: 'booking', id: later.id, start: at('11:00'), end: at('12:15') },
          { ...taken, kind: 'hold', start: at('13:00'), end: at('14:15'), expires_at: hold.expires_at },
          { ...taken, kind: 'block', id: blocked.id, start: at('16:00'), end: at('17:00') },
        ],
      },
    ])
    expect(data.messages[0].taken_by[2]).not.toHaveProperty('id')
    expect(JSON.stringify(data)).not.toContain(hold.id)
    for (const named of [earlier.id, later.id, blocked.id, at('09:00'), 'a hold'])
      expect(data.messages[0].content).toContain(named)

    await desk.release(hold.id)
    await unblock(blocked.id)
    await desk.cancel(earlier.id)
    const { taken_by } = (await block(wide)).data.messages[0]
    expect(taken_by.map(({ id }: { id: string }) => id)).toEqual([later.id])
    await desk.cancel(later.id)
    const free = (await block(wide)).data.block
    expect(free).toMatchObject(wide)
    await unblock(free.id)
  })

  test('[a block over bookings says which they are] a class too, and of many the first in words', async () => {
    const { sessions } = (
      await staff('sessions_list', { service_id: 'svc_class', start_date: '2026-11-24', end_date: '2026-11-30' })
    ).data
    const { data } = await block({ resource_id: 'staff_cat', end: '2026-12-01T00:00:00-05:00' })
    const [{ content, taken_by }] = data.messages
    expect(taken_by.map(({ kind, id }: { kind: string; id: string }) => [kind, id])).toEqual(
      sessions.map(({ id }: { id: string }) => ['session', id]),
    )
    expect(content).toContain(sessions[4].id)
    expect(content).not.toContain(sessions[5].id)
    expect(content).toMatch(/ and others\. Move or cancel/)
  })

  test.each([
    ['of nobody', { resource_id: 'staff_none' }, 'not_found'],
    ['that ends before it starts', { end: tuesday('10:00') }, 'validation_error'],
    ['without an end in time', { end: '9999-01-01T00:00:00Z' }, 'validation_error'],
  ])('a block %s is refused', async (_, more, code) => {
    expect((await block(more)).code).toBe(code)
  })
})

test('[a block over bookings says which they are] whom a place is offered to nobody needs to know', async () => {
  const chair = service('svc_chair', {
    capacity: { max: 1, waitlist: true },
    resources: [{ type: 'staff', options: ['ann'] }],
  })
  const shop = await testShop(businessWith([chair], { resources: [{ id: 'ann', type: 'staff', name: 'Ann' }] }))
  const desk = restDesk(shop)
  const [slot] = await desk.slots('svc_chair')
  const { booking } = (await desk.book(slot)).data
  const wish = { service_id: 'svc_chair', slot_id: slot.id, buyer }
  const { entry } = (await desk.call('usp_waitlist_join', wish)).data
  await desk.cancel(booking.id)
  const time = { resource_id: 'ann', start: slot.start, end: slot.end }
  const { data } = await desk.call('usp_business_blocks_create', time, { as: shop.staff })
  const [{ taken_by }] = data.messages
  expect(taken_by).toMatchObject([{ kind: 'offer', resource_id: 'ann' }])
  expect(JSON.stringify(data)).not.toContain(entry.id)
})
