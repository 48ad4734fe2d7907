import { describe, expect, test } from 'vitest'
import { renewScopedCredential } from '../../src/core/authentication/booking-scoped-credentials.ts'
import { secretDigest } from '../../src/core/keys/encrypt-secrets.ts'
import type { Operation } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import { sampling } from '../support/case-sampling.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { START, testServer } from '../support/server.ts'
import { type Binding, call, type Shown } from './callers.ts'
import { definition, inputFor, newOwner, rowOf, stateOf, type Things } from './things.ts'

const sampled = sampling()
const server = await testServer(definition)
const platform = await testPlatform()
const elsewhere = await testPlatform()
const now = START
const mine = await newOwner(server, platform)
const theirs = await newOwner(server, platform)

const resourceOf = (operation: Operation, things: Things) => {
  const resource = operation.resource?.(inputFor(operation, things))
  if (!resource) throw new Error(`${operation.id} is about nothing that a credential can be for`)
  return resource
}

/** A credential for what the operation is about, bound to the owner's key. */
async function issued(operation: Operation, { key, ids, credentials }: Things, expiresAt: Date) {
  const principal = `key:${key.thumbprint}`
  const caller = { principal, profile: platform.url, mechanism: 'platform_key_pop', identities: [], credentials: true }
  const resource = resourceOf(operation, { key, ids, credentials })
  const credential = await renewScopedCredential(server.runtime.db, resource, caller, { expiresAt, zone: 'UTC' })
  return credential?.value ?? ''
}

const later = new Date(now.getTime() + 3_600_000)
const limitedTo = async (operation: Operation, scope: string[]) => {
  const value = await issued(operation, mine, later)
  const { db } = server.runtime
  const own = db.updateTable('scoped_credentials').where('value_hash', '=', secretDigest(value))
  await own.set({ scope }).execute()
  return value
}

const scoped = operations.filter(({ access }) => access === 'privileged_scoped')
const listed = (some: Operation[]) => some.map((one) => [rowOf(one), one.tool, one] as const)

describe.each<Binding>(['REST', 'MCP'])('over %s', (binding) => {
  const as = (operation: Operation, shown: Partial<Shown>, things = mine) =>
    call(server, binding, operation, inputFor(operation, things), { now, platform, ...shown })

  async function expectRefused(operation: Operation, shown: Partial<Shown>, code = 'authentication_required') {
    const before = await stateOf(server)
    const told = await as(operation, shown)
    expect(told).toMatchObject({
      code,
      ...(binding === 'REST' ? { status: 401 } : { rpc: code.startsWith('pop_') ? -32001 : -32006 }),
    })
    expect(await stateOf(server)).toBe(before)
  }

  describe.each(listed(sampled(scoped)))('[%s] a credential and %s:', (_row, tool, operation) => {
    const kind = operation.resource?.(inputFor(operation, mine)).kind

    test('[BSC-022] its own opens it, with the key that it is bound to', async () => {
      const owner = await newOwner(server, platform)
      const value = kind && owner.credentials[kind]?.value
      const told = await as(operation, { scoped: value ?? '', proof: { key: owner.key } }, owner)
      expect([told.code, [undefined, 'invalid_transition', 'payment_amount_mismatch'].includes(told.outcome)]).toEqual([
        undefined,
        true,
      ])
    })

    test('without a proof it opens nothing', async () => {
      await expectRefused(operation, { scoped: await issued(operation, mine, later) }, 'pop_proof_missing')
    })

    test('with the proof of another key it opens nothing', async () => {
      const shown = { scoped: await issued(operation, mine, later), proof: { key: testKey() } }
      await expectRefused(operation, shown, 'pop_key_mismatch')
    })

    test('[BSC-019] that of another thing of the kind opens nothing', async () => {
      const shown = { scoped: await issued(operation, theirs, later), proof: { key: theirs.key } }
      await expectRefused(operation, shown)
      const own = { scoped: await issued(operation, { ...theirs, key: mine.key }, later), proof: { key: mine.key } }
      await expectRefused(operation, own)
    })

    test('[BSC-020] that of a thing of another kind opens nothing', async () => {
      for (const [other, credential] of Object.entries(mine.credentials))
        if (other !== kind) await expectRefused(operation, { scoped: credential.value, proof: { key: mine.key } })
    })

    test('an expired one opens nothing', async () => {
      const expired = await issued(operation, mine, now)
      await expectRefused(operation, { scoped: expired, proof: { key: mine.key } })
    })

    test('[BSC-024] one of another scope opens nothing, one of this scope does', async () => {
      const others = scoped.map((one) => one.tool).filter((one) => one !== tool)
      const narrow = await limitedTo(operation, others)
      await expectRefused(operation, { scoped: narrow, proof: { key: mine.key } })
      if (operation.effect !== 'read') return
      const wide = await limitedTo(operation, [tool])
      expect((await as(operation, { scoped: wide, proof: { key: mine.key } })).code).toBeUndefined()
    })

    test('[BSC-035] under another profile it opens nothing', async () => {
      const shown = { scoped: await issued(operation, mine, later), proof: { key: mine.key }, platform: elsewhere }
      await expectRefused(operation, shown)
    })
  })

  describe.each(listed(sampled(operations.filter(({ access }) => access === 'privileged_platform'))))(
    '[%s] a credential alone is not enough for %s',
    (_row, _tool, operation) => {
      test.each(Object.entries(mine.credentials))('that of a %s', async (_kind, { value }) => {
        await expectRefused(operation, { scoped: value, proof: { key: mine.key } })
        await expectRefused(operation, { scoped: value }, 'pop_proof_missing')
      })
    },
  )

  test.each(listed(sampled(operations.filter(({ access }) => access === 'public'))))(
    '[%s] %s is served whatever credential is shown',
    async (_row, _tool, operation) => {
      for (const { value } of Object.values(mine.credentials))
        expect((await as(operation, { scoped: value, proof: { key: theirs.key } })).code).toBeUndefined()
    },
  )
})
