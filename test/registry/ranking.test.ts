import { describe, expect, test } from 'vitest'
import { indexedRemove } from '../../src/domain/registry/indexing/search-index-queries.ts'
import { recountAvailability } from '../../src/domain/registry/indexing/update-next-free-days.ts'
import { rfc3339 } from '../../src/infra/time/time-zone.ts'
import type { AvailabilityHint, RankSignals, Service } from '../../src/protocol/types.generated.ts'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { START } from '../support/server.ts'
import { CENTRE, index, list, north, registry } from './directory.ts'
import { freeAt, freeOn, ruler } from './hints.ts'
import { fed } from './services.ts'

const HOUR = 3_600_000
const server = await registry()
const { db } = server.runtime
const channel = { type: 'at_business_location' } as const

type Hinted = Pick<Service, 'availability_hint'>
const of = (id: string, type: string, hint: Hinted | Record<string, never> = {}, more: Partial<Service> = {}) =>
  fed(id, { type, channel, ...hint, ...more })

const { availability_hint: good } = freeAt(['2026-11-24T10'])
const but = (more: Partial<AvailabilityHint>): Hinted => ({ availability_hint: { ...good, ...more } })
const { next_available_date: _, ...undated } = good

const unknown: Record<string, Hinted | Record<string, never>> = {
  none: {},
  summary: { availability_hint: { summary: 'Free today.', generated_at: good.generated_at } },
  summary_with_day: {
    availability_hint: { summary: 'Free today.', generated_at: good.generated_at, next_available_date: '2026-11-20' },
  },
  expired: but({ generated_at: '2026-11-18T00:00:00-05:00', valid_until: '2026-11-19T00:00:00-05:00' }),
  endless: {
    availability_hint: {
      ...withoutEnd(good),
      slot_bitmaps: [ruler([[0, 5]], { starts_at: '2026-11-19T00:00:00-05:00', slot_count: 24 })],
    },
  },
  backwards: but({ generated_at: '2027-01-20T00:00:00-05:00' }),
  over: but({ slot_bitmaps: [ruler([[0, 5]], { starts_at: '2026-11-18T00:00:00-05:00', slot_count: 24 })] }),
  no_base64: but({ slot_bitmaps: [ruler([], { bitmap: 'OjAAAAEAAAAAAAc*' })] }),
  no_bitmap: but({ slot_bitmaps: [ruler([], { bitmap: 'AAAA' })] }),
  no_bytes: but({ slot_bitmaps: [ruler([], { bitmap: '' })] }),
  beyond: but({ slot_bitmaps: [ruler([[10, 24]], { slot_count: 24 })] }),
  twice: but({ slot_bitmaps: [ruler([[110, 110]]), ruler([[110, 110]])] }),
  twice_in_other_words: but({ slot_bitmaps: [ruler([[110, 110]]), ruler([[110, 110]], { duration: 'PT1H' })] }),
  undated: { availability_hint: undated },
  dated_without_start: but({ slot_bitmaps: [ruler([])] }),
  one_of_two: but({ slot_bitmaps: [ruler([[110, 110]]), ruler([], { duration: 'PT90M', bitmap: 'A' })] }),
  no_interval: but({ slot_bitmaps: [ruler([[110, 110]], { start_interval: 'often' })] }),
}

function withoutEnd({ valid_until: _, ...hint }: AvailabilityHint): AvailabilityHint {
  return hint
}

await list(db, 'reg_hints', { location: north(100) }, [
  of('full', 'hinted', freeAt([])),
  ...Object.entries(unknown).map(([id, hint]) => of(id, 'hinted', hint)),
  of('late', 'hinted', freeOn('2027-01-05')),
  of('soon', 'hinted', freeAt(['2026-11-24T10', '2026-11-25T10', '2026-11-25T11'])),
])

interface Hit {
  service_id: string
  rank_signals: RankSignals
}
const search = async (call: Caller, input: object): Promise<Hit[]> => {
  const { payload, error } = await call('usp_registry_search_services', { pagination: { limit: 100 }, ...input })
  expect(error).toBeUndefined()
  return payload.services
}
const idsOf = (hits: Hit[]) => hits.map(({ service_id }) => service_id)
const signals = async (call: Caller, id: string, input: object) =>
  (await search(call, { verticals: ['hinted'], ...input })).find((hit) => hit.service_id === id)?.rank_signals

const at = (time: string) => ({ at: `2026-11-${time}:00-05:00` })
const between = (start: string, end: string) => ({ start: `2026-11-${start}:00-05:00`, end: `2026-11-${end}:00-05:00` })
const from = (start: string) => ({ start: `2026-11-${start}:00-05:00` })
const wishing = (...desired_service_time_ranges: object[]) => ({ desired_service_time_ranges })

onBothBindings(server, (call) => {
  test.each([
    {},
    { at: '2026-11-24T10:00:00Z', start: '2026-11-24T10:00:00Z' },
    { at: '2026-11-24T10:00:00Z', end: '2026-11-24T10:00:00Z' },
    { at: '2026-11-24T10:00:00Z', start: '2026-11-24T10:00:00Z', end: '2026-11-24T11:00:00Z' },
    { end: '2026-11-24T10:00:00Z' },
    { start: '2026-11-24T10:00:00Z', more: 1 },
    { at: '2026-11-24' },
    { at: '2026-11-24T10:00:00' },
    { start: '2026-11-24T10:00:00Z', end: null },
  ])('[LIV-087] the wish %j is refused', async (wish) => {
    const { error } = await call('usp_registry_search_services', { verticals: ['hinted'], ...wishing(wish) })
    expect(error?.code).toMatch(/^(validation_error|invalid_request)$/)
  })

  test.each([at('24T10:00'), between('24T10:00', '25T10:00'), from('24T10:00')])(
    '[LIV-087] the wish %j is accepted',
    async (wish) => expect(await search(call, { verticals: ['hinted'], ...wishing(wish) })).not.toEqual([]),
  )

  test.each<object>([{}, wishing(at('24T10:00')), { prefer_sooner_availability_slots: false }])(
    '[LIV-088] every hit of a search with %j has all five signals and no other',
    async (input) => {
      for (const { rank_signals } of await search(call, { verticals: ['hinted'], ...input })) {
        const members = ['coverage', 'density', 'hint_usable', 'relevance', 'soonness']
        expect(Object.keys(rank_signals).sort()).toEqual(members)
      }
    },
  )

  test.each(Object.keys(unknown))('[LIV-089] of a hint like %s nothing is known', async (id) => {
    for (const input of [{}, wishing(from('20T00:00'))])
      expect(await signals(call, id, input)).toMatchObject({
        hint_usable: false,
        coverage: null,
        density: null,
        soonness: null,
      })
  })

  test('[LIV-089] 0 says that something is known', async () => {
    const known = { hint_usable: true, density: 0, soonness: 0 }
    expect(await signals(call, 'full', {})).toMatchObject({ ...known, coverage: null })
    expect(await signals(call, 'full', wishing(at('24T10:00')))).toMatchObject({ ...known, coverage: 0 })
    const missed = await signals(call, 'soon', wishing(between('24T11:00', '24T20:00')))
    expect(missed).toMatchObject({ hint_usable: true, coverage: 0, soonness: 0 })
  })

  test.each<[wishes: object[], coverage: number | null]>([
    [[at('24T10:00')], 1],
    [[at('24T09:01')], 1],
    [[at('24T10:01')], 0],
    [[between('24T10:00', '24T13:00')], 1 / 4],
    [[between('25T10:00', '25T11:00')], 1],
    [[between('24T09:30', '24T10:30')], 1],
    [[between('24T10:10', '24T10:50')], null],
    [[between('25T10:00', '25T11:00'), between('25T11:00', '25T13:00')], 2 / 4],
    [[{ start: '2027-02-01T00:00:00Z' }], null],
    [[{ at: '2027-02-01T00:00:00Z' }], null],
    [[{ start: '2027-01-14T20:00:00-05:00' }], 0],
    [[at('19T10:00')], null],
  ])('[LIV-089] the coverage of %j is %s', async (wishes, coverage) => {
    expect((await signals(call, 'soon', wishing(...wishes)))?.coverage).toBe(coverage)
  })

  test('[LIV-089] density is a share of the ruler, and soonness falls within eight weeks', async () => {
    const { density, soonness } = (await signals(call, 'soon', {})) ?? {}
    expect(density).toBe(3 / (56 * 24))
    expect(soonness).toBeCloseTo(1 - 99 / (56 * 24), 6)
    expect((await signals(call, 'soon', { prefer_sooner_availability_slots: false }))?.soonness).toBe(soonness)
    expect((await signals(call, 'soon', wishing(from('25T10:00'))))?.soonness).toBe(1)
  })

  test('[LIV-090] no hint removes a service, whatever is wished', async () => {
    const all = idsOf(await search(call, { verticals: ['hinted'] })).sort()
    expect(all).toEqual(['full', 'late', 'soon', ...Object.keys(unknown)].sort())
    for (const wish of [at('24T10:00'), from('30T00:00'), { start: '2027-02-01T00:00:00Z' }])
      expect(idsOf(await search(call, { verticals: ['hinted'], ...wishing(wish) })).sort()).toEqual(all)
  })

  test('[LIV-091] what is unknown comes after all that is free and before what is known to be full', async () => {
    for (const more of [{}, { location: { coordinates: CENTRE, radius_km: 5 } }, wishing(from('21T00:00'))]) {
      const ids = idsOf(await search(call, { verticals: ['hinted'], ...more }))
      expect(ids.slice(0, 2)).toEqual(['soon', 'late'])
      expect(ids.at(-1)).toBe('full')
    }
  })

  test('[LIV-091] what is unknown is neither a match nor a miss of a wish', async () => {
    const ids = idsOf(await search(call, { verticals: ['hinted'], ...wishing(at('24T10:00')) }))
    expect(ids[0]).toBe('soon')
    expect(ids.slice(-2)).toEqual(['full', 'late'])
  })
})

describe('ranking', () => {
  const call: Caller = async (tool, input) => {
    const { body } = await server.rest('POST', `/registry/${tool.replace('usp_registry_', '')}`, input)
    return { payload: body, error: undefined }
  }

  test('[LIV-092] the age of a usable hint changes nothing, and after its end it counts as unknown', async () => {
    const made = (generated_at: string, valid_until: string) => ({
      availability_hint: { ...good, generated_at, valid_until },
    })
    await list(db, 'reg_ages', {}, [
      of('unhinted', 'ages'),
      of('oldest', 'ages', made('2026-10-01T00:00:00-05:00', '2026-11-20T08:00:00-05:00')),
      of('newest', 'ages', made('2026-11-20T06:59:00-05:00', '2026-12-20T08:00:00-05:00')),
    ])
    expect(idsOf(await search(call, { verticals: ['ages'] }))).toEqual(['oldest', 'newest', 'unhinted'])
    server.time.now = new Date(START.getTime() + 2 * 3_600_000)
    await recountAvailability(db, server.time.now)
    const hits = await search(call, { verticals: ['ages'] })
    server.time.now = START
    expect(idsOf(hits)).toEqual(['newest', 'unhinted', 'oldest'])
    expect(hits.map(({ rank_signals }) => rank_signals.hint_usable)).toEqual([true, false, false])
  })

  test('[LIV-092] a hint ranks as unknown from its end on, before the index is recounted', async () => {
    const until = (valid_until: string) => ({ availability_hint: { ...good, valid_until } })
    const { availability_hint: full } = freeAt([], { valid_until: '2026-11-20T08:00:00-05:00' })
    const short = but({
      next_available_date: '2026-11-20',
      slot_bitmaps: [ruler([[7, 7]], { slot_count: 8 })],
    })
    await list(db, 'reg_ends', { location: north(100) }, [
      of('unhinted', 'ends'),
      of('full', 'ends', { availability_hint: full }),
      of('elapsed', 'ends', short),
      of('ended', 'ends', until('2026-11-20T08:00:00-05:00')),
      of('open', 'ends', until('2026-12-20T08:00:00-05:00')),
    ])
    const here = { coordinates: CENTRE, radius_km: 5 }
    const named = { query: 'service', verticals: ['ends'] }
    for (const input of [{ verticals: ['ends'] }, { verticals: ['ends'], location: here }, named]) {
      const order = async (more: object = {}) => idsOf(await search(call, { ...input, ...more }))
      const wish = wishing(at('24T10:00'))
      expect(await order()).toEqual(['elapsed', 'ended', 'open', 'unhinted', 'full'])
      expect(await order(wish)).toEqual(['ended', 'open', 'unhinted', 'elapsed', 'full'])
      const first = await call('usp_registry_search_services', { ...input, pagination: { limit: 1 } })
      server.time.now = new Date(START.getTime() + HOUR)
      const unknown = ['unhinted', 'full', 'elapsed', 'ended']
      const hits = await search(call, input)
      const wished = await order(wish)
      const careless = await order({ prefer_sooner_availability_slots: false })
      const { cursor } = first.payload.pagination
      const rest = await call('usp_registry_search_services', { ...input, pagination: { cursor, limit: 10 } })
      server.time.now = START
      expect(idsOf(hits)).toEqual(['open', ...unknown])
      expect(hits.map(({ rank_signals }) => rank_signals.hint_usable)).toEqual([true, false, false, false, false])
      expect(wished).toEqual(['open', ...unknown])
      expect(careless).toEqual(['unhinted', 'full', 'elapsed', 'ended', 'open'])
      expect(idsOf(rest.payload.services)).toEqual(['ended', 'open', 'unhinted', 'full'])
    }
  })

  test('[LIV-092] the pages of a search that began after the end of a hint agree before and after the recount', async () => {
    const { availability_hint: hint } = freeAt(['2026-11-24T10'], { valid_until: '2026-11-20T08:00:00-05:00' })
    await list(db, 'reg_paged_ends', {}, [
      of('known', 'paged_ends', freeAt(['2026-11-25T10'])),
      of('unhinted', 'paged_ends'),
      of('ended', 'paged_ends', { availability_hint: hint }),
    ])
    server.time.now = new Date(START.getTime() + HOUR)
    const input = { verticals: ['paged_ends'] }
    const first = await call('usp_registry_search_services', { ...input, pagination: { limit: 1 } })
    await recountAvailability(db, server.time.now)
    const { cursor } = first.payload.pagination
    const rest = await call('usp_registry_search_services', { ...input, pagination: { cursor } })
    server.time.now = START
    expect([...idsOf(first.payload.services), ...idsOf(rest.payload.services)]).toEqual(['known', 'unhinted', 'ended'])
  })

  test('[LIV-092] an offset that PostgreSQL cannot read fails no search', async () => {
    const far = but({ generated_at: '2026-11-20T00:00:00Z', valid_until: '2026-11-21T08:30:00+20:00' })
    await list(db, 'reg_far', {}, [of('far', 'far', far)])
    server.time.now = new Date(START.getTime() + HOUR)
    const hits = await search(call, { verticals: ['far'] })
    server.time.now = START
    expect(hits).toMatchObject([{ service_id: 'far', rank_signals: { hint_usable: false } }])
  })

  test('[LIV-089] a hint without an end is usable at any age, until its last start', async () => {
    const { availability_hint: hint } = freeAt(['2027-01-14T10'], { generated_at: '2026-01-01T00:00:00-05:00' })
    await list(db, 'reg_endless', {}, [of('endless', 'old', { availability_hint: withoutEnd(hint) })])
    const usable = async () => (await search(call, { verticals: ['old'] }))[0]?.rank_signals.hint_usable
    expect(await usable()).toBe(true)
    const last = Date.parse('2027-01-14T23:00:00-05:00')
    const later = []
    for (const time of [last, last + 1]) {
      server.time.now = new Date(time)
      later.push(await usable())
    }
    server.time.now = START
    expect(later).toEqual([true, false])
  })

  test('[LIV-093] better words outweigh any availability', async () => {
    await list(db, 'reg_words', {}, [
      of('described', 'words', freeAt(['2026-11-20T09']), { name: 'Lessons', description: 'Zither for all' }),
      of('named', 'words', freeAt([]), { name: 'Zither' }),
    ])
    const hits = await search(call, { query: 'zither', ...wishing(at('20T09:00')) })
    expect(idsOf(hits)).toEqual(['named', 'described'])
    expect(hits[0]?.rank_signals.relevance).toBeGreaterThan(hits[1]?.rank_signals.relevance ?? 1)
  })

  test('[LIV-093] the inner half of the circle outweighs any availability', async () => {
    await list(db, 'reg_outside', { location: north(3_000) }, [of('outer', 'rings', freeAt(['2026-11-20T09']))])
    await list(db, 'reg_inside', { location: north(2_000) }, [of('inner', 'rings', freeAt([]))])
    for (const more of [{}, { query: 'service' }, wishing(at('20T09:00'))]) {
      const hits = await search(call, {
        verticals: ['rings'],
        location: { coordinates: CENTRE, radius_km: 5 },
        ...more,
      })
      expect(idsOf(hits)).toEqual(['inner', 'outer'])
      expect(hits[0]?.rank_signals.relevance).toBeGreaterThan(hits[1]?.rank_signals.relevance ?? 1)
    }
    const wide = await search(call, { verticals: ['rings'], location: { coordinates: CENTRE, radius_km: 50 } })
    expect(idsOf(wide)).toEqual(['outer', 'inner'])
    const world = await search(call, { verticals: ['rings'], location: { coordinates: CENTRE } })
    expect(idsOf(world)).toEqual(['outer', 'inner'])
  })

  test('[LIV-093] more openings, a longer horizon, a finer ruler or more durations do not rank higher', async () => {
    const all = Array.from({ length: 12 }, (_, nth) => `2026-11-24T${String(nth + 8).padStart(2, '0')}`)
    const fine = ruler([[0, 2000]], {
      start_interval: 'PT1M',
      starts_at: '2026-11-24T08:00:00-05:00',
      slot_count: 9000,
    })
    await list(db, 'reg_counts', {}, [
      of('one', 'counts', freeAt(['2026-11-24T19'])),
      of('many', 'counts', freeAt(all)),
      of('fine', 'counts', but({ slot_bitmaps: [fine] })),
      of('durations', 'counts', but({ slot_bitmaps: [fine, { ...fine, duration: 'PT90M' }] })),
    ])
    const listed = ['one', 'many', 'fine', 'durations']
    expect(idsOf(await search(call, { verticals: ['counts'] }))).toEqual(listed)
    const wish = { ...wishing(from('24T00:00')), prefer_sooner_availability_slots: false }
    expect(idsOf(await search(call, { verticals: ['counts'], ...wish }))).toEqual(listed)
  })

  test('[LIV-088] the rank and the signals agree on what is free at the wanted times', async () => {
    let seed = 7
    const next = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % most
    }
    const services = Array.from({ length: 40 }, (_, nth) => {
      const first = next(200)
      const bitmap = ruler([[first, first + next(30)]], {
        start_interval: `PT${5 + next(90)}M`,
        slot_count: 300,
        starts_at: rfc3339('America/New_York', START.getTime() + next(500) * 60_000),
      })
      return of(`random_${nth}`, 'random', but({ slot_bitmaps: [bitmap] }))
    })
    await list(db, 'reg_random', {}, services)
    for (let round = 0; round < 20; round++) {
      const start = new Date(START.getTime() + next(20_000) * 60_000)
      const end = new Date(start.getTime() + next(600) * 60_000)
      const wish = [
        { at: start.toISOString() },
        { start: start.toISOString(), end: end.toISOString() },
        { start: start.toISOString() },
      ]
      const hits = await search(call, { verticals: ['random'], ...wishing(wish[round % 3] ?? {}) })
      const classes = hits.map(({ rank_signals: { coverage } }) => (coverage === null ? 1 : coverage > 0 ? 0 : 2))
      expect(classes).toEqual(classes.toSorted())
      const known = hits.flatMap(({ rank_signals }) => (rank_signals.coverage ? [rank_signals.soonness ?? 0] : []))
      expect(known).toEqual(known.toSorted((one, other) => other - one))
    }
  })
})

describe('[LIV-094] the pages of one search', () => {
  const names = Array.from({ length: 9 }, (_, nth) => `page_${nth}`)
  const dates = (nth: number) => freeOn(`2026-12-0${1 + (nth % 3)}`)
  const here = { coordinates: CENTRE, radius_km: 5 }

  test.each<[how: string, input: object]>([
    ['everywhere', { verticals: ['pages'] }],
    ['around a place', { location: here, verticals: ['pages'] }],
    ['around a place with words', { location: here, query: 'paged' }],
    ['with words', { query: 'paged' }],
    ['with wishes', { verticals: ['pages'], ...wishing(from('20T00:00')) }],
  ])('%s show the index as it was, at one instant', async (_, input) => {
    const business = { location: north(100) }
    await db.deleteFrom('registrations').where('id', '=', 'reg_paged').execute()
    const paged = (id: string, hint: Hinted) => of(id, 'pages', hint, { name: `Paged ${id}` })
    await list(
      db,
      'reg_paged',
      business,
      names.map((name, nth) => paged(name, dates(nth))),
    )
    const expected = idsOf(await search(call(server), input))
    expect(expected).toHaveLength(names.length)

    const seen: string[] = []
    let round = 0
    for (let cursor: string | null = null, more = true; more; round++) {
      const { payload } = await call(server)('usp_registry_search_services', {
        ...input,
        pagination: { limit: 2, cursor },
      })
      seen.push(...idsOf(payload.services))
      cursor = payload.pagination.cursor
      more = payload.pagination.has_more
      // What was last is now first, one service is new, one is gone, and one has another name.
      server.time.now = new Date(server.time.now.getTime() + 60_000)
      const changed = names.map((name, nth) => paged(name, dates(2 - (nth % 3) + round)))
      await index(db, 'reg_paged', [...changed, paged(`new_${round}`, freeOn('2026-11-21'))], business)
      await db.transaction().execute((tx) => indexedRemove(tx, 'reg_paged', [expected[5] ?? '']))
      await index(db, 'reg_paged', [of(expected[6] ?? '', 'other', {}, { name: 'Renamed' })], business)
    }
    server.time.now = START
    expect(seen).toEqual(expected)
  })

  test('break ties in the same way each time', async () => {
    await list(
      db,
      'reg_ties',
      {},
      ['tie_b', 'tie_a', 'tie_c'].map((id) => of(id, 'ties', freeOn('2026-11-25'))),
    )
    for (let round = 0; round < 3; round++)
      expect(idsOf(await search(call(server), { verticals: ['ties'] }))).toEqual(['tie_b', 'tie_a', 'tie_c'])
  })

  test('end an hour after the first', async () => {
    const page = (cursor: string | null) =>
      call(server)('usp_registry_search_services', { verticals: ['hinted'], pagination: { limit: 1, cursor } })
    const { cursor } = (await page(null)).payload.pagination
    server.time.now = new Date(START.getTime() + 50 * 60_000)
    const again = (await page(cursor)).payload.pagination.cursor
    server.time.now = new Date(START.getTime() + 70 * 60_000)
    const { error } = await page(again)
    server.time.now = START
    expect(error?.code).toBe('cursor_expired')
  })
})

function call({ rest }: typeof server): Caller {
  return async (tool, input) => {
    const { status, body } = await rest('POST', `/registry/${tool.replace('usp_registry_', '')}`, input)
    return status < 400 ? { payload: body, error: undefined } : { payload: undefined, error: body }
  }
}
