import { expect, test } from 'vitest'
import { onBothBindings } from '../support/both-bindings.ts'
import { businessWith, services } from '../support/definitions.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { testServer } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'

const MEBIBYTE = 1024 * 1024
/** The envelope of a page, and what is said of what it has no room for. */
const BESIDES = 64 * 1024
const MANY = 30

const heavy = (count: number, characters: number) =>
  services(count, { metadata: { story: 'ü'.repeat(characters / 2) } })
const server = await testServer(businessWith(heavy(MANY, 100_000)))
const ids = heavy(MANY, 0).map(({ id }) => id)

const bytesOf = (answer: unknown) => Buffer.byteLength(JSON.stringify(answer))
const idsOf = (told: { id: string }[]) => told.map(({ id }) => id)

onBothBindings(server, (call) => {
  test('[CAT-008] [CAT-010] a page of the list ends before it grows too large, and cursors lead past every service once', async () => {
    const found: string[] = []
    for (let cursor: unknown = null; cursor !== undefined; ) {
      const { payload } = await call('usp_services_list', { pagination: { limit: 100, cursor } })
      expect(bytesOf(payload)).toBeLessThan(MEBIBYTE + BESIDES)
      expect(payload.services.length).toBeGreaterThan(5)
      expect(payload.pagination.has_more).toBe(payload.pagination.cursor !== null)
      found.push(...idsOf(payload.services))
      cursor = payload.pagination.cursor ?? undefined
    }
    expect(found).toEqual(ids)
  })

  test('[FEED-002] [FEED-008] [FEED-014] a page of the feed ends before it grows too large, and none is skipped', async () => {
    const found: string[] = []
    for (let [cursor, more]: [unknown, boolean] = [undefined, true]; more; ) {
      const { payload } = await call('usp_services_feed', { limit: 200, cursor })
      expect(bytesOf(payload)).toBeLessThan(MEBIBYTE + BESIDES)
      expect(payload.items.length).toBeGreaterThan(5)
      found.push(...idsOf(payload.items.map(({ data }: { data: { id: string } }) => data)))
      cursor = payload.pagination.next_cursor
      more = payload.pagination.has_more
    }
    expect(found).toEqual(ids)
  })

  test('[lookup in parts] what an answer has no room for is named, and had by asking again', async () => {
    const found: string[] = []
    for (let left = ['svc_none', ...ids]; left.length > 0; ) {
      const { payload } = await call('usp_services_lookup', { ids: left })
      expect(bytesOf(payload)).toBeLessThan(MEBIBYTE + BESIDES)
      expect(payload.services.length).toBeGreaterThan(5)
      found.push(...idsOf(payload.services))
      left = unanswered(left, payload.messages ?? [])
    }
    expect(found.sort()).toEqual(ids)
  })
})

/** The ids that are to be asked for again; what is unknown is no such. */
function unanswered(asked: string[], messages: { type: string; code: string; content: string; path: string }[]) {
  return messages.flatMap(({ type, code, content, path }) => {
    const id = asked[Number(/^\$\.ids\[(\d+)\]$/.exec(path)?.[1])] ?? ''
    expect([type, content]).toEqual(['warning', expect.stringContaining(id)])
    if (['service_not_found', 'service_unresolved'].includes(code)) expect(id).toBe('svc_none')
    else expect(code).toBe('answer_full')
    return code === 'answer_full' ? id : []
  })
}

test('[a service of any size] what is too large for a page has one of its own', async () => {
  const huge = await testServer(businessWith(heavy(3, 1_500_000)))
  const { body: listed } = await huge.rest('POST', '/services/list', {})
  expect([idsOf(listed.services), listed.pagination.has_more]).toEqual([['svc_000'], true])
  const { body: fed } = await huge.rest('GET', '/services/feed')
  expect([fed.items.length, fed.pagination.has_more]).toEqual([1, true])
  const { body: looked } = await huge.rest('POST', '/services/lookup', { ids: ['svc_002', 'svc_000'] })
  expect(idsOf(looked.services)).toEqual(['svc_002'])
})

const people = Array.from({ length: 500 }, (_, nth) => ({
  id: `person_${String(nth).padStart(4, '0')}`,
  type: 'staff' as const,
  name: `Somebody with a name of usual length ${nth}`,
}))
const options = people.map(({ id }) => id)

test('[no number of calls stalls the server] the largest page of a large catalogue is soon made', async () => {
  const large = services(200, { resources: [{ type: 'staff', name: 'Stylist', selectable: true, options }] })
  const salon = await testServer(businessWith(large, { resources: people }))
  const all = large.map(({ id }) => id)
  const pages = {
    list: () => salon.rest('POST', '/services/list', { pagination: { limit: 100 } }),
    feed: () => salon.rest('GET', '/services/feed?limit=200'),
    lookup: () => salon.rest('POST', '/services/lookup', { ids: all }),
    tool: () => salon.tool('usp_services_lookup', { ids: all }),
  }
  const turns: Record<string, number> = {}
  for (const [what, page] of Object.entries(pages)) {
    await page()
    const longest = longestTurn()
    expect((await page()).status).toBe(200)
    turns[what] = longest()
  }
  const most = 60 * slowness()
  expect(Object.entries(turns).filter(([, turn]) => turn > most)).toEqual([])
})
