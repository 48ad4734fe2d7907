import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { random } from './random.ts'
import { type Servers, startServers } from './servers.ts'
import { type Call, caller } from './wire.ts'

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const DAY = 86_400_000
const day = (after: number) => {
  const date = new Date(Date.now() + after * DAY).toISOString().slice(0, 10)
  return { start_date: date, end_date: date }
}

/** Places for a dozen; a full class stays visible because it has a waitlist. */
const definition = businessWith(
  [
    service('svc_yoga', {
      type: 'group',
      capacity: { max: 12, waitlist: true },
      sessions: [{ days: [...EVERY_DAY], starts: '09:00' }],
    }),
    service('svc_cut'),
  ],
  { hours: [{ days: [...EVERY_DAY], opens: '09:00', closes: '18:00' }] },
)

describe('[HLD-013] [HLD-014] vector 102: two platforms hold at once, each on a server of its own', () => {
  let servers: Servers
  let a: Call
  let b: Call
  const platforms: Call[] = []

  beforeAll(async () => {
    const url = await freshDatabase()
    const db = openDatabase(url, 3, () => {})
    await applyDefinition(db, definition, new Date())
    servers = await startServers(url, 2)
    for (const [nth, origin] of servers.origins.entries()) {
      const { key } = await addClient(db, `Platform ${nth}`, new Date())
      const { url: profile } = await testPlatform()
      const binding = nth === 0 ? ('REST' as const) : ('MCP' as const)
      platforms.push(caller([origin], { binding, bearer: key, profile }, random(nth), () => {}))
    }
    const [one, other] = platforms
    if (!one || !other) throw new Error('Two servers were wanted')
    a = one
    b = other
    await db.destroy()
  })
  afterAll(() => servers.stop())

  const first = async (service_id: string, after: number) => {
    const { data } = await a('usp_availability_query', { service_id, ...day(after), limit: 1 })
    return data.slots[0]
  }
  const buyer = { first_name: 'Ana', last_name: 'Lee', email: 'ana@example.com' }
  const hold = (call: Call, slot: { id: string; service_id: string }, more: object = {}) =>
    call('usp_availability_hold', { slot_id: slot.id, service_id: slot.service_id, ...more })
  /** Both platforms book, because a platform that only releases its holds must wait after five of them. */
  const leave = async (slot: { id: string; service_id: string }, remaining: number) => {
    const book = async (call: Call, party_size: number) => {
      const input = { slot_id: slot.id, service_id: slot.service_id, buyer, party_size }
      expect((await call('usp_bookings_create', input)).data.booking).toBeDefined()
    }
    await book(a, 11 - remaining)
    await book(b, 1)
  }
  const codesOf = (said: { code: string | undefined }[]) => said.map(({ code = 'held' }) => code).sort()

  test.each([2, 3, 4, 5, 6, 7, 8, 9])('for the last place, in %i days: one has it', async (after) => {
    const slot = await first('svc_yoga', after)
    await leave(slot, 1)
    const said = await Promise.all([hold(a, slot, { spots: 1 }), hold(b, slot, { spots: 1 })])
    expect(codesOf(said)).toEqual(['held', 'slot_unavailable'])
    const full = await first('svc_yoga', after)
    expect(full).toMatchObject({ state: 'waitlist', capacity: { total: 12, remaining: 0, held: 1 } })
    const winner = said.findIndex(({ code }) => code === undefined)
    const [own, rival] = winner === 0 ? [a, b] : [b, a]
    expect((await own('usp_availability_release', { hold_id: said[winner]?.data.hold.id })).code).toBe(undefined)
    expect((await hold(rival, slot, { spots: 1 })).data.hold.status).toBe('active')
  })

  test.each([10, 11, 12])('for one appointment, in %i days: one has it', async (after) => {
    const slot = await first('svc_cut', after)
    const said = await Promise.all([a, b, a, b].map((call) => hold(call, slot)))
    expect(codesOf(said)).toEqual(['held', 'slot_unavailable', 'slot_unavailable', 'slot_unavailable'])
  })

  test.each([10, 11, 12])('for one and for two of three places, in %i days: both have them', async (after) => {
    const slot = await first('svc_yoga', after)
    await leave(slot, 3)
    const said = await Promise.all([hold(a, slot, { spots: 1 }), hold(b, slot, { spots: 2 })])
    expect(codesOf(said)).toEqual(['held', 'held'])
    expect((await first('svc_yoga', after)).capacity).toMatchObject({ remaining: 0, held: 3 })
  })
})
