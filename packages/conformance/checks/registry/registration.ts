import type { OperationName } from '../../caller/operations.ts'
import { expectEqual, expectInstant, expectMembers, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { expectNotFound } from '../expect-not-found.ts'
import {
  hostBusiness,
  INVALID,
  listedBusiness,
  listingOf,
  needs,
  register,
  searchBusinesses,
  serviceOf,
} from './listed-business.ts'

const REQUIRED = ['profile_url', 'deployment_mode', 'name', 'verticals', 'categories', 'timezone']

export const registrationChecks = [
  check(
    'REG-004 REG-005 REG-006 REG-007 REG-023 REG-003 LIV-083',
    'An authenticated platform registers a business',
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
        expectEqual(secret in result || secret in registration, false, `whether the answer has a ${secret}`)
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
    expectEqual(c.target.capability('discovery.registry') !== undefined, isServed, 'whether it is declared')
  }),
  check(
    'REG-008',
    'To register, update or delete a listing needs authentication',
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
        answer.failsWith('authentication_required', { rest: 401, mcp: -32006 })
      }
      ;(await c.anonymous.call('getRegistration', { id })).success()
    },
    { needs },
  ),
  check(
    'REG-009',
    'A booking-scoped credential authorizes no operation of the registry',
    async (c) => {
      const { credential } = await c.book()
      if (credential === undefined) throw new Skip('The business issues no booking-scoped credential.')
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
      ;(await c.anonymous.call('getRegistration', { id: registration.id })).success()
    },
    { needs: [...needs, 'services.bookings', 'services.availability'] },
  ),
  check(
    'REG-010',
    'A registration without a required member is refused',
    async (c) => {
      const business = hostBusiness(c)
      for (const name of REQUIRED) {
        const { [name]: _, ...incomplete } = listingOf(business)
        const answer = await c.caller.call('register', incomplete)
        answer.failsWith('invalid_request', { rest: 400, mcp: -32600 })
      }
      expectEqual(await searchBusinesses(c, { categories: [business.word] }), [], 'the listings of the business')
    },
    { needs },
  ),
  check(
    'REG-011 REG-012 REG-022',
    'A registration with an invalid mode, timezone or position is refused',
    async (c) => {
      const business = hostBusiness(c)
      for (const changes of [
        { deployment_mode: 'mixed' },
        { timezone: 'Vienna' },
        { location: { coordinates: { lat: 48.2 } } },
      ]) {
        const { error } = await c.caller.call('register', listingOf(business, changes))
        const codes = 'location' in changes ? ['validation_error', 'invalid_request'] : ['validation_error']
        expectTrue(codes.includes(error?.code ?? ''), `the error ${codes.join(' or ')}`, error?.code)
        if (c.binding === 'rest') expectTrue(error?.number === 422 || error?.number === 400, 'HTTP 422', error?.number)
      }
      expectEqual(await searchBusinesses(c, { categories: [business.word] }), [], 'the listings of the business')
    },
    { needs },
  ),
  check(
    'LIV-083',
    'Categories of a registration that are empty or repeated are refused',
    async (c) => {
      for (const categories of [[''], ['hair', 'hair']]) {
        const answer = await c.caller.call('register', listingOf(hostBusiness(c), { categories }))
        answer.failsWith('validation_error', INVALID)
      }
    },
    { needs },
  ),
  check(
    'REG-020 REG-021',
    'A business that buyers visit needs a location, and a virtual one does not',
    async (c) => {
      const business = hostBusiness(c, [serviceOf('visit', 'any', { channel: { type: 'at_business_location' } })])
      const answer = await c.caller.call('register', listingOf(business))
      answer.failsWith('validation_error', INVALID)
      await register(c, business, { location: { address: 'Ring 1, Vienna' } })
      await register(c, hostBusiness(c, [serviceOf('call', 'any')]))
    },
    { needs },
  ),
  check(
    'REG-024',
    'A registration repeated with its idempotency key makes one listing',
    async (c) => {
      const business = hostBusiness(c)
      const options = { idempotencyKey: crypto.randomUUID() }
      const first = (await c.caller.call('register', listingOf(business), options)).success()
      const { id } = expectMembers(first.registration, 'registration')
      c.afterwards(() => c.caller.call('deleteRegistration', { id }))
      const again = (await c.caller.call('register', listingOf(business), options)).success()
      expectEqual(expectMembers(again.registration, 'registration').id, id, 'the id of the repeated registration')
      const other = await c.caller.call('register', listingOf(business, { name: 'Another' }), options)
      other.failsWith('idempotency_conflict', { rest: 409, mcp: -32602 })
    },
    { needs },
  ),
  check(
    'REG-025',
    'A second registration of the same profile gives the first listing',
    async (c) => {
      const { business, registration } = await listedBusiness(c)
      const again = (await c.caller.call('register', listingOf(business))).success()
      expectEqual(expectMembers(again.registration, 'registration').id, registration.id, 'the id of the second one')
      expectEqual((await searchBusinesses(c, { categories: [business.word] })).length, 1, 'the number of listings')
    },
    { needs },
  ),
  check(
    'REG-026 REG-027 LIV-002',
    'Anybody reads a listing, and an unknown id is not found',
    async (c) => {
      const { registration } = await listedBusiness(c)
      const { registration: read } = (await c.anonymous.call('getRegistration', { id: registration.id })).success()
      expectEqual(read, registration, 'the registration when read')
      expectNotFound(await c.anonymous.call('getRegistration', { id: 'reg_of_nobody' }), 'an unknown registration')
    },
    { needs },
  ),
]
