import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { at, inStudio, walkIn } from './studio.ts'

await inStudio((desk, staff, shop) => {
  const book = async (service_id: string, start: string, more: Record<string, unknown> = {}): Promise<string> => {
    const { data } = await staff('bookings_create', { service_id, start, buyer: walkIn, ...more })
    return data.booking.id
  }
  const on = (day: number, time: string) => `2026-11-${day}T${time}:00-05:00`
  const zoe = {
    first_name: 'Zoë',
    last_name: "O'Hara_100%",
    email: 'Zoe.OHara@example.org',
    phone_number: '+12125550143',
  }

  const ids: Record<string, string> = {}
  const list = async (input: Record<string, unknown> = {}) => {
    const { data } = await staff('bookings_list', input)
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]))
    return data.bookings.map(({ id }: { id: string }) => names.get(id))
  }

  test('what is booked is found by whatever the staff know of it', async () => {
    ids.ann = await book('svc_cut', on(24, '09:00'), { resource_ids: ['staff_ann'], buyer: zoe })
    ids.ben = await book('svc_cut', on(24, '17:00'), { resource_ids: ['staff_ben'] })
    ids.class = await book('svc_class', on(25, '16:00'))
    ids.asked = (await desk.book((await desk.slots('svc_asked', { start_date: '2026-11-26' }))[0])).data.booking.id
    ids.unpaid = (await desk.book((await desk.slots('svc_paid', { start_date: '2026-11-27' }))[0])).data.booking.id
    ids.gone = await book('svc_table', on(28, '10:00'), { party_size: 2, buyer: walkIn, notes: 'Birthday' })
    await staff('bookings_cancel', { booking_id: ids.gone })
    expect(await list()).toEqual(['ann', 'ben', 'class', 'asked', 'unpaid', 'gone'])
  })

  test.each([
    ['a day', { start_date: '2026-11-24', end_date: '2026-11-24' }, ['ann', 'ben']],
    [
      'a week, its last day included',
      { start_date: '2026-11-25', end_date: '2026-11-28' },
      ['class', 'asked', 'unpaid', 'gone'],
    ],
    ['from a day on', { start_date: '2026-11-27' }, ['unpaid', 'gone']],
    ['up to a day', { end_date: '2026-11-25' }, ['ann', 'ben', 'class']],
    ['a person', { resource_id: 'staff_ann' }, ['ann']],
    ['the teacher of a class', { resource_id: 'staff_cat' }, ['class']],
    ['a service', { service_id: 'svc_cut' }, ['ann', 'ben']],
    ['a status', { statuses: ['pending'] }, ['asked']],
    ['several', { statuses: ['canceled', 'requires_action'] }, ['unpaid', 'gone']],
    ['part of a name, in any case', { query: "o'HARA" }, ['ann']],
    ['several parts', { query: 'hara zoë' }, ['ann']],
    ['parts that never meet', { query: 'zoë innes' }, []],
    ['an address', { query: 'zoe.ohara@EXAMPLE.org' }, ['ann']],
    ['a number, however it is written', { query: '2125550199', service_id: 'svc_class' }, ['class']],
    ['a number as people write it', { query: '+1 (212) 555-0143' }, ['ann']],
    ['part of one', { query: '555-0143' }, ['ann']],
    ['signs that mean nothing here', { query: '_100%' }, ['ann']],
    ['no pattern', { query: '%' }, ['ann']],
    [
      'all of it',
      { start_date: '2026-11-24', resource_id: 'staff_ben', statuses: ['confirmed'], query: 'innes' },
      ['ben'],
    ],
    ['the latest first', { order: 'latest_first', end_date: '2026-11-25' }, ['class', 'ben', 'ann']],
  ])('by %s', async (_, input, expected) => {
    expect(await list(input)).toEqual(expected)
  })

  test('by its id', async () => {
    expect(await list({ query: ids.class })).toEqual(['class'])
  })

  test('who may change nothing is given no link to where a booking is changed', async () => {
    const as = await shop.staffAs('viewer')
    const { data } = await staff('bookings_list', {}, { as })
    const whole = (await staff('bookings_get', { booking_id: ids.unpaid }, { as })).data
    for (const booking of [...data.bookings, whole.booking]) expect(booking).not.toHaveProperty('booking_url')
    const links = [...data.bookings, whole.booking].flatMap(({ actions = [] }) =>
      actions.map((action: { continue_url: string }) => action.continue_url),
    )
    expect(new Set(links)).toEqual(new Set([shop.runtime.config.baseUrl]))
    const { booking } = (await staff('bookings_get', { booking_id: ids.unpaid })).data
    expect([booking.booking_url, booking.actions[0].continue_url]).toEqual([
      expect.stringMatching(/\/manage\//),
      expect.stringMatching(/\/payment\//),
    ])
  })

  test.each(['earliest_first', 'latest_first'])('page by page, %s', async (order) => {
    const whole = await list({ order })
    const walked: unknown[] = []
    for (let cursor: string | undefined, more = true; more; ) {
      const { data } = await staff('bookings_list', { order, limit: 4, ...(cursor && { cursor }) })
      walked.push(...data.bookings.map(({ id }: { id: string }) => id))
      more = data.pagination.has_more
      cursor = data.pagination.cursor
    }
    expect(walked).toEqual(whole.map((name: string) => ids[name]))
    const { data } = await staff('bookings_list', { order, limit: 4 })
    const elsewhere = await staff('bookings_list', { limit: 4, query: 'zoë', cursor: data.pagination.cursor })
    expect(elsewhere.code).toBe('cursor_expired')
  })

  test('bookings that begin at one moment are all seen', async () => {
    const start = on(29, '10:00')
    const same = [await book('svc_flat', start), await book('svc_counter', start), await book('svc_late', start)]
    const walked: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data } = await staff('bookings_list', { start_date: '2026-11-29', limit: 1, ...(cursor && { cursor }) })
      walked.push(...data.bookings.map(({ id }: { id: string }) => id))
      cursor = data.pagination.cursor
    }
    expect(walked).toEqual(same.toSorted())
  })

  test('[stored values stall nobody] of bookings with long texts a page has fewer', async () => {
    const start = on(30, '10:00')
    const all = [await book('svc_flat', start), await book('svc_counter', start), await book('svc_late', start)]
    const notes = 'long '.repeat(100_000)
    const { db } = shop.runtime
    await sql`update bookings set people = jsonb_set(people::jsonb, '{notes}', to_jsonb(${notes}::text)) where id = any (${all}::text[])`.execute(
      db,
    )
    const pages: string[][] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data } = await staff('bookings_list', { start_date: '2026-11-30', ...(cursor && { cursor }) })
      pages.push(data.bookings.map(({ id }: { id: string }) => id))
      cursor = data.pagination.cursor
    }
    expect(pages.map(({ length }) => length)).toEqual([2, 1])
    expect(pages.flat()).toEqual(all.toSorted())
    await sql`update bookings set people = people::jsonb - 'notes' where id = any (${all}::text[])`.execute(db)
  })

  test('what was not resolved in time is canceled here as well, before anybody writes it down', async () => {
    const later = new Date(shop.time.now.getTime() + 3 * 24 * 3_600_000).toISOString()
    await at(shop, later, async () => {
      expect(await list({ statuses: ['pending', 'requires_action'] })).toEqual([])
      const { data } = await staff('bookings_list', { statuses: ['canceled'] })
      expect(data.bookings.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
        [ids.asked, 'canceled'],
        [ids.unpaid, 'canceled'],
        [ids.gone, 'canceled'],
      ])
    })
  })

  test.each([
    ['a day that is none', { start_date: '2026-02-30' }],
    ['days in the wrong order', { start_date: '2026-11-25', end_date: '2026-11-24' }],
    ['a status that is none', { statuses: ['lost'] }],
    ['an empty page', { limit: 0 }],
    ['a filter that there is none of', { status: 'canceled' }],
  ])('%s is refused', async (_, input) => {
    expect((await staff('bookings_list', input)).code).toBe('validation_error')
  })

  test('a booking is read whole, whoever made it', async () => {
    const { data } = await staff('bookings_get', { booking_id: ids.asked })
    expect(data.booking).toMatchObject({ id: ids.asked, status: 'pending', buyer: { first_name: 'Alice' } })
    expect(data.details).toMatchObject({
      booked_by: expect.stringMatching(/^client:/),
      profile: shop.platform.profile,
      resource_ids: ['service:svc_asked'],
    })
    expect((await staff('bookings_get', { booking_id: 'bkg_none' })).code).toBe('booking_not_found')
  })

  test('[BKG-130] what a buyer consents to is seen by the staff, and what is withdrawn counts from then on', async () => {
    const consent = { marketing: true, analytics: false, 'x-acme-research': true }
    const buyer = { first_name: 'Cleo', last_name: 'Sand', email: 'cleo@example.com', consent }
    const { data } = await desk.book((await desk.slots('svc_cut'))[3], { buyer })
    const seen = async () => (await staff('bookings_get', { booking_id: data.booking.id })).data.booking.buyer.consent
    expect(await seen()).toEqual(consent)
    await desk.update(data.booking.id, { buyer: { ...buyer, consent: { ...consent, marketing: false } } })
    expect(await seen()).toEqual({ ...consent, marketing: false })
    const listed = await staff('bookings_list', { query: 'cleo' })
    expect(listed.data.bookings[0].buyer.consent.marketing).toBe(false)
  })

  test('somebody sees their day: who comes, what is blocked, the classes, and what is held for nobody in particular', async () => {
    const { data: blocked } = await staff('blocks_create', {
      resource_id: 'staff_ann',
      start: on(30, '12:00'),
      end: on(30, '13:00'),
    })
    const mine = await book('svc_cut', on(30, '09:00'), { resource_ids: ['staff_ann'], notes: 'By the window' })
    const [slot] = await desk.slots('svc_cut', {
      start_date: '2026-11-30',
      end_date: '2026-11-30',
      resource_id: 'staff_ann',
    })
    const { data: held } = await desk.hold(slot)
    const { status, data } = await staff('resources_day', { resource_id: 'staff_ann', date: '2026-11-30' })
    expect(status).toBe(200)
    expect(data).toMatchObject({
      resource: { id: 'staff_ann', name: 'Ann', type: 'staff' },
      timezone: 'America/New_York',
    })
    expect(data.bookings).toEqual([
      {
        id: mine,
        service_id: 'svc_cut',
        service_name: 'Service svc_cut',
        status: 'confirmed',
        start: on(30, '09:00'),
        end: on(30, '10:00'),
        party_size: 1,
        name: 'Walter Innes',
        phone_number: '+1 (212) 555-0199',
        notes: 'By the window',
      },
    ])
    expect(data.blocks).toEqual([blocked.block])
    expect(data.holds).toEqual([
      {
        kind: 'hold',
        service_id: 'svc_cut',
        start: slot.start,
        end: expect.any(String),
        expires_at: held.hold.expires_at,
      },
    ])
    const until = shop.time.now
    shop.time.now = new Date(held.hold.expires_at)
    const after = await staff('resources_day', { resource_id: 'staff_ann', date: '2026-11-30' })
    expect(after.data.holds).toEqual([])
    shop.time.now = until
    const cat = await staff('resources_day', { resource_id: 'staff_cat', date: '2026-11-25' })
    expect(cat.data.sessions).toMatchObject([{ service_id: 'svc_class', start: on(25, '16:00'), taken: 1 }])
    expect(cat.data.bookings).toEqual([])
    expect(JSON.stringify(cat.data)).not.toContain('Walter')
    const today = await staff('resources_day', { resource_id: 'bike_1' })
    expect(today.data).toMatchObject({ date: '2026-11-20', bookings: [], blocks: [], sessions: [], holds: [] })
    expect((await staff('resources_day', { resource_id: 'staff_none' })).code).toBe('not_found')
  })

  test('a booking that is over still shows on its day, one that was canceled does not', async () => {
    const done = await book('svc_bike', on(30, '14:00'))
    await staff('bookings_start', { booking_id: done })
    await staff('bookings_complete', { booking_id: done })
    const canceled = await book('svc_bike', on(30, '14:00'))
    await staff('bookings_cancel', { booking_id: canceled })
    const { data } = await staff('resources_day', { resource_id: 'bike_1', date: '2026-11-30' })
    expect(data.bookings).toMatchObject([{ id: done, status: 'completed' }])
  })
})
