import { beforeAll, describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { roles } from '../../src/protocol/caller-types.ts'
import { operations } from '../../src/server/all-operations.ts'
import { sampling } from '../support/case-sampling.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { sampleOf } from '../support/samples.ts'
import { START, testServer } from '../support/server.ts'
import { type Binding, call, type Shown } from './callers.ts'
import { definition, find, inputFor, newOwner, refusalOf, rowOf, stateOf, type Things } from './things.ts'

const sampled = sampling()
const server = await testServer(definition)
const published = testKey('ES256')
const platform = await testPlatform({ keys: [{ ...published.jwk, kid: 'k1', use: 'sig', alg: 'ES256' }] })
const elsewhere = await testPlatform()
const client = await addClient(server.runtime.db, 'Known platform', START)
const staff = await addStaff(server.runtime.db, 'Jo', 'owner', START)
const now = START
const owner: Things = await newOwner(server, platform)
const bound = testKey()

/** Callers of whom nobody is proven to be anybody, and what they are told by a privileged operation. */
const unproven: [what: string, code: string, shown: () => Shown][] = [
  ['no credential', 'authentication_required', () => ({ now, platform })],
  ['no credential and no agent', 'authentication_required', () => ({ now })],
  ['a malformed proof', 'pop_proof_invalid', () => ({ now, platform, proof: { key: testKey(), text: 'not.a.proof' } })],
  ['a malformed token', 'authentication_required', () => ({ now, platform, bearer: 'nonsense' })],
  ['an unknown API key', 'authentication_required', () => ({ now, platform, bearer: `usk_${'x'.repeat(43)}` })],
  [
    'an unknown scoped credential',
    'authentication_required',
    () => ({ now, platform, scoped: `bsc_${'x'.repeat(43)}`, proof: { key: testKey() } }),
  ],
  [
    'a scoped credential as a bearer token',
    'authentication_required',
    () => ({ now, platform, bearer: `bsc_${'x'.repeat(43)}` }),
  ],
  ['a staff token', 'authentication_required', () => ({ now, platform, bearer: staff })],
  [
    'a proof signed by another key',
    'pop_proof_invalid',
    () => ({ now, platform, proof: { key: testKey(), by: testKey() } }),
  ],
  [
    'a signature by another key',
    'signature_invalid',
    () => ({ now, platform, signature: { key: testKey('ES256'), keyid: 'k1' } }),
  ],
  [
    'a signature by an unpublished key',
    'key_not_found',
    () => ({ now, platform, signature: { key: testKey('ES256'), keyid: 'k2' } }),
  ],
  [
    'a stale proof',
    'pop_proof_invalid',
    () => ({ now, platform, proof: { key: testKey(), claims: { iat: now.getTime() / 1000 - 61 } } }),
  ],
  [
    'an expired signature',
    'signature_expired',
    () => ({ now, platform, signature: { key: published, keyid: 'k1', expires: new Date(now.getTime() - 1000) } }),
  ],
  [
    'a key bound to another profile',
    'authentication_required',
    () => ({ now, platform: elsewhere, proof: { key: bound } }),
  ],
]

/** Platforms that prove who they are. None of them owns what the calls are about. */
const platforms: [what: string, shown: () => Shown][] = [
  ['platform_key_pop', () => ({ now, platform, proof: { key: testKey() } })],
  ['platform_key_pop with ES256', () => ({ now, platform, proof: { key: testKey('ES256') } })],
  ['http_message_signature', () => ({ now, platform, signature: { key: published, keyid: 'k1' } })],
  ['api_key', () => ({ now, platform, bearer: client.key })],
]

/** What gives money back, what cannot be undone, and who works here. */
const forManagers = [
  ...['listStaff', 'inviteStaff', 'linkStaff', 'changeStaff', 'removeStaff'],
  ...['refundBooking', 'openDispute', 'reviewDispute', 'resolveDispute', 'eraseBooking', 'eraseBuyer'],
  'markChargeReturned',
  ...[
    'replayDeliveries',
    'getBusinessDefinition',
    'applyBusinessDefinition',
    'addPicture',
    'getTakings',
    'getBusinessReports',
    'importBookings',
    'connectCalendar',
    'disconnectCalendar',
  ],
]

/** What reads or diverts the mails with which an owner signs in, what costs money with each message, and who enters. */
const forOwners = [
  ...['getMailServer', 'setMailServer', 'removeMailServer', 'testMailServer'],
  ...['getTextProvider', 'setTextProvider', 'removeTextProvider', 'testTextProvider'],
  ...['getCompanySignIn', 'setCompanySignIn', 'removeCompanySignIn', 'setCalendarApp'],
]

const withAccess = (...classes: string[]) =>
  operations.filter(({ access }) => classes.includes(access)).map((one) => [rowOf(one), one.tool, one] as const)

describe.each<Binding>(['REST', 'MCP'])('over %s', (binding) => {
  beforeAll(async () => {
    const create = find('createFeedSubscription')
    await call(server, binding, create, sampleOf(create), { now, platform, proof: { key: bound } })
  })

  describe.each(withAccess('public'))('[%s] public %s', (_row, _tool, operation) => {
    test.each(sampled([...unproven.map(([what, , shown]) => [what, shown] as const), ...platforms]))(
      'is served to a caller with %s',
      async (_what, shown) => {
        const { code, outcome } = await call(server, binding, operation, inputFor(operation, owner), shown())
        expect([code, outcome]).toEqual([undefined, undefined])
      },
    )
  })

  describe.each(withAccess('privileged_platform', 'privileged_scoped'))(
    '[%s] privileged %s',
    (_row, _tool, operation) => {
      let before = ''
      beforeAll(async () => {
        before = await stateOf(server)
      })

      test.each(sampled(unproven))('refuses %s with %s', async (_what, code, shown) => {
        const told = await call(server, binding, operation, inputFor(operation, owner), shown())
        expect(told.code).toBe(code)
        if (binding === 'REST') expect(told.status).toBe(401)
        if (binding === 'MCP') expect(told.rpc).toBe(code.startsWith('pop_') ? -32001 : -32006)
      })

      test('changes nothing for any of them', async () => {
        expect(await stateOf(server)).toBe(before)
      })

      test.each(sampled(platforms))('[AUT-037] lets %s in, and shows it only what is its own', async (_what, shown) => {
        const { code, outcome } = await call(server, binding, operation, inputFor(operation, owner), shown())
        const refusal = refusalOf(operation)
        expect(code ?? outcome).toBe(refusal)
      })

      if (refusalOf(operation) !== undefined)
        test('changes nothing for a platform that asks for what is not its own', async () => {
          expect(await stateOf(server)).toBe(before)
        })

      test('lets the owner in', async () => {
        const mine = await newOwner(server, platform)
        const shown = { now, platform, proof: { key: mine.key } }
        const { code, outcome } = await call(server, binding, operation, inputFor(operation, mine), shown)
        expect([undefined, 'invalid_transition', 'payment_amount_mismatch']).toContain(code ?? outcome)
      })
    },
  )

  describe.each(withAccess('business_only'))('[%s] %s is for the business alone:', (_row, _tool, operation) => {
    const notStaff: [what: string, shown: () => Shown][] = [
      ...unproven.filter(([what]) => what !== 'a staff token').map(([what, , shown]) => [what, shown] as const),
      ...platforms,
      ['the key of the platform that booked', () => ({ now, platform, proof: { key: owner.key } })],
      [
        'the credential of the booking',
        () => ({ now, platform, scoped: owner.credentials.booking?.value ?? '', proof: { key: owner.key } }),
      ],
    ].map(([what, shown]) => [String(what), shown as () => Shown])

    let before = ''
    beforeAll(async () => {
      before = await stateOf(server)
    })

    test.each(sampled(notStaff))('a caller with %s is refused', async (_what, shown) => {
      const told = await call(server, binding, operation, inputFor(operation, owner), shown())
      expect(told).toMatchObject({
        code: 'authentication_required',
        ...(binding === 'REST' ? { status: 401 } : { rpc: -32006 }),
      })
    })

    test('nothing changes for any of them', async () => {
      expect(await stateOf(server)).toBe(before)
    })

    const isForOwners = forOwners.includes(operation.id)
    const isForManagers = isForOwners || forManagers.includes(operation.id)
    const rights = ['owner', ...(isForOwners ? [] : ['manager']), ...(isForManagers ? [] : ['staff'])]
    test.each(sampled(roles.filter((role) => role !== 'viewer')))(
      '[AUT-092] a token of the role %s has its rights, whether or not a platform is named',
      async (role) => {
        const bearer = await addStaff(server.runtime.db, role, role, now)
        for (const shown of [
          { now, bearer },
          { now, bearer, platform },
        ]) {
          const { code } = await call(server, binding, operation, inputFor(operation, owner), shown)
          if (rights.includes(role)) expect(code).not.toBe('authentication_required')
          else expect(code).toBe('authentication_required')
        }
      },
    )

    test('a viewer may read and change nothing', async () => {
      const bearer = await addStaff(server.runtime.db, 'Vic', 'viewer', now)
      const untouched = await stateOf(server)
      const { code } = await call(server, binding, operation, inputFor(operation, owner), { now, bearer })
      if (operation.effect === 'read' && !isForManagers) expect(code).not.toBe('authentication_required')
      else expect(code).toBe('authentication_required')
      expect(await stateOf(server)).toBe(untouched)
    })
  })
})
