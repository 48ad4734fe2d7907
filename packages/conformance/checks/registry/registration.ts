import type { Members } from '../../caller/answer.ts'
import type { OperationName } from '../../caller/operations.ts'
import { expectEqual, expectInstant, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { expectNotFound } from '../expect-not-found.ts'
import {
  expectAllRequired,
  expectUnlisted,
  hostBusiness,
  listedBusiness,
  listingOf,
  needs,
  readRegistration,
  register,
  searchBusinesses,
  serviceOf,
} from './listed-business.ts'

export const registrationChecks = [
  check(
    'REG-004 REG-005 REG-006 REG-007 REG-023 REG-003 LIV-083',
    'An authenticated platform can register a business',
    async (c) => {
      const business = hostBusiness(c)
      const listing = listingOf(business, {
        description: 'A business of the conformance suite.',
        categories: [business.word, business.word.toUpperCase(), 'Fußpflege'],
        location: { address: 'Ring 1, Vienna', coordinates: { lat: 48.2, lng: 16.37 } },
      })
      const answer = await c.caller.call('register', listing)
      const result = answer.success()
      const registration = expectMembers(result.registration, 'registration')
      c.afterwards(() => c.caller.call('deleteRegistration', { id: registration.id }))
      if (c.binding === 'rest') expectEqual(answer.status, 201, 'the HTTP status')
      c.schemas.expectValid('registry#RegistryEntry', registration, 'the registration')
      for (const [name, value] of Object.entries(listing)) expectEqual(registration[name], value, name)
      expectEqual(registration.status, 'active', 'status')
      const age = Date.now() - expectInstant(registration.created_at, 'created_at')
      expectTrue(Math.abs(age) < 300_000, 'a created_at of now', registration.created_at)
      for (const secret of ['booking_scoped_credential', 'access_token', 'api_key', 'token', 'credential'])
        expectEqual(secret in result || secret in registration, false, `the presence of ${secret} in the answer`)
      const { version, capabilities } = expectMembers(result.usp, 'usp')
      expectEqual(version, '2026-08-20', 'usp.version')
      const names = Object.keys(expectMembers(capabilities, 'usp.capabilities'))
      expectEqual(names, ['dev.usp-protocol.discovery.registry'], 'the names in usp.capabilities')
    },
    { needs },
  ),
  check('REG-001', 'The profile declares the registry if, and only if, its searches answer', async (c) => {
    const answer = await c.anonymous.call('searchBusinesses', { query: 'conformance' })
    const isServed = Array.isArray(answer.result?.businesses)
    expectEqual(
      c.target.capability('discovery.registry') !== undefined,
      isServed,
      'the presence of the registry in the profile',
    )
  }),
  check(
    'REG-008',
    'A caller without authentication cannot register, update or delete a listing',
    async (c) => {
      const { business, registration } = await listedBusiness(c)
      const nobody = c.callerFor(c.platform.hosted, 'none')
      const { id } = registration
      const calls: [OperationName, object][] = [
        ['register', listingOf(hostBusiness(c))],
        ['updateRegistration', { id, ...listingOf(business) }],
        ['deleteRegistration', { id }],
      ]
      for (const [name, input] of calls) {
        const answer = await nobody.call(name, { ...input })
        answer.failsWith('authentication_required')
      }
      await readRegistration(c, id)
    },
    { needs },
  ),
  check(
    'REG-009',
    'A booking-scoped credential gives no right to change the registry',
    async (c) => {
      const { credential } = await c.book()
      if (credential === undefined) throw new Skip('The business issues no booking-scoped credentials.')
      const nobody = c.callerFor(c.platform.hosted, 'none')
      const { registration } = await listedBusiness(c)
      const calls: [OperationName, object][] = [
        ['register', listingOf(hostBusiness(c))],
        ['deleteRegistration', { id: registration.id }],
      ]
      for (const [name, input] of calls) {
        const { error } = await nobody.call(name, { ...input }, { credential })
        const refusals = c.binding === 'rest' ? [401] : [-32001, -32006]
        expectTrue(refusals.includes(error?.number ?? 0), `the error ${refusals.join(' or ')}`, error?.number)
      }
      await readRegistration(c, registration.id)
    },
    { needs: [...needs, 'services.bookings', 'services.availability'] },
  ),
  check(
    'REG-010',
    'The registry refuses a registration without a required member',
    async (c) => {
      const business = hostBusiness(c)
      await expectAllRequired(c, 'register', listingOf(business))
      await expectUnlisted(c, business)
    },
    { needs },
  ),
  check(
    'REG-011 REG-012 REG-022',
    'The registry refuses a registration with an invalid mode, timezone or position',
    async (c) => {
      const business = hostBusiness(c)
      const faults: [changes: Members, ...codes: string[]][] = [
        [{ deployment_mode: 'mixed' }, 'validation_error'],
        [{ timezone: 'Vienna' }, 'validation_error'],
        [{ location: { coordinates: { lat: 48.2 } } }, 'validation_error', 'invalid_request'],
      ]
      for (const [changes, ...codes] of faults) {
        const { error } = await c.caller.call('register', listingOf(business, changes))
        expectTrue(codes.includes(error?.code ?? ''), `the error ${codes.join(' or ')}`, error?.code)
        if (c.binding === 'rest')
          expectTrue(error?.number === 422 || error?.number === 400, 'HTTP 422 or 400', error?.number)
      }
      await expectUnlisted(c, business)
    },
    { needs },
  ),
  check(
    'LIV-083',
    'The registry refuses a registration with empty or repeated categories',
    async (c) => {
      for (const categories of [[''], ['hair', 'hair']])
        (await c.caller.call('register', listingOf(hostBusiness(c), { categories }))).failsWith('validation_error')
    },
    { needs },
  ),
  check(
    'REG-020 REG-021',
    'A business that buyers visit needs a location, but a virtual business does not',
    async (c) => {
      const business = hostBusiness(c, [serviceOf('visit', 'any', { channel: { type: 'at_business_location' } })])
      ;(await c.caller.call('register', listingOf(business))).failsWith('validation_error')
      await register(c, business, { location: { address: 'Ring 1, Vienna' } })
      await register(c, hostBusiness(c, [serviceOf('call', 'any')]))
    },
    { needs },
  ),
  check(
    'REG-024',
    'A registration repeated with its idempotency key creates only one listing',
    async (c) => {
      const business = hostBusiness(c)
      const options = { idempotencyKey: crypto.randomUUID() }
      const first = (await c.caller.call('register', listingOf(business), options)).success()
      const { id } = expectMembers(first.registration, 'registration')
      c.afterwards(() => c.caller.call('deleteRegistration', { id }))
      const again = (await c.caller.call('register', listingOf(business), options)).success()
      expectEqual(expectMembers(again.registration, 'registration').id, id, 'the id of the repeated registration')
      const other = await c.caller.call('register', listingOf(business, { name: 'Another' }), options)
      other.failsWith('idempotency_conflict')
    },
    { needs },
  ),
  check(
    'REG-025',
    'A second registration of the same profile returns the first listing',
    async (c) => {
      const { business, registration } = await listedBusiness(c)
      const again = (await c.caller.call('register', listingOf(business))).success()
      expectEqual(
        expectMembers(again.registration, 'registration').id,
        registration.id,
        'the id of the second registration',
      )
      expectEqual((await searchBusinesses(c, { categories: [business.word] })).length, 1, 'the number of listings')
    },
    { needs },
  ),
  check(
    'REG-026 REG-027 LIV-002',
    'A caller without authentication can read a listing, and gets an error for an unknown id',
    async (c) => {
      const { registration } = await listedBusiness(c)
      expectEqual(await readRegistration(c, registration.id), registration, 'the registration when read')
      expectNotFound(await c.anonymous.call('getRegistration', { id: 'reg_of_nobody' }), 'an unknown registration')
    },
    { needs },
  ),
]
