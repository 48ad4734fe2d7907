import { describe, expect, test } from 'vitest'
import { ucpShop } from './ucp-shop.ts'

const shop = await ucpShop()
const slot = (await shop.slotsOf('svc_free')).at(-1)
if (!slot) throw new Error('There is no slot')
const request = shop.request(slot)
const sessions = '/checkout-sessions'

const sendText = (payload: string) =>
  shop.raw({
    method: 'POST',
    url: `/ucp/v1${sessions}`,
    headers: { 'content-type': 'application/json' },
    payload,
  })

describe('a faulty request gets 400, because UCP has 422 for profiles only', () => {
  test.each<[string, object, string]>([
    ['without members', {}, 'booking'],
    ['without a booking', { ...request, booking: undefined }, 'booking'],
    ['without line items', { ...request, line_items: [] }, 'line_items'],
    ['with an unknown hold', shop.request(slot, { hold_id: 'hld_unknown' }), 'booking.hold_id'],
    ['with a hold that is no text', shop.request(slot, { hold_id: 1 }), 'booking.hold_id'],
    [
      'with faulty signals',
      { ...request, signals: { 'dev.usp-protocol.agent_host_ip': 'a' } },
      "signals['dev.usp-protocol.agent_host_ip']",
    ],
  ])('%s', async (_, body, field) => {
    const answer = await shop.send('POST', sessions, body)
    expect([answer.status, answer.body.status]).toEqual([400, 400])
    expect(answer.body.errors.map((fault: { field: string }) => fault.field)).toContain(field)
    expect(answer.body).toMatchObject({ code: expect.any(String), content: expect.any(String) })
  })

  test('with an unknown hold in an update', async () => {
    const { body } = await shop.create(slot)
    const update = await shop.update(body.id, shop.request(slot, { hold_id: 'hld_unknown' }))
    expect([update.status, update.body.errors[0].field]).toEqual([400, 'booking.hold_id'])
    await shop.cancel(body.id)
  })
})

describe('a change without an idempotency key is refused, also without money at stake', () => {
  test('to create, complete or cancel a checkout over REST', async () => {
    const { body } = await shop.create(slot)
    const path = `${sessions}/${body.id}`
    for (const [where, sent] of [
      [sessions, request],
      [`${path}/complete`, {}],
      [`${path}/cancel`, {}],
    ] as const) {
      const { status, body: refused } = await shop.send('POST', where, sent, { key: '' })
      expect([status, refused.errors]).toEqual([400, [{ field: 'Idempotency-Key', message: 'is missing' }]])
    }
    expect((await shop.update(body.id, request)).body.status).toBe('ready_for_complete')
    expect((await shop.cancel(body.id)).body.status).toBe('canceled')
  })

  test('to complete or cancel a checkout over MCP', async () => {
    const call = async (name: string, given: object, headers = {}) => {
      const meta = { 'ucp-agent': { profile: shop.ucp.profile } }
      const params = { name, arguments: { meta, ...given } }
      const { status, body } = await shop.raw({
        method: 'POST',
        url: '/ucp/mcp',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${shop.ucp.bearer}`, ...headers },
        payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      })
      return { status, ...body }
    }
    const { id } = (await call('create_checkout', { checkout: request })).result.structuredContent
    for (const [tool, given] of [
      ['complete_checkout', { id, checkout: {} }],
      ['cancel_checkout', { id }],
    ] as const) {
      const { status, error } = await call(tool, given)
      const missing = { field: 'meta.idempotency-key', message: 'is missing' }
      expect([status, error.code, error.data.errors]).toEqual([400, -32602, [missing]])
    }
    const header = { 'idempotency-key': 'one' }
    expect((await call('cancel_checkout', { id }, header)).result.structuredContent.status).toBe('canceled')
  })
})

test('a refusal by the business names the member of the checkout', async () => {
  const { status, body } = await shop.create({ ...slot, id: 'slt_unknown' })
  expect([status, body.messages[0].path]).toEqual([200, '$.booking.slot'])
})

test.each([
  ['JSON that is cut off', () => sendText('{"line_items": ['), 400, 'invalid_request'],
  [
    'a body without a type',
    () => shop.raw({ method: 'POST', url: `/ucp/v1${sessions}`, payload: 'a' }),
    415,
    'unsupported_media_type',
  ],
  ['an unknown address', () => shop.raw({ method: 'GET', url: '/ucp/v1/carts' }), 404, 'not_found'],
  ['an unknown method', () => shop.raw({ method: 'DELETE', url: `/ucp/v1${sessions}` }), 405, 'method_not_allowed'],
])('%s is answered with a code and a content', async (_, send, status, code) => {
  const answer = await send()
  expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code, content: expect.any(String) })])
})
