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
    const conflict = [name === 'REST' ? 409 : -32600, 'idempotency_conflict']

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
  },
)
