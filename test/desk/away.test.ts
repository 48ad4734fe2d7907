import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import type { Database } from '../../src/infra/db/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, type Said, testShop } from '../support/desk.ts'
import { person } from '../waitlist/queue.ts'
import { inStudio, tuesday, walkIn } from './studio.ts'

interface Listed {
  id: string
  revision: string
  start: string
  end: string
  resource_ids: string[]
  actions: string[]
  suggestion?: { start: string; end: string; resource_ids: string[] }
}

await inStudio((desk, staff, shop) => {
  const { db } = shop.runtime
  /** A day of its own for each test, apart from those to which the others move. */
  let nth = 0
  const newDay = () => {
    const date = new Date(Date.UTC(2026, 11, 1 + 4 * nth++)).toISOString().slice(0, 10)
    const at = (time: string) => `${date}T${time}:00-05:00`
    return { at, away: { resource_id: 'staff_ann', start: at('00:00'), end: at('23:59') } }
  }
  const booked = async (start: string, more: Record<string, unknown> = {}) => {
    const wish = { service_id: 'svc_cut', start, buyer: walkIn, override: ['booking_window', 'hours'], ...more }
    const answer = await staff('bookings_create', wish)
    return answer.data.booking
  }
  const withAnn = (start: string) =>
    booked(start, { resource_ids: ['staff_ann'], buyer: { ...walkIn, email: `at${Date.parse(start)}@example.com` } })
  const affected = async (away: object): Promise<{ bookings: Listed[]; sessions: { id: string; taken: number }[] }> => {
    const { data } = await staff('time_affected', { ...away })
    return data
  }
  const asSuggested = ({ id, revision, suggestion }: Listed) => {
    const { end: _, ...to } = suggestion ?? { end: '' }
    return { booking_id: id, revision, action: 'move', ...to }
  }
  const to = (action: string, { id, revision }: Listed) => ({ booking_id: id, revision, action })
  const rowOf = (id: string) => db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const blocksOf = (start: string) =>
    db.selectFrom('blocks').selectAll().where('starts_at', '>=', new Date(start)).orderBy('starts_at').execute()
  const mailsOf = async (ids: readonly string[]) => {
    const subjects = ids.map((id) => `booking ${id}`)
    const rows = await db.selectFrom('mails').select(['kind', 'subject']).where('subject', 'in', subjects).execute()
    return rows.filter(({ kind }) => kind.endsWith('_by_business')).map(({ subject }) => subject)
  }
  const isClean = async () => expect((await verify(db, shop.time.now)).findings.listed).toEqual([])

  test('[a sick day] six bookings: each is told another time, no two the same, and one call does it all', async () => {
    const { at, away } = newDay()
    const starts = ['09:00', '10:30', '12:00', '13:30', '15:00', '16:30'].map(at)
    for (const start of starts) await withAnn(start)
    const { bookings } = await affected(away)
    expect(bookings.map(({ start }) => start)).toEqual(starts)
    // Ben comes at noon: whoever has the time keeps it, and the others come later.
    expect(bookings.slice(2).map(({ suggestion }) => [suggestion?.start, suggestion?.resource_ids])).toEqual(
      starts.slice(2).map((start) => [start, ['staff_ben']]),
    )
    const places = bookings.map(({ suggestion }) => `${suggestion?.start} ${suggestion?.resource_ids}`)
    expect(new Set(places).size).toBe(6)
    expect(bookings[0]).toMatchObject({
      buyer: { phone_number: walkIn.phone_number, email: expect.stringContaining('@example.com') },
      actions: ['move', 'cancel', 'keep'],
    })

    const { data } = await staff('time_clear', { ...away, reason: 'Ill', bookings: bookings.map(asSuggested) })
    expect(data).toMatchObject({ moved: bookings.map(({ id }) => id), canceled: [], kept: [], left: [] })
    expect(data.blocks).toMatchObject([{ resource_id: 'staff_ann', start: away.start, end: away.end, reason: 'Ill' }])
    for (const { id, suggestion } of bookings) {
      const { starts_at, resource_ids } = await rowOf(id)
      expect([starts_at.toISOString(), resource_ids]).toEqual([
        new Date(suggestion?.start ?? '').toISOString(),
        suggestion?.resource_ids,
      ])
    }
    expect(await affected(away)).toMatchObject({ bookings: [], sessions: [] })
    await isClean()
  })

  test('[a sick day] what is canceled is told and paid back, what is kept stays, and around it the time is blocked', async () => {
    const { at, away } = newDay()
    for (const time of ['09:00', '12:00', '15:00']) await withAnn(at(time))
    const [first, second, third] = (await affected(away)).bookings
    if (!first || !second || !third) throw new Error('Three are affected.')
    const bookings = [{ ...to('cancel', first), reason: 'Ann is ill.' }, to('keep', second), asSuggested(third)]
    const { data } = await staff('time_clear', { ...away, bookings })
    expect(data).toMatchObject({ moved: [third.id], canceled: [first.id], kept: [second.id] })
    expect(data.left).toMatchObject([{ kind: 'booking', id: second.id, start: at('12:00'), end: at('13:15') }])
    expect(data.blocks.map(({ start, end }: Listed) => [start, end])).toEqual([
      [away.start, at('12:00')],
      [at('13:15'), away.end],
    ])
    expect((await rowOf(first.id)).record).toMatchObject({
      cancellation: { reason: 'Ann is ill.', canceled_by: 'business', fee: 0 },
    })
    expect((await rowOf(second.id)).revision).toBe(1)
    await isClean()
  })

  test('[a sick day] called again with the same key it gives the same answer, and does nothing twice', async () => {
    const { at, away } = newDay()
    await withAnn(at('12:00'))
    const { bookings } = await affected(away)
    const again = () =>
      staff('time_clear', { ...away, bookings: bookings.map(asSuggested) }, { idempotencyKey: `clear ${away.start}` })
    const { data } = await again()
    expect((await again()).data).toEqual(data)
    expect(await blocksOf(away.start)).toHaveLength(1)
  })

  type Between = (tools: { at: (time: string) => string; listed: Listed[] }) => Promise<unknown>
  test.each<[what: string, why: string, code: string, between: Between]>([
    ['somebody booked', 'new', 'invalid_transition', ({ at }) => withAnn(at('15:00'))],
    [
      'a booking was moved',
      'changed',
      'invalid_transition',
      ({ at, listed }) =>
        staff('bookings_reschedule', { booking_id: listed[0]?.id, start: at('13:30'), resource_ids: ['staff_ann'] }),
    ],
    [
      'a booking was canceled',
      'changed',
      'invalid_transition',
      ({ listed }) => staff('bookings_cancel', { booking_id: listed[0]?.id }),
    ],
    [
      'a place that was shown was taken',
      'taken',
      'slot_unavailable',
      ({ at }) => booked(at('12:00'), { resource_ids: ['staff_ben'] }),
    ],
  ])('[a sick day] where %s since it was listed nothing is done, and it is said', async (_, why, code, between) => {
    const { at, away } = newDay()
    await withAnn(at('09:00'))
    await withAnn(at('12:00'))
    const { bookings: listed } = await affected(away)
    // What is canceled comes first, and is undone with the rest.
    const [first, second] = listed
    if (!first || !second) throw new Error('Two are affected.')
    await between({ at, listed })
    const before = await Promise.all(listed.map(({ id }) => rowOf(id)))
    const answer: Said = await staff('time_clear', { ...away, bookings: [to('cancel', first), asSuggested(second)] })
    expect(answer).toMatchObject({ status: 200, code })
    const { changed, content } = answer.data.messages[0]
    expect(changed).toMatchObject([{ why }])
    expect(content).toContain(changed[0].booking_id)
    if (why !== 'changed') expect(changed[0].suggestion).toMatchObject({ start: expect.any(String) })
    if (why === 'taken') expect(changed[0].suggestion).not.toMatchObject({ start: at('12:00') })
    expect(await Promise.all(listed.map(({ id }) => rowOf(id)))).toEqual(before)
    expect(await blocksOf(away.start)).toEqual([])
    await isClean()
  })

  test('[a sick day] a class is canceled with all who take part, or stays', async () => {
    const classAt = async (date: string) => {
      const of = { service_id: 'svc_class', start_date: date, end_date: date }
      return (await staff('sessions_list', of)).data.sessions[0]
    }
    const [one, other] = [await classAt('2026-11-24'), await classAt('2026-11-25')]
    const slots = await desk.slots('svc_class')
    const { booking } = (await desk.book(slots.find(({ start }) => start === one.start))).data
    const away = { resource_id: 'staff_cat', start: one.start, end: other.end }
    const { sessions, bookings } = await affected(away)
    expect([sessions.map(({ id, taken }) => [id, taken]), bookings]).toEqual([
      [
        [one.id, 1],
        [other.id, 0],
      ],
      [],
    ])
    const decided = (action: string, { id, taken }: { id: string; taken: number }) => ({
      session_id: id,
      taken,
      action,
    })
    const choices = (taken: number) => [decided('cancel', { ...one, taken }), decided('keep', { ...other, taken: 0 })]
    expect((await staff('time_clear', { ...away, sessions: choices(0) })).data.messages[0].changed).toEqual([
      { session_id: one.id, why: 'changed' },
    ])
    const { data } = await staff('time_clear', { ...away, sessions: choices(1) })
    expect(data).toMatchObject({ canceled: [booking.id], canceled_sessions: [one.id], kept_sessions: [other.id] })
    expect(data.left).toMatchObject([{ kind: 'session', id: other.id }])
    expect((await classAt('2026-11-24')).status).toBe('canceled')
    expect((await rowOf(booking.id)).status).toBe('canceled')
    await isClean()
  })

  test('[a closure] everybody is away, and whoever booked is given a time after it', async () => {
    const { at } = newDay()
    await withAnn(at('12:00'))
    const room = await booked(at('12:00'), { service_id: 'svc_room' })
    const asked = await booked(at('12:00'), { service_id: 'svc_counter' })
    const away = { everybody: true, start: at('11:00'), end: at('14:00') }
    const { bookings } = await affected(away)
    expect(bookings.map(({ id }) => id)).toEqual(expect.arrayContaining([room.id, asked.id]))
    for (const { suggestion } of bookings)
      expect(Date.parse(suggestion?.start ?? '')).toBeGreaterThanOrEqual(Date.parse(away.end))
    const { data } = await staff('time_clear', { ...away, bookings: bookings.map(asSuggested) })
    expect(data.moved).toHaveLength(3)
    const blocked = new Set(data.blocks.map((one: { resource_id: string }) => one.resource_id))
    expect(blocked).toEqual(new Set([...blocked, 'staff_ann', 'staff_ben', 'room_1', 'service:svc_counter']))
    await isClean()
  })

  test('[a closure] what was paid goes back, all of it', async () => {
    const [slot] = await desk.slots('svc_paid')
    const { booking } = (await desk.pay((await desk.book(slot)).data.booking)).data
    const away = { everybody: true, start: slot.start, end: slot.end }
    const { bookings } = await affected(away)
    await staff('time_clear', { ...away, bookings: bookings.map((one) => to('cancel', one)) })
    expect((await desk.get(booking.id)).data.booking).toMatchObject({
      status: 'canceled',
      cancellation: { fee: 0, refund_amount: 12000, canceled_by: 'business' },
    })
    const { rows } = await sql`
      select r.amount from refunds r join payments p on p.id = r.payment_id where p.booking_id = ${booking.id}`.execute(
      db,
    )
    expect(rows).toEqual([{ amount: '12000' }])
    for (const { id } of await blocksOf(away.start)) await staff('blocks_remove', { block_id: id })
  })

  test('[a sick day] what is held just now stays held, and it is said until when', async () => {
    const slot = (await desk.slots('svc_cut', { resource_id: 'staff_ann' }))[0]
    const { hold } = (await desk.hold(slot)).data
    const hourAfter = new Date(Date.parse(slot.end) + 3_600_000).toISOString()
    const away = { resource_id: 'staff_ann', start: slot.start, end: hourAfter }
    const { data } = await staff('time_clear', away)
    expect(data.left).toMatchObject([{ kind: 'hold', resource_id: 'staff_ann', expires_at: hold.expires_at }])
    expect(JSON.stringify(data)).not.toContain(hold.id)
    await desk.release(hold.id)
    expect((await staff('time_clear', away)).data).toMatchObject({ left: [{ kind: 'block' }], blocks: [{}] })
    for (const { id } of await blocksOf(slot.start)) await staff('blocks_remove', { block_id: id })
    await isClean()
  })

  test('what is assigned goes to another, never to what is not there', async () => {
    const { at } = newDay()
    const { id } = await booked(at('12:00'), { service_id: 'svc_room', resource_ids: ['room_1'] })
    const away = { resource_id: 'room_1', start: at('09:00'), end: at('18:00') }
    const { bookings } = await affected(away)
    // By the slot alone either room would do.
    const decisions = bookings.map((one) => ({ ...to('move', one), start: at('12:00') }))
    await staff('time_clear', { ...away, bookings: decisions })
    expect((await rowOf(id)).resource_ids).toEqual(['room_2'])
    await isClean()
  })

  test('fifty bookings are decided on at once, and one more is refused with what to do', async () => {
    const { at } = newDay()
    const { id } = await withAnn(at('12:00'))
    const { record, people, ...row } = await rowOf(id)
    const copy = { ...row, record: JSON.stringify(record), people: JSON.stringify(people), hold_id: null }
    const copies = Array.from({ length: 50 }, (_, nth) => ({ ...copy, id: `${id}_${nth}` }))
    await db.insertInto('bookings').values(copies.slice(1)).execute()
    const away = { resource_id: 'staff_ann', start: at('00:00'), end: at('23:00') }
    const { bookings } = await affected(away)
    expect(bookings).toHaveLength(50)
    const { data: cleared } = await staff('time_clear', { ...away, bookings: bookings.map((one) => to('keep', one)) })
    expect(cleared.kept).toEqual(bookings.map((one) => one.id))
    await db.insertInto('bookings').values(copies.slice(0, 1)).execute()
    for (const call of ['time_affected', 'time_clear']) {
      const { code, data } = await staff(call, away)
      expect([code, data.errors[0].message]).toEqual(['validation_error', expect.stringContaining('Clear a part')])
    }
    await db.deleteFrom('bookings').where('id', 'like', `${id}_%`).execute()
  })

  test.each([
    ['of nobody', { resource_id: 'staff_none' }, 'not_found'],
    ['of no place', { resource_id: undefined, location_id: 'loc_none' }, 'not_found'],
    ['of nobody named', { resource_id: undefined }, 'validation_error'],
    ['of not everybody', { resource_id: undefined, everybody: false }, 'validation_error'],
    ['of two at once', { everybody: true }, 'validation_error'],
    ['that ends before it starts', { end: tuesday('09:00') }, 'validation_error'],
  ])('an absence %s is refused', async (_, more, code) => {
    const input = { resource_id: 'staff_ann', start: tuesday('10:00'), end: tuesday('12:00'), ...more }
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    for (const call of ['time_affected', 'time_clear']) expect((await staff(call, given)).code).toBe(code)
  })

  test('`everybody: false` says nothing, beside somebody who is named', async () => {
    const { away } = newDay()
    expect(await affected({ ...away, everybody: false })).toEqual(await affected(away))
  })

  test('a viewer sees who is affected, and clears nothing', async () => {
    const { away } = newDay()
    const viewer = { as: await shop.staffAs('viewer') }
    expect((await staff('time_affected', away, viewer)).status).toBe(200)
    expect((await staff('time_clear', away, viewer)).code).toBe('authentication_required')
    expect(await blocksOf(away.start)).toEqual([])
  })

  test('[a sick day] everybody is told once', async () => {
    const { at, away } = newDay()
    for (const time of ['12:00', '13:30', '15:00']) await withAnn(at(time))
    const { bookings } = await affected(away)
    const [first, ...others] = bookings
    if (!first) throw new Error('Somebody is affected.')
    await staff('time_clear', { ...away, bookings: [to('cancel', first), ...others.map(asSuggested)] })
    expect((await mailsOf(bookings.map(({ id }) => id))).toSorted()).toEqual(
      bookings.map(({ id }) => `booking ${id}`).toSorted(),
    )
  })
})

const here = { id: 'loc_here', name: 'Here' }
const there = { id: 'loc_there', name: 'There' }

test('[a closure] of one place: who works there alone is blocked, and who works elsewhere as well is named', async () => {
  const shop = await testShop(
    businessWith(
      [
        service('svc_cut', {
          locations: [here.id, there.id],
          resources: [{ type: 'staff', selectable: true, options: ['ann', 'ben'] }],
        }),
      ],
      {
        locations: [here, there],
        resources: [
          { id: 'ann', type: 'staff', name: 'Ann', locations: [here.id] },
          { id: 'ben', type: 'staff', name: 'Ben' },
        ],
      },
    ),
  )
  const desk = restDesk(shop)
  const staff = (what: string, input: object) => desk.call(`usp_business_${what}`, { ...input }, { as: shop.staff })
  const book = async (location_id: string, resource_id: string) =>
    (await desk.book((await desk.slots('svc_cut', { location_id, resource_id }))[0])).data.booking
  const [atOurs, byBen] = [await book(here.id, 'ann'), await book(here.id, 'ben')]
  const away = { location_id: here.id, start: '2026-11-24T00:00:00-05:00', end: '2026-11-25T00:00:00-05:00' }
  const { data } = await staff('time_affected', away)
  expect(data).toMatchObject({ resource_ids: ['ann'], not_blocked: ['ben'] })
  expect(data.bookings.map(({ id }: Listed) => id).toSorted()).toEqual([atOurs.id, byBen.id].toSorted())
  for (const { suggestion } of data.bookings) {
    expect(suggestion.location_id).toBe(here.id)
    expect(Date.parse(suggestion.start)).toBeGreaterThanOrEqual(Date.parse(away.end))
  }
  const bookings = data.bookings.map(({ id, revision }: Listed) => ({ booking_id: id, revision, action: 'cancel' }))
  const cleared = (await staff('time_clear', { ...away, bookings })).data
  expect(cleared.blocks).toMatchObject([{ resource_id: 'ann' }])
  expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
})

test('[a sick day] what comes free besides whom is away is offered to who waits for it', async () => {
  const room = { type: 'room' as const, options: ['room'] }
  const waited = { capacity: { max: 1, waitlist: true } }
  const shop = await testShop(
    businessWith(
      [
        service('svc_massage', { ...waited, resources: [{ type: 'staff', options: ['ann'] }, room] }),
        service('svc_sauna', { ...waited, resources: [room] }),
      ],
      {
        resources: [
          { id: 'ann', type: 'staff', name: 'Ann' },
          { id: 'room', type: 'room', name: 'Room' },
        ],
      },
    ),
  )
  const desk = restDesk(shop)
  const staff = (what: string, input: object) => desk.call(`usp_business_${what}`, { ...input }, { as: shop.staff })
  const [massage] = await desk.slots('svc_massage')
  const sauna = (await desk.slots('svc_sauna')).find(({ start }) => start === massage.start)
  const { booking } = (await desk.book(massage)).data
  const waits = async (name: string, slot: { id: string; service_id: string }) => {
    const wish = { service_id: slot.service_id, slot_id: slot.id, buyer: person(name) }
    return (await desk.call('usp_waitlist_join', wish)).data.entry
  }
  const entries = [await waits('Ada', massage), await waits('Bob', sauna)]
  const away = { resource_id: 'ann', start: massage.start, end: massage.end }
  const decision = { booking_id: booking.id, revision: booking.revision, action: 'cancel' }
  await staff('time_clear', { ...away, bookings: [decision] })
  const statuses = entries.map(
    async ({ id }) => (await desk.call('usp_waitlist_get', { entry_id: id })).data.entry.status,
  )
  expect(await Promise.all(statuses)).toEqual(['waiting', 'offered'])
  expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
})

test('[a sick day] who cancels one class ends the expired offers of other services first, so that all lock in one order', async () => {
  const shop = await testShop(
    businessWith(
      [
        service('svc_massage', {
          capacity: { max: 1, waitlist: true },
          resources: [{ type: 'staff', options: ['ann'] }],
        }),
        service('svc_class', {
          type: 'group',
          capacity: { max: 2 },
          sessions: [{ days: ['thursday'], starts: '16:00', resources: ['cat'] }],
        }),
      ],
      { resources: ['ann', 'cat'].map((id) => ({ id, type: 'staff' as const, name: id })) },
    ),
  )
  const desk = restDesk(shop)
  const { db } = shop.runtime
  const staff = (what: string, input: object) => desk.call(`usp_business_${what}`, { ...input }, { as: shop.staff })
  const [slot] = await desk.slots('svc_massage')
  const { booking } = (await desk.book(slot)).data
  const wish = { service_id: 'svc_massage', slot_id: slot.id, buyer: person('Ada') }
  const { entry } = (await desk.call('usp_waitlist_join', wish)).data
  await desk.cancel(booking.id)
  const statusOfAda = async () => (await desk.call('usp_waitlist_get', { entry_id: entry.id })).data.entry.status
  expect(await statusOfAda()).toBe('offered')
  shop.minutesLater(24 * 60)

  const day = { start_date: '2026-11-26', end_date: '2026-11-26' }
  const [session] = (await staff('sessions_list', { service_id: 'svc_class', ...day })).data.sessions
  const away = { resource_id: 'cat', start: session.start, end: session.end }
  const lock = async (tx: Database, resource: string) => {
    const { rows } = await sql<{ isLocked: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${resource}, 0)) as "isLocked"`.execute(tx)
    return rows[0]?.isLocked
  }
  const [clearing] = await db.transaction().execute(async (tx) => {
    await lock(tx, 'ann')
    const sessions = [{ session_id: session.id, taken: 0, action: 'cancel' }]
    const cleared = staff('time_clear', { ...away, sessions })
    const waits = sql`
      select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`
    while ((await waits.execute(db)).rows.length === 0);
    // Ann comes before Cat, so a call that waits for Ann must not have locked Cat.
    expect(await lock(tx, 'cat')).toBe(true)
    return [cleared]
  })
  expect((await clearing)?.data.canceled_sessions).toEqual([session.id])
  expect(await statusOfAda()).toBe('expired')
  expect((await verify(db, shop.time.now)).findings.listed).toEqual([])
})
