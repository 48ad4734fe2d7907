import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Slot } from '../support/desk.ts'
import published from '../support/ucp/published.json' with { type: 'json' }
import { instrument, tokenShop } from './paid-shop.ts'
import { fitsUcp } from './ucp-schemas.ts'
import { type UcpCaller, ucpDefinition, ucpShop } from './ucp-shop.ts'

const shop = await tokenShop()

interface Told {
  as?: UcpCaller
  meta?: object
  headers?: Record<string, string>
}

const message = async (method: string, params: object, { as = shop.ucp, headers = {} }: Told = {}, at = shop) => {
  const { status, body } = await at.raw({
    method: 'POST',
    url: '/ucp/mcp',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${as.bearer}`,
      ...headers,
    },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return { status, ...body }
}

const metaOf = ({ as = shop.ucp, meta = {} }: Told, key?: string) => ({
  'ucp-agent': { profile: as.profile },
  ...(key !== undefined && { 'idempotency-key': key }),
  ...meta,
})

const call = (name: string, given: object, key?: string, told: Told = {}) =>
  message('tools/call', { name, arguments: { meta: metaOf(told, key), ...given } }, told)

const checkoutOf = async (name: string, given: object, key?: string) => {
  const { result, error } = await call(name, given, key)
  expect(error).toBeUndefined()
  fitsUcp(name === 'get_order' ? 'order' : 'checkout', result.structuredContent)
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
  return result.structuredContent
}

const create = (slot: Slot) => checkoutOf('create_checkout', { checkout: shop.request(slot) })

describe('the tools of UCP', () => {
  test('are those of its published description', async () => {
    const { tools } = (await message('tools/list', {})).result
    const names = tools.map(({ name }: { name: string }) => name).toSorted()
    expect(names).toEqual([
      ...['cancel_checkout', 'complete_checkout', 'create_checkout'],
      ...['get_checkout', 'get_order', 'update_checkout'],
    ])
    for (const { name, inputSchema } of tools) {
      const { params = [] } = published.methods.find((one) => one.name === name) ?? {}
      const needed = params.filter(({ required }) => required).map((one) => one.name)
      expect([name, inputSchema.required.toSorted()]).toEqual([name, needed.toSorted()])
    }
  })

  test('buy a paid booking and read its order', async () => {
    const made = await create(await shop.lastSlot())
    expect(made.status).toBe('ready_for_complete')
    const checkout = instrument(shop.stripe.grant({}).id)
    const done = await checkoutOf('complete_checkout', { id: made.id, checkout }, randomUUID())
    expect([done.status, done.booking.booking_status]).toEqual(['completed', 'confirmed'])
    const order = await checkoutOf('get_order', { id: done.order.id })
    expect([order.id, order.checkout_id]).toEqual([done.order.id, made.id])
    expect((await checkoutOf('get_checkout', { id: made.id })).status).toBe('completed')
    await shop.expectSound()
  })

  test('update and cancel a checkout', async () => {
    const slot = await shop.lastSlot()
    const { id } = await create(slot)
    const checkout = shop.request(slot, {}, { buyer: { email: 'bob@example.com' } })
    expect((await checkoutOf('update_checkout', { id, checkout })).buyer.email).toBe('bob@example.com')
    expect((await checkoutOf('cancel_checkout', { id }, randomUUID())).status).toBe('canceled')
  })

  test('[LIV-115] charge once when a call comes again, over MCP or over REST', async () => {
    const { id } = await create(await shop.lastSlot())
    const [kept, key] = [shop.stripe.intents.length, randomUUID()]
    const token = shop.stripe.grant({})
    const first = await checkoutOf('complete_checkout', { id, checkout: instrument(token.id) }, key)
    const again = await checkoutOf('complete_checkout', { id, checkout: instrument(token.id) }, key)
    expect(again).toEqual(first)
    expect((await shop.pay(id, token, key)).body).toEqual(first)
    expect(shop.stripe.intents).toHaveLength(kept + 1)
  })

  test('answer what the business refuses as a result, and the rest as an error', async () => {
    const slot = await shop.lastSlot()
    await create(slot)
    const { result } = await call('create_checkout', { checkout: shop.request(slot) })
    expect(result.structuredContent).toMatchObject({ ucp: { status: 'error' }, messages: [{ type: 'error' }] })
    expect((await call('get_checkout', { id: 'chk_unknown' })).result ?? {}).not.toHaveProperty('structuredContent.id')
    expect((await call('get_checkout', {})).error.data.errors).toEqual([{ field: 'id', message: 'is missing' }])
    const { id } = await create(await shop.lastSlot())
    const withId = { id, checkout: { ...shop.request(slot), id } }
    expect((await call('update_checkout', withId)).error.data.errors).toEqual([
      { field: 'checkout.id', message: 'must not be there' },
    ])
  })

  test('refuse a call whose header and meta differ, and a call without a platform or a credential', async () => {
    const given = { checkout: shop.request(await shop.lastSlot()) }
    const other = await shop.newUcpPlatform()
    const headers = { 'ucp-agent': `profile="${other.profile}"` }
    expect((await call('create_checkout', given, undefined, { headers })).error.message).toBe('invalid_request')
    const keyed = { headers: { 'idempotency-key': 'a' } }
    expect((await call('create_checkout', given, 'b', keyed)).error.message).toBe('invalid_request')
    const nobody = { meta: { 'ucp-agent': undefined } }
    expect((await call('create_checkout', given, undefined, nobody)).error.data.errors).toEqual([
      { field: 'meta.ucp-agent.profile', message: 'is missing' },
    ])
    const stranger = { headers: { authorization: '' } }
    expect((await call('create_checkout', given, undefined, stranger)).error.data.code).toBe('authentication_required')
  })

  test('[LIV-101] show one platform nothing of another', async () => {
    const { id } = await create(await shop.lastSlot())
    const as = await shop.newUcpPlatform()
    const foreign = await call('get_checkout', { id }, undefined, { as })
    const unknown = await call('get_checkout', { id: 'chk_unknown' }, undefined, { as })
    expect(foreign.error ?? foreign.result).toEqual(unknown.error ?? unknown.result)
  })
})

test('without a checkout there are no tools', async () => {
  const closed = await ucpShop(ucpDefinition([], { ucp_checkout: { enabled: false } }))
  const told = await closed.raw({
    method: 'POST',
    url: '/ucp/mcp',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  expect(told.status).toBe(404)
})
