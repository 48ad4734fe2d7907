import type { Answer, Members } from '../../caller/answer.ts'
import type { OperationName } from '../../caller/operations.ts'
import { expectTrue, inCase } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { offeredOperations, sampleInputs } from './sample-inputs.ts'

/** Members of a wrong type, or values outside the allowed list, format or range. */
const FAULTS: [OperationName, Members][] = [
  ['listServices', { pagination: { limit: 'ten' } }],
  ['listServices', { filters: { categories: 'hair' } }],
  ['listServices', { filters: { price: { min: 'cheap' } } }],
  ['listServices', { context: { coordinates: { latitude: 91, longitude: 0 } } }],
  ['lookupServices', { ids: 'a' }],
  ['lookupServices', { ids: [] }],
  ['lookupServices', { ids: [7] }],
  ['queryAvailability', { start_date: 'tomorrow' }],
  ['queryAvailability', { party_size: 'two' }],
  ['searchBusinesses', { deployment_mode: 'of_no_specification' }],
  ['hold', { spots: 'two' }],
  ['book', { party_size: 1.5 }],
  ['book', { buyer: 'Conformance' }],
  ['book', { buyer: { first_name: 'A', last_name: 'B', email: 'no address' } }],
  ['listWaitlist', { status: 'of_no_specification' }],
]

export const inputTypeChecks = [
  check(
    'REST-013 LIV-011 LIV-015',
    'The server refuses a member with a wrong type, or with a value outside its range',
    async (c) => {
      const offered = offeredOperations(c.target)
      for (const [name, fault] of FAULTS.filter(([name]) => offered.includes(name))) {
        const answer = await c.sharedPlatform.caller.call(name, { ...sampleInputs[name], ...fault })
        inCase(`${name} with ${JSON.stringify(fault)}`, () => answer.failsWith('validation_error'))
      }
    },
  ),
  check(
    'REST-015',
    'The server does not accept a text as a number',
    async (c) => {
      for (const [name, fault] of [
        ['book', { party_size: '2' }],
        ['queryAvailability', { party_size: '2' }],
        ['listServices', { pagination: { limit: '10' } }],
      ] as const) {
        const answer = await c.sharedPlatform.caller.call(name, { ...sampleInputs[name], ...fault })
        inCase(`${name} with ${JSON.stringify(fault)}`, () => answer.failsWith('validation_error'))
      }
    },
    { needs: ['services.bookings', 'services.availability'] },
  ),
  check('ERR-015', 'A refusal of an input lists each error with its field', async (c) => {
    const { error } = await c.anonymous.call('lookupServices', { ids: 'a' })
    const faults = error?.members.errors
    expectTrue(
      Array.isArray(faults) &&
        faults.some(({ field, message }) => String(field).includes('ids') && typeof message === 'string'),
      'an entry of errors with the field ids and a message',
      error?.members ?? 'no error',
    )
  }),
  check('ERR-077 LIV-022', 'Malformed input never causes an internal error', async (c) => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    const values: unknown[] = ['\u0000', 'x'.repeat(100_000), 1e308, -1, null, {}, [[[]]], '../../etc/passwd']
    for (const value of values)
      for (const [name, input] of [
        ['getService', { service_id: value === null ? 'null' : value }],
        ['lookupServices', { ids: [value] }],
        ['listServices', { query: value, pagination: { cursor: value } }],
      ] as const) {
        const answer = await c.anonymous.call(name, input)
        inCase(`${name} with ${JSON.stringify(value).slice(0, 40)}`, () => expectNoInternalError(answer))
      }
    const surrogate = await c.anonymous.call('lookupServices', { ids: ['\ud800'] })
    inCase('half of a UTF-16 character', () => expectNoInternalError(surrogate))
    if (c.binding === 'mcp') return
    const headers = { 'content-type': 'application/json' }
    const nested = await c.anonymous.request('POST', '/services/lookup', { body: `{"ids":${deep}}`, headers })
    inCase('a body of 5000 nested arrays', () => expectNoInternalError(nested))
  }),
]

function expectNoInternalError({ status, error }: Answer): void {
  expectTrue(status < 500 && error?.number !== -32603, 'no internal error', `${status} ${error?.number ?? ''}`)
}
