import type { Members } from '../../caller/answer.ts'
import type { OperationName } from '../../caller/operations.ts'
import { expectTrue, inCase } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { offeredOperations, sampleInputs } from './sample-inputs.ts'

const INVALID = { rest: 422, mcp: -32602 }

/** Members of a wrong type, or outside their enum, format or range. */
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
  check('REST-013 LIV-011 LIV-015', 'A member of a wrong type, or outside its range, is refused', async (c) => {
    const offered = offeredOperations(c.target)
    for (const [name, fault] of FAULTS.filter(([name]) => offered.includes(name))) {
      const answer = await c.sharedPlatform.caller.call(name, { ...sampleInputs[name], ...fault })
      inCase(`${name} with ${JSON.stringify(fault)}`, () => answer.failsWith('validation_error', INVALID))
    }
  }),
  check(
    'REST-015',
    'The server does not read a text as a number',
    async (c) => {
      for (const [name, fault] of [
        ['book', { party_size: '2' }],
        ['queryAvailability', { party_size: '2' }],
        ['listServices', { pagination: { limit: '10' } }],
      ] as const) {
        const answer = await c.sharedPlatform.caller.call(name, { ...sampleInputs[name], ...fault })
        inCase(`${name} with ${JSON.stringify(fault)}`, () => answer.failsWith('validation_error', INVALID))
      }
    },
    { needs: ['services.bookings', 'services.availability'] },
  ),
  check('ERR-015', 'A refusal of an input lists each fault with its field', async (c) => {
    const { error } = await c.anonymous.call('lookupServices', { ids: 'a' })
    const faults = error?.members.errors
    expectTrue(
      Array.isArray(faults) &&
        faults.some(({ field, message }) => String(field).includes('ids') && typeof message === 'string'),
      'an entry of errors with the field ids and a message',
      error?.members ?? 'no error',
    )
  }),
  check('ERR-077 LIV-022', 'No malformed input causes an internal error', async (c) => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    const values: unknown[] = ['\u0000', 'x'.repeat(100_000), 1e308, -1, null, {}, [[[]]], '../../etc/passwd']
    for (const value of values)
      for (const [name, input] of [
        ['getService', { service_id: value === null ? 'null' : value }],
        ['lookupServices', { ids: [value] }],
        ['listServices', { query: value, pagination: { cursor: value } }],
      ] as const) {
        const { status, error } = await c.anonymous.call(name, input)
        inCase(`${name} with ${JSON.stringify(value).slice(0, 40)}`, () => {
          expectTrue(status < 500 && error?.number !== -32603, 'no internal error', `${status} ${error?.number ?? ''}`)
        })
      }
    const surrogate = await c.anonymous.call('lookupServices', { ids: ['\ud800'] })
    expectTrue(
      surrogate.status < 500 && surrogate.error?.number !== -32603,
      'no internal error for half of a character',
      surrogate.text,
    )
    if (c.binding === 'mcp') return
    const headers = { 'content-type': 'application/json' }
    const { status } = await c.anonymous.request('POST', '/services/lookup', { body: `{"ids":${deep}}`, headers })
    expectTrue(status < 500, 'no internal error for a body of 5000 nested arrays', `HTTP ${status}`)
  }),
]
