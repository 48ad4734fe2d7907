import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { bindingsOf, expectServed, scopedServer, thingCount } from '../support/scoped.ts'
import { published } from '../support/sign.ts'

const databaseUrl = await freshDatabase()
const server = await scopedServer({}, { databaseUrl })
const replica = await scopedServer({}, { databaseUrl })
const [old, young] = [testKey(), testKey()]
const platform = await testPlatform({ keys: [published('old', old)], signing_keys: [published('young', young)] })
const onReplica = bindingsOf(replica, platform)
const CREATE = 'usp_bookings_create'

describe.each(bindingsOf(server, platform).map((one, index) => [one.name, one, onReplica[index] ?? one] as const))(
  'over %s',
  (name, binding, twin) => {
    const conflict = [name === 'REST' ? 409 : -32602, 'idempotency_conflict']

    test.each([
      ['the old key and then the young', old, young],
      ['the young key and then the old', young, old],
    ])('[a retry under another key of the profile is the same request] %s', async (_, key, later) => {
      const idempotencyKey = randomUUID()
      const first = await binding.call(CREATE, { note: 'x' }, { key, idempotencyKey })
      expectServed(binding, first)
      const things = await thingCount(server)
      const again = await binding.call(CREATE, { note: 'x' }, { key: later, idempotencyKey })
      expect(again.body).toEqual(first.body)
      const other = await binding.call(CREATE, { note: 'y' }, { key: later, idempotencyKey })
      expect([other.status, other.code]).toEqual(conflict)
      expect(await thingCount(server)).toBe(things)
    })

    test('[a retry under another key of the profile is the same request] at once, under both keys on two replicas', async () => {
      for (let round = 0; round < 5; round++) {
        const idempotencyKey = randomUUID()
        const things = await thingCount(server)
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            (index % 2 ? twin : binding).call(CREATE, {}, { key: index % 2 ? young : old, idempotencyKey }),
          ),
        )
        for (const answer of answers) expectServed(binding, answer)
        expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
        expect(await thingCount(server)).toBe(things + 1)
      }
    })

    test('[IDM-010] a key that the profile does not publish is another caller, whatever Idempotency-Key it sends', async () => {
      const [own, idempotencyKey] = [testKey(), randomUUID()]
      const calls = [old, own, young].map((key) => () => binding.call(CREATE, {}, { key, idempotencyKey }))
      const [ofOld, ofOwn, ofYoung] = [await calls[0]?.(), await calls[1]?.(), await calls[2]?.()]
      expect(ofOwn?.thing.id).not.toBe(ofOld?.thing.id)
      expect(ofYoung?.body).toEqual(ofOld?.body)
    })

    test('[IDM-010] what a key did before it was published stays its own answer afterwards', async () => {
      const late = testKey()
      const growing = await testPlatform({ keys: [published('old', testKey())] })
      const [one] = bindingsOf(server, growing).filter((each) => each.name === name)
      const idempotencyKey = randomUUID()
      const first = await one?.call(CREATE, {}, { key: late, idempotencyKey })
      growing.profile = { ...growing.profile, keys: [published('late', late)] }
      server.time.now = new Date(server.time.now.getTime() + 200_000)
      const again = await one?.call(CREATE, {}, { key: late, idempotencyKey })
      expect(again?.thing).toEqual(first?.thing)
    })

    test('[a retry under another key of the profile is the same request] also when it was the only one at first', async () => {
      const [sole, next] = [testKey(), testKey()]
      const rotating = await testPlatform({ keys: [published('sole', sole)] })
      const [one] = bindingsOf(server, rotating).filter((each) => each.name === name)
      const idempotencyKey = randomUUID()
      const first = await one?.call(CREATE, {}, { key: sole, idempotencyKey })
      rotating.profile = { ...rotating.profile, keys: [published('next', next), published('sole', sole)] }
      server.time.now = new Date(server.time.now.getTime() + 200_000)
      const things = await thingCount(server)
      expect((await one?.call(CREATE, {}, { key: next, idempotencyKey }))?.body).toEqual(first?.body)
      expect(await thingCount(server)).toBe(things)
    })

    test('[a key that its profile withdraws finds what was answered to it] and nothing of the others', async () => {
      const [leaving, staying] = [testKey(), testKey()]
      const rotating = await testPlatform({ keys: [published('leaving', leaving), published('staying', staying)] })
      const [one] = bindingsOf(server, rotating).filter((each) => each.name === name)
      const [own, others] = [randomUUID(), randomUUID()]
      const first = await one?.call(CREATE, {}, { key: leaving, idempotencyKey: own })
      const other = await one?.call(CREATE, {}, { key: staying, idempotencyKey: others })
      rotating.profile = { ...rotating.profile, keys: [published('staying', staying)] }
      server.time.now = new Date(server.time.now.getTime() + 200_000)
      expect((await one?.call(CREATE, {}, { key: leaving, idempotencyKey: own }))?.thing).toEqual(first?.thing)
      const stranger = await one?.call(CREATE, {}, { key: leaving, idempotencyKey: others })
      expect(stranger?.thing.id).toBeDefined()
      expect(stranger?.thing.id).not.toBe(other?.thing.id)
    })

    test('[IDM-015] after seven days the key is new under every key of the profile', async () => {
      const idempotencyKey = randomUUID()
      const ids: unknown[] = []
      for (const key of [old, young, old]) {
        ids.push((await binding.call(CREATE, {}, { key, idempotencyKey })).thing.id)
        server.time.now = new Date(server.time.now.getTime() + 7 * 24 * 3_600_000 + 1000)
        replica.time.now = server.time.now
      }
      expect(new Set(ids).size).toBe(3)
    })
  },
)
