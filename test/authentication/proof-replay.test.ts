import { afterEach, describe, expect, test } from 'vitest'
import { deleteExpiredProofs } from '../../src/core/authentication/refuse-replayed-proofs.ts'
import { freshDatabase } from '../support/database.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { type Ask, bindingsOf, expectRefused, expectServed, nextFailure, scopedServer } from '../support/scoped.ts'
import { START } from '../support/server.ts'

const databaseUrl = await freshDatabase()
const server = await scopedServer({}, { databaseUrl })
const replica = await scopedServer({}, { databaseUrl })
const platform = await testPlatform()
const seconds = START.getTime() / 1000
const SUBSCRIBE = 'usp_services_feed_subscribe'
const wish = { callback_url: 'https://127.0.0.1:9443/hook' }

afterEach(() => {
  server.time.now = START
  nextFailure.next = 'none'
})

const twins = bindingsOf(replica, platform)
describe.each(bindingsOf(server, platform).map((one, at) => [one.name, one, twins[at] ?? one] as const))(
  'over %s',
  (_, binding, onReplica) => {
    const once = (tool: string, input: object, ask: Ask = {}) => {
      const proof = binding.proof(tool, input, { key: testKey(), ...ask })
      return (at = binding) => at.call(tool, input, { ...ask, proof })
    }

    test('[POP-066] [ERR-056] a proof counts once; one with another jti counts again', async () => {
      const key = testKey()
      const send = once(SUBSCRIBE, wish, { key, claims: { jti: 'first' } })
      expectServed(binding, await send())
      expectRefused(binding, await send(), 'pop_proof_replayed')
      expectServed(binding, await binding.call(SUBSCRIBE, wish, { key, claims: { jti: 'second' } }))
      expectRefused(
        binding,
        await binding.call(SUBSCRIBE, wish, { key, claims: { jti: 'second', iat: seconds - 1 } }),
        'pop_proof_replayed',
      )
    })

    test('[POP-066] a jti is one key’s own: another key may use the same', async () => {
      for (const key of [testKey(), testKey()])
        expectServed(binding, await binding.call(SUBSCRIBE, wish, { key, claims: { jti: 'shared' } }))
    })

    test('[POP-082] reads are defended as well', async () => {
      const key = testKey()
      const { thing } = await binding.call('usp_bookings_create', {}, { key })
      const read = once('usp_bookings_get', { booking_id: thing.id }, { key })
      expectServed(binding, await read())
      expectRefused(binding, await read(), 'pop_proof_replayed')
    })

    test('[POP-083] a proof from 59 seconds ahead is still a replay 118 seconds later', async () => {
      const send = once(SUBSCRIBE, wish, { claims: { iat: seconds + 59 } })
      expectServed(binding, await send())
      server.time.now = new Date(START.getTime() + 118_000)
      await deleteExpiredProofs(server.runtime.db, server.time.now)
      expectRefused(binding, await send(), 'pop_proof_replayed')
    })

    test.each(['refused', 'broken', 'unreachable'] as const)(
      '[POP-084] the proof of an operation that was undone stays used: %s',
      async (how) => {
        const send = once('usp_bookings_create', {})
        nextFailure.next = how
        expect((await send()).code).toBe(
          { refused: 'slot_unavailable', broken: 'server_error', unreachable: 'service_unavailable' }[how],
        )
        nextFailure.next = 'none'
        expectRefused(binding, await send(), 'pop_proof_replayed')
      },
    )

    test('[POP-084] so does that of a call whose input is refused', async () => {
      const send = once(SUBSCRIBE, {})
      expect((await send()).code).toBe('invalid_request')
      expectRefused(binding, await send(), 'pop_proof_replayed')
    })

    test('[POP-085] [POP-086] of twenty at once, on two replicas, exactly one passes', async () => {
      const send = once('usp_bookings_create', {})
      const codes = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => (await send(index % 2 ? onReplica : binding)).code),
      )
      expect(codes.filter((code) => code === undefined)).toHaveLength(1)
      expect(codes.filter((code) => code === 'pop_proof_replayed')).toHaveLength(19)
    })

    test('[POP-086] what one replica has seen, and what was seen before a restart, is refused', async () => {
      const send = once(SUBSCRIBE, wish)
      expectServed(binding, await send())
      expectRefused(binding, await send(onReplica), 'pop_proof_replayed')
      const [rest, mcp] = bindingsOf(await scopedServer({}, { databaseUrl }), platform)
      const restarted = binding.name === 'REST' ? rest : mcp
      expectRefused(binding, await send(restarted), 'pop_proof_replayed')
    })

    test('[POP-087] [IDM-012] [IDM-013] a retry with a fresh proof gets the stored answer, with the old one not', async () => {
      const ask = { key: testKey(), idempotencyKey: crypto.randomUUID() }
      const send = once('usp_bookings_create', {}, ask)
      const first = await send()
      expectRefused(binding, await send(), 'pop_proof_replayed')
      const again = await binding.call('usp_bookings_create', {}, ask)
      expectServed(binding, again)
      expect(again.thing).toEqual(first.thing)
    })
  },
)

test('[POP-066] [POP-086] a jti that was used on one binding is a replay on the other', async () => {
  const [rest, mcp] = bindingsOf(server, platform)
  const ask = { key: testKey(), claims: { jti: 'both' } }
  expectServed(rest, await rest.call(SUBSCRIBE, wish, ask))
  expectRefused(mcp, await mcp.call(SUBSCRIBE, wish, ask), 'pop_proof_replayed')
})
