import { expect, test } from 'vitest'
import { type Caller, onBothBindings } from '../support/both-bindings.ts'
import { index, list, registry } from './directory.ts'
import { freeOn } from './hints.ts'
import { fed } from './services.ts'

const server = await registry()
const { db } = server.runtime

const COUNT = 23
const date = (day: number) => `2026-12-${String(1 + (day % 5)).padStart(2, '0')}`
const service = (id: string, day: number, amount = 5000) =>
  fed(id, {
    name: day % 2 ? 'Piano' : 'Piano lessons',
    pricing: { model: 'fixed', amount, currency: 'USD' },
    // Some do not say when they are free.
    ...(day % 4 ? freeOn(date(day)) : { availability_hint: { summary: '-', generated_at: '2026-11-20T06:00:00Z' } }),
  })
const numbers = Array.from({ length: COUNT }, (_, index) => index)
for (const number of numbers)
  await list(db, `reg_${number}`, { name: `House ${number}` }, [service(`svc_${number}`, number)])

const searches = [
  { tool: 'usp_registry_search_services', member: 'services', id: 'service_id', input: { query: 'piano' } },
  { tool: 'usp_registry_search_services', member: 'services', id: 'service_id', input: { verticals: ['appointment'] } },
  // Half of them answer to both words, and half to one.
  { tool: 'usp_registry_search_services', member: 'services', id: 'service_id', input: { query: 'piano lessons' } },
  { tool: 'usp_registry_search_business', member: 'businesses', id: 'id', input: { query: 'house' } },
]
type Search = (typeof searches)[number]

/** Follows the cursors, doing something after each page. */
async function walk(call: Caller, { tool, member, id, input }: Search, limit: number, between = async () => {}) {
  const ids: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { payload } = await call(tool, { ...input, pagination: { limit, ...(cursor && { cursor }) } })
    ids.push(...payload[member].map((one: Record<string, string>) => one[id]))
    expect(payload.pagination.has_more).toBe(payload.pagination.cursor !== null)
    cursor = payload.pagination.cursor
    await between()
  }
  return ids
}

onBothBindings(server, (call) => {
  test.each(searches.flatMap((search) => [1, 5, COUNT, 100].map((limit) => ({ ...search, limit }))))(
    '[REG-053] $tool for $input by pages of $limit yields every match once, in one order',
    async ({ limit, ...search }) => {
      const ids = await walk(call, search, limit)
      expect(ids).toHaveLength(COUNT)
      expect(new Set(ids).size).toBe(COUNT)
      expect(ids).toEqual(await walk(call, search, 100))
    },
  )

  test('[REG-053] a cursor is of use only for the search it was issued for', async () => {
    const search = (more: object) => call('usp_registry_search_services', { query: 'piano', ...more })
    const { payload } = await search({ pagination: { limit: 2 } })
    const { cursor } = payload.pagination
    expect((await search({ pagination: { limit: 3, cursor } })).payload.services).toHaveLength(3)
    for (const more of [{ verticals: ['appointment'] }, { prefer_sooner_availability_slots: false }])
      expect((await search({ ...more, pagination: { cursor } })).error?.code).toBe('cursor_expired')
    const elsewhere = await call('usp_registry_search_business', { query: 'piano', pagination: { cursor } })
    expect(elsewhere.error?.code).toBe('cursor_expired')
  })

  test.each(searches)(
    '[PAG-010] $tool for $input shows twenty where no limit is given',
    async ({ tool, member, input }) => {
      const { payload } = await call(tool, input)
      expect(payload[member]).toHaveLength(20)
      expect(payload.pagination).toEqual({ cursor: expect.any(String), has_more: true })
    },
  )

  test('[REG-053] a limit above the cap is lowered to it', async () => {
    const { payload } = await call('usp_registry_search_services', { query: 'piano', pagination: { limit: 1e6 } })
    expect(payload.services).toHaveLength(COUNT)
  })
})

test('[REG-053] whatever else is written between two pages, what stays as it is comes once', async () => {
  const call: Caller = async (tool, input) => ({
    payload: (await server.tool(tool, input)).body.result.structuredContent,
    error: undefined,
  })
  for (const search of searches) {
    let round = 0
    const ids = await walk(call, search, 3, async () => {
      round++
      const [before, after] = [`reg_new_${search.tool}_${Math.random()}`, `reg_new_${search.tool}_${Math.random()}`]
      await list(db, before, { name: 'House' }, [service(`new_${before}`, 0)])
      await list(db, after, { name: 'Another house, far down the list' }, [service(`new_${after}`, 4)])
      await index(db, `reg_${round % COUNT}`, [service(`svc_${round % COUNT}`, round % COUNT, 9000 + round)])
      await db.deleteFrom('registrations').where('id', '=', before).execute()
    })
    const old = ids.filter((id) => /^(svc|reg)_\d+$/.test(id))
    expect(new Set(ids).size).toBe(ids.length)
    expect(old).toHaveLength(COUNT)
    expect(round).toBeGreaterThan(7)
  }
})

test('[stored values stall nobody] of businesses with long texts a page has fewer', async () => {
  const description = 'long '.repeat(100_000)
  for (const name of ['one', 'two', 'three']) await list(db, `reg_long_${name}`, { name: 'Verbose', description })
  const pages: number[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const pagination = { limit: 100, ...(cursor && { cursor }) }
    const { body } = await server.rest('POST', '/registry/search_business', { query: 'verbose', pagination })
    pages.push(body.businesses.length)
    cursor = body.pagination.cursor
  }
  expect(pages).toEqual([2, 1])
})
