import { randomUUID } from 'node:crypto'
import type { OperationName } from '../../caller/operations.ts'
import { inCase } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { offeredOperations, sampleInputs } from './sample-inputs.ts'

const only = 'mcp'
const needs = ['services.bookings']
const INVALID = { rest: 400, mcp: -32600 }
const UNAUTHENTICATED = { rest: 401, mcp: -32006 }
const NOT_FOUND = { rest: 404, mcp: -32602 }

export const mcpMetadataChecks = [
  check(
    'MCP-019',
    'An unknown member of _meta.usp is refused by each tool',
    async (c) => {
      for (const name of offeredOperations(c.target)) {
        if (name === 'confirmBooking') continue
        const options = { meta: { of_no_specification: 1 }, idempotencyKey: null }
        const answer = await c.sharedPlatform.caller.call(name, sampleInputs[name], options)
        inCase(name, () => answer.failsWith('invalid_request', INVALID))
      }
    },
    { only },
  ),
  check(
    'LIV-108',
    'A correlation id in _meta.usp changes nothing',
    async (c) => {
      for (const correlation_id of ['conformance', '']) {
        ;(await c.anonymous.call('listServices', {}, { meta: { correlation_id } })).success()
        const answer = await c.sharedPlatform.caller.call('getBooking', sampleInputs.getBooking, {
          meta: { correlation_id },
        })
        answer.failsWith('booking_not_found', NOT_FOUND)
      }
    },
    { only, needs },
  ),
  check(
    'MCP-020',
    'A reading tool refuses an idempotency key',
    async (c) => {
      const offered = offeredOperations(c.target)
      const names: OperationName[] = ['getBooking', 'getEntry', 'listWaitlist']
      for (const name of names.filter((name) => offered.includes(name))) {
        const options = { meta: { idempotency_key: randomUUID() } }
        const answer = await c.sharedPlatform.caller.call(name, sampleInputs[name], options)
        inCase(name, () => answer.failsWith('invalid_request', INVALID))
      }
    },
    { only, needs },
  ),
  check(
    'MCP-021',
    'A tool that creates something refuses a revision',
    async (c) => {
      const offered = offeredOperations(c.target)
      const names: OperationName[] = ['book', 'hold', 'joinWaitlist']
      for (const name of names.filter((name) => offered.includes(name))) {
        const answer = await c.sharedPlatform.caller.call(name, sampleInputs[name], { ifMatch: '1' })
        inCase(name, () => answer.failsWith('invalid_request', INVALID))
      }
    },
    { only, needs },
  ),
  check(
    'MCP-023 MCP-024 MCP-025',
    'A malformed member authorization is refused',
    async (c) => {
      for (const authorization of [
        { mechanism: undefined },
        { of_no_specification: 1 },
        { mechanism: 'booking_scoped_credential', credential: { value: 'bsc_00000000000000000000000000' } },
        { mechanism: 7 },
      ]) {
        const { caller } = c.sharedPlatform
        const answer = await caller.call('getBooking', sampleInputs.getBooking, { authorization })
        inCase(JSON.stringify(authorization), () => answer.failsWith('invalid_request', INVALID))
      }
    },
    { only, needs },
  ),
  check(
    'MCP-038',
    'An unknown mechanism is refused, even with a valid signature',
    async (c) => {
      if (!c.target.mechanisms.includes('http_message_signature')) throw new Skip('The business accepts no signatures.')
      const { caller } = c.sharedPlatform
      const options = { authentication: 'signature', authorization: { mechanism: 'of_no_specification' } } as const
      const answer = await caller.call('getBooking', sampleInputs.getBooking, options)
      answer.failsWith('authentication_required', UNAUTHENTICATED)
    },
    { only, needs },
  ),
  check(
    'MCP-039 MCP-041',
    'A mechanism without its credential is refused',
    async (c) => {
      for (const mechanism of ['oauth2_bearer', 'api_key', 'booking_scoped_credential', 'mtls']) {
        const options = { authentication: 'none', authorization: { mechanism } } as const
        const answer = await c.sharedPlatform.caller.call('getBooking', sampleInputs.getBooking, options)
        inCase(mechanism, () => answer.failsWith('authentication_required', UNAUTHENTICATED))
      }
    },
    { only, needs },
  ),
  check(
    'MCP-040 ERR-059',
    'The mechanism http_message_signature without a signature is refused',
    async (c) => {
      if (!c.target.mechanisms.includes('http_message_signature')) throw new Skip('The business accepts no signatures.')
      const options = { authentication: 'none', authorization: { mechanism: 'http_message_signature' } } as const
      const answer = await c.sharedPlatform.caller.call('getBooking', sampleInputs.getBooking, options)
      answer.failsWith('signature_missing', UNAUTHENTICATED)
    },
    { only, needs },
  ),
  check(
    'MCP-037',
    'A signature of the HTTP request authenticates a tool call',
    async (c) => {
      if (!c.target.mechanisms.includes('http_message_signature')) throw new Skip('The business accepts no signatures.')
      const { caller } = c.newPlatform('signature')
      const { booking } = await c.book(c.simpleService, { caller })
      ;(await caller.call('getBooking', { booking_id: booking.id })).success()
    },
    { only, needs },
  ),
]
