import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { businessDefinition, definitionLock } from '../../src/core/business/definition-queries.ts'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import type { Change } from '../../src/domain/definition/compare-definitions.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import type { BusinessDefinition, OpeningWindow, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { START, testServer } from '../support/server.ts'

const server = await testServer()
const empty = await testServer()

const apply = async (definition: BusinessDefinition, options = {}) =>
  (await applyDefinition(server.runtime.db, definition, START, options)).changes

interface Item {
  state: string
  modified_at: string
  data: { id: string; name?: string }
}
const feed = async (): Promise<Item[]> => (await server.rest('GET', '/services/feed')).body.items
/** The definition as it is stored: what the profile shows of it may be a second old. */
const inForce = async () => [await feed(), await businessDefinition(server.runtime.db)]
const recordOf = async (id: string) => {
  const record = (await feed()).find(({ data }) => data.id === id)
  if (!record) throw new Error(`Nothing is told of ${id}`)
  return record
}

const cut = service('svc_cut', { tags: ['hair'] })
const wash = service('svc_wash')
const dear = (one: ServiceDefinition, amount: number) => ({ ...one, pricing: { ...one.pricing, amount } })

test('on an empty server everything is added', async () => {
  expect(await apply(businessWith([cut, wash], { locations: [{ id: 'loc_one', name: 'Downtown' }] }))).toEqual([
    { kind: 'added', what: 'business', details: [] },
    { kind: 'added', what: 'location loc_one', details: [] },
    { kind: 'added', what: 'service svc_cut', details: [] },
    { kind: 'added', what: 'service svc_wash', details: [] },
  ])
})

test('what is added, changed and removed is listed, with the members that changed', async () => {
  await apply(businessWith([cut, wash]))
  const { tags: _, ...untagged } = cut
  const after = businessWith([{ ...dear(untagged, 7900), status: 'suspended' }, service('svc_new')], {
    payments: { provider: 'stripe' },
  })
  after.business.name = 'Better Studio'
  expect(await apply(after)).toEqual([
    { kind: 'changed', what: 'business', details: ['name: "Test Studio" → "Better Studio"'] },
    { kind: 'added', what: 'payments', details: [] },
    { kind: 'added', what: 'service svc_new', details: [] },
    {
      kind: 'changed',
      what: 'service svc_cut',
      details: ['pricing.amount: 7500 → 7900', 'tags: ["hair"] → nothing', 'status: nothing → "suspended"'],
    },
    { kind: 'removed', what: 'service svc_wash', details: [] },
  ])
})

test('a change of very many members is told in short', async () => {
  await apply(businessWith([{ ...cut, tags: Array.from({ length: 15 }, (_, index) => `old ${index}`) }]))
  const [change] = await apply(
    businessWith([{ ...cut, tags: Array.from({ length: 15 }, (_, index) => `new ${index}`) }]),
  )
  expect(change?.details).toHaveLength(13)
  expect(change?.details.at(0)).toBe('tags: "old 0" → nothing')
  expect(change?.details.at(-1)).toBe('and 18 more')
})

test('what differs in a list is named by what people know it by, and another order is a change', async () => {
  const weekdays = { days: ['monday', 'tuesday'] as const, closes: '18:00' }
  const hours = (opens: string, ...more: OpeningWindow[]) => [...more, { ...weekdays, days: [...weekdays.days], opens }]
  const friday: OpeningWindow = { days: ['friday'], opens: '10:00', closes: '14:00' }
  const closed = { from: '2026-12-24', to: '2026-12-26' }
  await apply(businessWith([cut], { hours: hours('09:00'), closures: [closed] }))
  const details = (changes: Change[]) => changes.flatMap((change) => change.details)
  expect(
    details(
      await apply(businessWith([cut], { hours: hours('08:00', friday), closures: [{ ...closed, to: '2026-12-27' }] })),
    ),
  ).toEqual([
    '[monday tuesday].opens: "09:00" → "08:00"',
    '[friday]: nothing → {"days":["friday"],"opens":"10:00","closes":"14:00"}',
    '[2026-12-24].to: "2026-12-26" → "2026-12-27"',
  ])
  const [told] = await apply(
    businessWith([cut], { hours: hours('08:00', friday).toReversed(), closures: [{ ...closed, to: '2026-12-27' }] }),
  )
  expect(told).toEqual({ kind: 'changed', what: 'hours', details: ['in another order'] })
})

test('a dry run tells the same and changes nothing', async () => {
  await apply(businessWith([cut, wash]))
  const before = await inForce()
  const after = businessWith([dear(cut, 8000), service('svc_new')])
  const told = await apply(after, { dryRun: true })
  expect(told.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
    'added service svc_new',
    'changed service svc_cut',
    'removed service svc_wash',
  ])
  expect(await inForce()).toEqual(before)
  expect(await apply(after)).toEqual(told)
  expect(await inForce()).not.toEqual(before)
})

test('[FEED-022] the same definition again changes nothing and moves no record of the feed', async () => {
  await apply(businessWith([cut, wash]))
  const before = await inForce()
  expect(await apply(businessWith([cut, wash]))).toEqual([])
  expect(await apply(JSON.parse(JSON.stringify(businessWith([wash, cut]))))).toEqual([])
  expect(await inForce()).toEqual(before)
})

test('[FEED-022] a change of one service moves no record but its own', async () => {
  await apply(businessWith([cut, wash]))
  const [before, untouched] = [await recordOf('svc_cut'), await recordOf('svc_wash')]
  await apply(businessWith([dear(cut, 8100), wash]))
  expect(Date.parse((await recordOf('svc_cut')).modified_at)).toBeGreaterThan(Date.parse(before.modified_at))
  expect(await recordOf('svc_wash')).toEqual(untouched)
})

test('[FEED-020] a removed service leaves a tombstone, later than all that was told before', async () => {
  await apply(businessWith([cut, wash]))
  const latest = (await feed()).at(-1)?.modified_at ?? ''
  await apply(businessWith([cut]))
  const tombstone = (await feed()).at(-1)
  expect(tombstone).toMatchObject({ state: 'deleted', data: { id: 'svc_wash', business_id: 'biz_test' } })
  expect(Date.parse(tombstone?.modified_at ?? '')).toBeGreaterThan(Date.parse(latest))
  expect((await server.rest('GET', '/services/svc_wash')).status).toBe(404)
})

test('[DEF-001] what the database refuses in the middle is undone as a whole', async () => {
  await apply(businessWith([cut, wash]))
  const before = await inForce()
  const unstorable = businessWith([dear(cut, 8200), dear(wash, 1e30)], {
    locations: [{ id: 'loc_new', name: 'New' }],
  })
  await expect(apply(unstorable)).rejects.toThrow()
  expect(await inForce()).toEqual(before)
})

test('two applies at once take turns: the second sees what the first did, and is told of later', async () => {
  await apply(businessWith([cut, wash]))
  const one = businessWith([dear(cut, 1), wash])
  const other = businessWith([dear(cut, 1), dear(wash, 1)])
  const told = await Promise.all([apply(one), apply(other)])
  const changing = (what: string) => told.filter((changes) => changes.some((change) => change.what === what))
  expect(changing('service svc_cut')).toHaveLength(1)
  expect(changing('service svc_wash')).not.toHaveLength(0)
  const [first, second] = [await recordOf('svc_cut'), await recordOf('svc_wash')]
  expect(Date.parse(second.modified_at)).toBeGreaterThan(Date.parse(first.modified_at))
})

test('of two first applies at once one adds everything and the other finds nothing to change', async () => {
  const definition = businessWith([cut, wash])
  const told = await Promise.all([1, 2].map(() => applyDefinition(empty.runtime.db, definition, START)))
  expect(told.map(({ changes }) => changes.length).sort()).toEqual([0, 3])
  expect((await empty.rest('GET', '/services/feed')).body.items).toHaveLength(2)
})

test('a clock that runs behind moves no record backwards', async () => {
  await apply(businessWith([cut, wash]))
  const before = (await feed()).at(-1)?.modified_at ?? ''
  const yesterday = new Date(START.getTime() - 86_400_000)
  await applyDefinition(server.runtime.db, businessWith([dear(cut, 8300), wash]), yesterday)
  expect((await feed()).at(-1)?.data.id).toBe('svc_cut')
  expect(Date.parse((await recordOf('svc_cut')).modified_at)).toBeGreaterThan(Date.parse(before))
})

test('what a large definition wants may be reckoned for a minute, within that change alone', async () => {
  const { db } = server.runtime
  const limit = async (tx: Parameters<typeof definitionLock>[0] | typeof db) =>
    (await sql`select current_setting('idle_in_transaction_session_timeout') as limit`.execute(tx)).rows
  await runUnitOfWork(db, async (tx) => {
    await definitionLock(tx)
    expect(await limit(tx)).toEqual([{ limit: '1min' }])
  })
  expect(await limit(db)).toEqual([{ limit: '12s' }])
})
