import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pages } from '../../src/interfaces/docs/site/documentation-pages.ts'
import {
  BusinessRefusal,
  type BusinessRefusalCode,
  errors,
  type ProtocolCode,
  ProtocolError,
  protocolCodes,
  refusalCodes,
} from '../../src/protocol/errors.ts'
import { documents, ORIGIN } from '../../src/protocol/json-schemas.ts'
import { testOperation } from '../support/operation.ts'
import { testServer } from '../support/server.ts'

let thrown: Error = new Error('nothing was set to be thrown')
const probe = testOperation('probe', {
  effect: 'create',
  output: { type: 'object', required: ['thing'], properties: { thing: { type: 'object' } } },
  async handle() {
    throw thrown
  },
})
const server = await testServer(undefined, { operations: [probe] })

/** The same error through both bindings. */
async function answersTo(error: Error) {
  thrown = error
  return { rest: await server.rest('POST', '/probe', {}), tool: await server.tool('usp_probe') }
}

const protocolErrors: [row: string, code: ProtocolCode, http: number, rpc: number][] = [
  ['[ERR-040]', 'invalid_request', 400, -32600],
  ['[ERR-041]', 'invalid_profile_url', 400, -32602],
  ['[ERR-042]', 'profile_unreachable', 424, -32003],
  ['[ERR-043]', 'profile_malformed', 422, -32004],
  ['[ERR-044]', 'profile_not_trusted', 403, -32005],
  ['[ERR-045]', 'authentication_required', 401, -32006],
  ['[ERR-046]', 'rate_limited', 429, -32007],
  ['[ERR-047]', 'version_unsupported', 400, -32008],
  ['[ERR-048]', 'service_unavailable', 503, -32009],
  ['[ERR-049]', 'revision_mismatch', 412, -32002],
  ['[ERR-050]', 'server_error', 500, -32603],
  ['[ERR-053]', 'pop_proof_missing', 401, -32001],
  ['[ERR-054]', 'pop_proof_invalid', 401, -32001],
  ['[ERR-055]', 'pop_key_mismatch', 401, -32001],
  ['[ERR-056]', 'pop_proof_replayed', 401, -32001],
  ['[ERR-059]', 'signature_missing', 401, -32006],
  ['[ERR-060]', 'signature_invalid', 401, -32006],
  ['[ERR-061]', 'key_not_found', 401, -32006],
  ['[ERR-062]', 'signature_expired', 401, -32006],
  ['[ERR-063]', 'digest_mismatch', 400, -32600],
  ['[ERR-064]', 'algorithm_unsupported', 400, -32600],
  ['[LIV-024]', 'payment_unverifiable', 409, -32002],
  ['[LIV-025]', 'confirmation_failed', 409, -32002],
  ['[LIV-012]', 'idempotency_conflict', 409, -32602],
  ['[LIV-013]', 'cursor_expired', 400, -32602],
  ['[LIV-014]', 'range_too_wide', 400, -32602],
  ['[ERR-069] [LIV-064]', 'hold_limit_exceeded', 429, -32007],
  ['[LIV-011] [LIV-015]', 'validation_error', 422, -32602],
  ['[LIV-003] [LIV-004] [LIV-015]', 'booking_not_found', 404, -32602],
  ['[LIV-005] [LIV-015]', 'entry_not_found', 404, -32602],
  ['[LIV-007] [LIV-008] [LIV-015]', 'service_not_found', 404, -32602],
  ['the wire form of', 'pop_proof_required', 401, -32001],
  ['the wire form of', 'proof_nonce_required', 401, -32001],
]

/** The HTTP status says all, so the type has no address. */
const plainErrors: [code: ProtocolCode, http: number, rpc: number, title: string][] = [
  ['subscription_not_found', 404, -32602, 'Not Found'],
  ['registration_not_found', 404, -32602, 'Not Found'],
  ['not_found', 404, -32602, 'Not Found'],
  ['method_not_allowed', 405, -32600, 'Method Not Allowed'],
  ['content_too_large', 413, -32600, 'Content Too Large'],
  ['unsupported_media_type', 415, -32600, 'Unsupported Media Type'],
]

test.each(plainErrors)('[LIV-023] %s is HTTP %i of type about:blank', async (code, http, rpc, title) => {
  const { rest, tool } = await answersTo(new ProtocolError(code, 'In words.'))
  expect(rest.status).toBe(http)
  expect(rest.body).toMatchObject({ type: 'about:blank', title, status: http, code, detail: 'In words.' })
  expect(tool.body.error).toMatchObject({ code: rpc, message: code, data: { code, content: 'In words.' } })
})

test.each(protocolErrors)('%s %s is HTTP %i on REST and %i on MCP', async (_, code, http, rpc) => {
  const { rest, tool } = await answersTo(new ProtocolError(code, 'In words.', { retryAfter: 3 }))
  expect(rest.status).toBe(http)
  expect(rest.body).toMatchObject({ code, status: http, detail: 'In words.' })
  expect(rest.body.type).toBe(`https://usp-protocol.dev/errors/${code.replaceAll('_', '-')}`)
  expect(tool.status).toBe(200)
  expect(tool.body.error).toMatchObject({ code: rpc, message: code, data: { code, content: 'In words.' } })
})

test.each(protocolErrors)('[ERR-018] %s %s is never an answer with messages', async (_, code) => {
  const { rest, tool } = await answersTo(new ProtocolError(code, 'In words.'))
  expect(rest.status).toBeGreaterThanOrEqual(400)
  expect(rest.body).not.toHaveProperty('messages')
  expect(tool.body).not.toHaveProperty('result')
})

describe.each([
  ['[ERR-072]', 'rate_limited'],
  ['[ERR-069] [ERR-072]', 'hold_limit_exceeded'],
  ['[ERR-073]', 'service_unavailable'],
] as const)('%s %s', (_, code) => {
  test.each([
    [0, '1'],
    [0.2, '1'],
    [29.001, '30'],
    [60, '60'],
  ])('to be tried again after %d s says Retry-After: %s', async (retryAfter, header) => {
    const { rest, tool } = await answersTo(new ProtocolError(code, 'Later.', { retryAfter }))
    expect(rest.headers['retry-after']).toBe(header)
    expect(tool.body.error.data.retry_after).toBe(Number(header))
  })

  test('says Retry-After even where nobody named a time', async () => {
    const { rest } = await answersTo(new ProtocolError(code, 'Later.'))
    expect(rest.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  })
})

const outcomes: [code: BusinessRefusalCode, severity: string][] = [
  ['slot_unavailable', 'recoverable'],
  ['hold_expired', 'recoverable'],
  ['booking_window_violated', 'requires_buyer_input'],
  ['capacity_exceeded', 'recoverable'],
  ['reschedule_not_allowed', 'requires_buyer_review'],
  ['reschedule_limit_reached', 'requires_buyer_review'],
  ['cancellation_not_allowed', 'requires_buyer_review'],
  ['payment_required', 'requires_buyer_input'],
  ['payment_expired', 'recoverable'],
  ['payment_amount_mismatch', 'requires_buyer_input'],
  ['payment_not_received', 'requires_buyer_input'],
  ['actions_pending', 'requires_buyer_input'],
  ['price_mismatch', 'recoverable'],
  ['waitlist_full', 'recoverable'],
  ['offer_expired', 'recoverable'],
  ['offer_already_accepted', 'recoverable'],
  ['invalid_transition', 'unrecoverable'],
  ['capabilities_incompatible', 'unrecoverable'],
]

test.each(outcomes)(
  '[ERR-006] [ERR-010] [LIV-016] [LIV-017] the outcome %s is HTTP 200 with a message of severity %s on both bindings',
  async (code, severity) => {
    const { rest, tool } = await answersTo(new BusinessRefusal(code, 'In words.', '$.slot_id'))
    expect(rest.status).toBe(200)
    expect(rest.body.usp.status).toBe('error')
    expect(rest.body.messages).toEqual([{ type: 'error', code, content: 'In words.', severity, path: '$.slot_id' }])
    expect(tool.body.result.structuredContent).toEqual(rest.body)
    expect(tool.body.result.content).toEqual([{ type: 'text', text: 'In words.' }])
  },
)

test('[LIV-001] every code is in one of the tables above, and none is in two', () => {
  const problems: string[] = [...protocolErrors, ...plainErrors].map((row) => String(row.find((one) => one in errors)))
  const refusals: string[] = outcomes.map(([code]) => code)
  expect([...problems, ...refusals].sort()).toEqual(Object.keys(errors).sort())
})

test('[LIV-001] no code is in both families of the table', () => {
  const problems: string[] = protocolCodes
  expect(refusalCodes.filter((code) => problems.includes(code))).toEqual([])
  expect([...refusalCodes, ...protocolCodes].toSorted()).toEqual(Object.keys(errors).toSorted())
})

/** The slugs of business refusals in a text that contains the address of a problem type. */
const addressesIn = (text: string) =>
  refusalCodes.filter((code) => new RegExp(`/errors/${code.replaceAll('_', '[-_]')}(?![\\w-])`).test(text))

describe('[LIV-018] no business refusal has the address of a problem', () => {
  const files = globSync('{*.md,{docs,schemas,openapi,examples,deploy}/**/*.{md,json,yaml}}')
  const served = [
    ...[
      '/docs',
      '/schemas/openapi/usp-rest.json',
      '/schemas/openapi/usp-rest-3.0.json',
      '/schemas/openrpc/usp-mcp.json',
    ],
    ...[...documents.keys()].map(
      (id) => `/schemas/${id.startsWith(ORIGIN) ? id.slice(ORIGIN.length) : `${id.replace(/^.*:/, '')}.json`}`,
    ),
    ...[...pages().keys()].map((path) => `/docs/${path}`),
  ]

  test('the search finds such an address', () => {
    expect(addressesIn('"https://usp-protocol.dev/errors/slot-unavailable"')).toEqual(['slot_unavailable'])
    expect(addressesIn('https://usp-protocol.dev/errors/payment_required.')).toEqual(['payment_required'])
  })

  test('in any document of the repository', () => {
    expect(files).toEqual(expect.arrayContaining(['docs/errors.md', 'docs/platforms.md', 'schemas/usp.json']))
    const found = files.flatMap((file) => addressesIn(readFileSync(file, 'utf8')).map((code) => `${file}: ${code}`))
    expect(found).toEqual([])
  })

  test.each(served)('at %s', async (url) => {
    const { status, body } = await server.raw({ method: 'GET', url })
    expect(status).toBe(200)
    expect(addressesIn(typeof body === 'string' ? body : JSON.stringify(body))).toEqual([])
  })
})
