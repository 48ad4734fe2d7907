import { randomUUID } from 'node:crypto'
import { Client, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { errors, type ProtocolCode } from '../../src/protocol/errors.ts'
import { wireCodesOf } from '../../src/protocol/http-and-rpc-error-codes.ts'
import { testPlatform } from '../support/platform.ts'
import { type UcpCaller, ucpDefinition, ucpPlatform, ucpShop } from './ucp-shop.ts'

const shop = await ucpShop()
const slot = (await shop.slotsOf('svc_free')).at(-1)
if (!slot) throw new Error('There is no slot')

interface Sent {
  as?: UcpCaller
  key?: string
  method?: string
  headers?: Record<string, string>
}

const post = async (
  tool: string | undefined,
  given: object,
  { as = shop.ucp, key, method = 'tools/call', headers }: Sent = {},
) => {
  const meta = { 'ucp-agent': { profile: as.profile }, ...(key !== undefined && { 'idempotency-key': key }) }
  const params = { name: tool, arguments: { meta, ...given } }
  const answer = await shop.raw({
    method: 'POST',
    url: '/ucp/mcp',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as.bearer}`, ...headers },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { error } = answer.body
  return { http: answer.status, rpc: error?.code, code: error?.data.code, wait: error?.data.retry_after }
}

const at = async (
  answer: Parameters<typeof testPlatform>[0],
  listener?: Awaited<ReturnType<typeof testPlatform>>['answer'],
) => {
  const platform = await testPlatform()
  platform.profile = { ...answer }
  platform.answer = listener
  return { ...shop.ucp, profile: platform.url }
}

const get = { id: 'chk_unknown' }

describe('an error of /ucp/mcp has the HTTP status and the JSON-RPC code of UCP', () => {
  test.each<[string, () => ReturnType<typeof post>, object]>([
    ['no credential', () => post('get_checkout', get, { headers: { authorization: '' } }), { http: 401, rpc: -32000 }],
    [
      'no profile',
      () => post('get_checkout', { ...get, meta: {} }),
      { http: 400, rpc: -32001, code: 'invalid_profile_url' },
    ],
    [
      'a profile address that is none',
      () => post('get_checkout', get, { as: { ...shop.ucp, profile: 'profile' } }),
      { http: 400, rpc: -32001, code: 'invalid_profile_url' },
    ],
    [
      'a profile that is not there',
      async () => post('get_checkout', get, { as: await at({}, (_, response) => response.writeHead(500).end()) }),
      { http: 424, rpc: -32001, code: 'profile_unreachable' },
    ],
    [
      'a malformed profile',
      async () => post('get_checkout', get, { as: await at({ ...ucpPlatform(), keys: [] }) }),
      { http: 422, rpc: -32001, code: 'profile_malformed' },
    ],
    ['a call without an id', () => post('get_checkout', {}), { http: 400, rpc: -32602, code: 'invalid_request' }],
    [
      '[LIV-030] a call without a tool name',
      () => post(undefined, get),
      { http: 400, rpc: -32602, code: 'invalid_request' },
    ],
    [
      'a member of the wrong type',
      () => post('create_checkout', { checkout: shop.request(slot, { hold_id: 1 }) }),
      { http: 400, rpc: -32602, code: 'validation_error' },
    ],
  ])('%s', async (_, send, expected) => expect(await send()).toMatchObject(expected))

  test('a key that was used for another request', async () => {
    const key = randomUUID()
    const { body } = await shop.create(slot)
    expect(await post('cancel_checkout', { id: body.id }, { key })).toMatchObject({ http: 200, rpc: undefined })
    expect(await post('cancel_checkout', { id: 'chk_other' }, { key })).toMatchObject({
      http: 409,
      rpc: -32000,
      code: 'idempotency_conflict',
    })
  })

  test('a business refusal stays a result', async () => {
    expect(await post('get_checkout', get)).toMatchObject({ http: 200, rpc: undefined })
  })
})

test.each([
  ['authentication_required', 401, -32000],
  ['signature_missing', 401, -32000],
  ['signature_invalid', 401, -32000],
  ['key_not_found', 401, -32000],
  ['digest_mismatch', 400, -32600],
  ['algorithm_unsupported', 400, -32600],
  ['profile_not_trusted', 403, -32000],
  ['version_unsupported', 422, -32001],
  ['server_error', 500, -32603],
  ['service_unavailable', 503, -32000],
] satisfies [ProtocolCode, number, number][])('%s has the status %i and the code %i', (code, http, rpc) => {
  expect(wireCodesOf(code, 'ucp')).toEqual({ http, rpc })
  expect(wireCodesOf(code, 'usp')).toEqual({ http: errors[code].http, rpc: errors[code].rpc })
})

test('a stock client reports the status, and the JSON-RPC error as a text', async () => {
  const fetch = async (_: unknown, { method, headers, body }: RequestInit = {}) => {
    const given = Object.fromEntries(new Headers(headers))
    const answer = await shop.raw({
      method: method === 'GET' ? 'GET' : 'POST',
      url: '/ucp/mcp',
      headers: given,
      payload: String(body),
    })
    return new Response(answer.status === 202 ? null : JSON.stringify(answer.body), {
      status: answer.status,
      headers: { 'content-type': 'application/json' },
    })
  }
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('https://book.example/ucp/mcp'), { fetch }))
  const meta = { 'ucp-agent': { profile: shop.ucp.profile } }
  const error = await client.callTool({ name: 'get_checkout', arguments: { meta, ...get } }).catch((refused) => refused)
  expect(error).toBeInstanceOf(SdkHttpError)
  expect(error.status).toBe(401)
  expect(JSON.parse(error.data.text).error).toMatchObject({ code: -32000, data: { code: 'authentication_required' } })
})

test('too many calls and too many other messages get 429', async () => {
  await shop.apply(ucpDefinition(undefined, { limits: { bookings: 1, messages: 1 } }))
  const limited = { http: 429, rpc: -32000, code: 'rate_limited', wait: expect.any(Number) }
  await expect.poll(() => post('get_checkout', get)).toMatchObject(limited)
  await expect.poll(() => post('', {}, { method: 'ping' })).toMatchObject(limited)
})
