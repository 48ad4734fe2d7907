import { randomUUID } from 'node:crypto'
import type { OperationName } from '../../caller/operations.ts'
import { inCase } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { requireMechanism } from '../security/mechanism-check.ts'
import { isForPlatforms, offeredOperations, sampleInputs } from './sample-inputs.ts'

const only = 'mcp'
const needs = ['services.bookings']

export const mcpMetadataChecks = [
  check(
    'MCP-019',
    'Each tool refuses an unknown member of _meta.usp',
    async (c) => {
      for (const name of offeredOperations(c.target).filter(isForPlatforms)) {
        const options = { meta: { of_no_specification: 1 }, idempotencyKey: null }
        const answer = await c.sharedPlatform.caller.call(name, sampleInputs[name], options)
        inCase(name, () => answer.failsWith('invalid_request'))
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
        answer.failsWith('booking_not_found')
      }
    },
    { only, needs },
  ),
  check(
    'MCP-020',
    'A tool that only reads refuses an idempotency key',
    async (c) => {
      const offered = offeredOperations(c.target)
      const names: OperationName[] = ['getBooking', 'getEntry', 'listWaitlist']
      for (const name of names.filter((name) => offered.includes(name))) {
        const options = { meta: { idempotency_key: randomUUID() } }
        const answer = await c.sharedPlatform.caller.call(name, sampleInputs[name], options)
        inCase(name, () => answer.failsWith('invalid_request'))
      }
    },
    { only, needs },
  ),
  check(
    'MCP-021',
    'A tool that creates something refuses an expected revision',
    async (c) => {
      const offered = offeredOperations(c.target)
      const names: OperationName[] = ['book', 'hold', 'joinWaitlist']
      for (const name of names.filter((name) => offered.includes(name))) {
        const answer = await c.sharedPlatform.caller.call(name, sampleInputs[name], { ifMatch: '1' })
        inCase(name, () => answer.failsWith('invalid_request'))
      }
    },
    { only, needs },
  ),
  check(
    'MCP-023 MCP-024 MCP-025',
    'The server refuses a malformed member authorization',
    async (c) => {
      for (const authorization of [
        { mechanism: undefined },
        { of_no_specification: 1 },
        { mechanism: 'booking_scoped_credential', credential: { value: 'bsc_00000000000000000000000000' } },
        { mechanism: 7 },
      ]) {
        const { caller } = c.sharedPlatform
        const answer = await caller.call('getBooking', sampleInputs.getBooking, { authorization })
        inCase(JSON.stringify(authorization), () => answer.failsWith('invalid_request'))
      }
    },
    { only, needs },
  ),
  check(
    'MCP-038',
    'The server refuses an unknown mechanism, even with a valid signature',
    async (c) => {
      requireMechanism(c, 'http_message_signature')
      const { caller } = c.sharedPlatform
      const options = { authentication: 'signature', authorization: { mechanism: 'of_no_specification' } } as const
      const answer = await caller.call('getBooking', sampleInputs.getBooking, options)
      answer.failsWith('authentication_required')
    },
    { only, needs },
  ),
  check(
    'MCP-039 MCP-041',
    'The server refuses a mechanism without its credential',
    async (c) => {
      for (const mechanism of ['oauth2_bearer', 'api_key', 'booking_scoped_credential', 'mtls']) {
        const options = { authentication: 'none', authorization: { mechanism } } as const
        const answer = await c.sharedPlatform.caller.call('getBooking', sampleInputs.getBooking, options)
        inCase(mechanism, () => answer.failsWith('authentication_required'))
      }
    },
    { only, needs },
  ),
  check(
    'MCP-040 ERR-059',
    'The server refuses the mechanism http_message_signature without a signature',
    async (c) => {
      requireMechanism(c, 'http_message_signature')
      const options = { authentication: 'none', authorization: { mechanism: 'http_message_signature' } } as const
      const answer = await c.sharedPlatform.caller.call('getBooking', sampleInputs.getBooking, options)
      answer.failsWith('signature_missing', { rest: 401, mcp: -32006 })
    },
    { only, needs },
  ),
  check(
    'MCP-037',
    'A signature of the HTTP request authenticates a tool call',
    async (c) => {
      requireMechanism(c, 'http_message_signature')
      const { caller } = c.newPlatform('signature')
      const { booking } = await c.book(c.simpleService, { caller })
      ;(await caller.call('getBooking', { booking_id: booking.id })).success()
    },
    { only, needs },
  ),
]
