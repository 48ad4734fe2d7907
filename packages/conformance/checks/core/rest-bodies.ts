import { type OperationName, operations } from '../../caller/operations.ts'
import { expectEqual, expectList, expectStatus, expectTrue, inCase } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { isForPlatforms, offeredOperations, sampleInputs } from './sample-inputs.ts'

const only = 'rest'
const LOOKUP = '/services/lookup'
const LOOKUP_BODY = JSON.stringify({ ids: ['service_of_nobody'] })
const json = { 'content-type': 'application/json' }

/** Public operations that need no input. */
const WITHOUT_INPUT: OperationName[] = ['listServices', 'searchBusinesses', 'searchServices']
/** Operations that need no input except the id of their resource. */
const ON_RESOURCES: OperationName[] = [
  'cancelBooking',
  'acceptOffer',
  'declineOffer',
  'pauseSubscription',
  'resumeSubscription',
]

export const restBodyChecks = [
  check(
    'REST-010 ERR-040',
    'The server refuses a body that is not JSON',
    async ({ anonymous }) => {
      for (const body of ['{"ids":["a"]', '{"ids":["a"],}', 'ids', "{'ids':['a']}"]) {
        const answer = await anonymous.request('POST', LOOKUP, { body, headers: json })
        inCase(body, () => answer.failsWith('invalid_request'))
      }
    },
    { only },
  ),
  check(
    'REST-011 ERR-040',
    'The server refuses a request without the body that its operation needs',
    async (c) => {
      for (const path of [LOOKUP, ...(c.target.capability('services.availability') ? ['/availability/query'] : [])])
        for (const headers of [{}, json])
          (await c.anonymous.request('POST', path, { headers })).failsWith('invalid_request')
    },
    { only },
  ),
  check('REST-012 MCP-027 ERR-040', 'The server refuses a request without a required member', async (c) => {
    for (const name of offeredOperations(c.target).filter(isForPlatforms)) {
      for (const member of requiredMembers(name, c.binding)) {
        const { [member]: _, ...input } = sampleInputs[name]
        const answer = await c.sharedPlatform.caller.call(name, input)
        inCase(`${name} without ${member}`, () => answer.failsWith('invalid_request'))
      }
    }
  }),
  check(
    'REST-012 MCP-027',
    'The server refuses a buyer without a required member',
    async (c) => {
      for (const member of ['first_name', 'last_name', 'email']) {
        const { [member]: _, ...buyer } = c.buyer()
        const answer = await c.sharedPlatform.caller.call('book', { ...sampleInputs.book, buyer })
        inCase(`a buyer without ${member}`, () => answer.failsWith('invalid_request'))
      }
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'REST-014',
    'The server refuses a JSON body that is not an object',
    async ({ anonymous }) => {
      for (const body of ['["a"]', '"a"', '7', 'null', 'true']) {
        const answer = await anonymous.request('POST', LOOKUP, { body, headers: json })
        inCase(body, () => answer.failsWith('validation_error'))
      }
    },
    { only },
  ),
  check(
    'REST-018',
    'An operation without required members accepts a request without a body',
    async (c) => {
      const offered = offeredOperations(c.target)
      for (const name of WITHOUT_INPUT.filter((name) => offered.includes(name))) {
        const [, path = ''] = operations[name].rest.split(' ')
        const answer = await c.anonymous.request('POST', path)
        // A registry may demand a filter. But it must not report the missing body as malformed.
        inCase(name, () => {
          if (answer.error?.code !== 'validation_error') expectStatus(answer, 200)
        })
      }
      const { caller } = c.sharedPlatform
      if (offered.includes('listWaitlist'))
        (await caller.call('listWaitlist', {}, { body: null, headers: { 'content-type': null } })).success()
      for (const name of ON_RESOURCES.filter((name) => offered.includes(name))) {
        const answer = await caller.call(name, sampleInputs[name], { body: null, headers: { 'content-type': null } })
        inCase(name, () => expectStatus(answer, 404))
      }
    },
    { only },
  ),
  check(
    'REST-019',
    'The server does not refuse an empty body with the content type of JSON as malformed',
    async (c) => {
      const offered = offeredOperations(c.target)
      const { caller } = c.sharedPlatform
      const names: OperationName[] = ['release', 'leaveWaitlist', 'unsubscribe', 'cancelBooking']
      const found = names.filter((name) => offered.includes(name))
      if (found.length === 0) throw new Skip('The business offers no operation without a body.')
      for (const name of found) {
        const answer = await caller.call(name, sampleInputs[name], { body: null, headers: json })
        inCase(name, () => expectStatus(answer, 404))
      }
    },
    { only },
  ),
  check(
    'REST-020',
    'The content type of JSON may name a character set',
    async ({ anonymous }) => {
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      expectStatus(await anonymous.request('POST', LOOKUP, { body: LOOKUP_BODY, headers }), 200)
    },
    { only },
  ),
  check(
    'REST-021',
    'The server refuses a body of another media type',
    async ({ anonymous }) => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
        const headers = { 'content-type': type }
        const answer = await anonymous.request('POST', LOOKUP, { body: LOOKUP_BODY, headers })
        expectStatus(answer, 415)
      }
    },
    { only },
  ),
  check(
    'REST-022',
    'The server answers with JSON for any header Accept',
    async ({ anonymous }) => {
      for (const accept of ['text/html', 'application/xml', 'image/*']) {
        const answer = await anonymous.call('listServices', {}, { headers: { accept } })
        expectList(answer.success().services, 'services')
        expectTrue(/^application\/json/.test(answer.headers['content-type'] ?? ''), 'JSON', answer.headers)
      }
    },
    { only },
  ),
  check(
    'REST-016',
    'The server converts a value in the URL query to the type of its member',
    async ({ anonymous, services }) => {
      const answer = await anonymous.request('GET', '/services/feed?limit=1')
      if (answer.status === 501) throw new Skip('The business has no feed.')
      const items = expectList(answer.success().items, 'items')
      expectEqual(items.length, Math.min(1, services.length), 'the number of items for the limit 1')
    },
    { only },
  ),
  check(
    'REST-017',
    'The server refuses a value in the URL query that has a wrong type',
    async ({ anonymous }) => {
      const answer = await anonymous.request('GET', '/services/feed?limit=ten')
      if (answer.status === 501) throw new Skip('The business has no feed.')
      answer.failsWith('validation_error')
    },
    { only },
  ),
]

/**
 * Returns the required members of an operation. Over REST, a server may search for the resource before it reads the
 * body. Therefore operations with an id in the path have no required members here.
 */
function requiredMembers(name: OperationName, binding: 'rest' | 'mcp'): string[] {
  const inPath = [...operations[name].rest.matchAll(/\{(\w+)\}/g)].map(([, member = '']) => member)
  if (inPath.length > 0) return binding === 'mcp' ? inPath : []
  return Object.keys(sampleInputs[name])
}
