import { randomUUID } from 'node:crypto'
import { describe } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import type { Slot } from '../support/desk.ts'
import { instrument, type TokenShop } from './paid-shop.ts'
import type { UcpCaller, UcpShop } from './ucp-shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
type Body = any

/** A platform that calls the checkout over one binding. Each call returns the body of the answer, or the error. */
export interface Buying {
  binding: 'REST' | 'MCP'
  create(slot: Slot): Promise<Body>
  get(id: string): Promise<Body>
  update(id: string, request: object): Promise<Body>
  complete(id: string, body?: object): Promise<Body>
  /** Completes with a new payment token. */
  pay(id: string): Promise<Body>
  as(platform: UcpCaller): Buying
}

interface Binding {
  name: Buying['binding']
  sendAs(platform: UcpCaller): Send
}

type Send = (tool: string, path: string, given: { id?: string; checkout?: object }) => Promise<Body>

function buying(shop: TokenShop, binding: Binding, platform = shop.ucp): Buying {
  const send = binding.sendAs(platform)
  const complete: Buying['complete'] = (id, checkout = {}) =>
    send('complete_checkout', `/${id}/complete`, { id, checkout })
  return {
    binding: binding.name,
    create: (slot) => send('create_checkout', '', { checkout: shop.request(slot) }),
    get: (id) => send('get_checkout', `/${id}`, { id }),
    update: (id, checkout) => send('update_checkout', `/${id}`, { id, checkout }),
    complete,
    pay: (id) => complete(id, instrument(shop.stripe.grant().id)),
    as: (other) => buying(shop, binding, other),
  }
}

const methods: Record<string, 'GET' | 'PUT'> = { get_checkout: 'GET', update_checkout: 'PUT' }

const overRest =
  (shop: TokenShop) =>
  (as: UcpCaller): Send =>
  async (tool, path, { checkout }) =>
    (await shop.send(methods[tool] ?? 'POST', `/checkout-sessions${path}`, checkout, { as })).body

const overMcp =
  (shop: TokenShop) =>
  ({ profile, bearer }: UcpCaller): Send =>
  async (name, _, given) => {
    const meta = { 'ucp-agent': { profile }, 'idempotency-key': randomUUID() }
    const { body } = await shop.raw({
      method: 'POST',
      url: '/ucp/mcp',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
      payload: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: { meta, ...given } },
      }),
    })
    return body.error ?? body.result.structuredContent
  }

/** Runs the same tests over REST and over MCP, each with a separate shop. */
export async function onBothBindings(
  open: () => Promise<TokenShop>,
  tests: (platform: Buying, shop: TokenShop) => void,
): Promise<void> {
  const [one, other] = await Promise.all([open(), open()])
  describe('over REST', () => tests(buying(one, { name: 'REST', sendAs: overRest(one) }), one))
  describe('over MCP', () => tests(buying(other, { name: 'MCP', sendAs: overMcp(other) }), other))
}

export const codes = (body: { messages?: { code: string }[] }) => (body.messages ?? []).map(({ code }) => code)

/** Applies a definition, and waits until the server uses it. */
export async function applyNow(shop: UcpShop, definition: BusinessDefinition): Promise<void> {
  await shop.apply(definition)
  await shop.runtime.business.seenBy(shop.runtime.db)
  // The server looks for a new definition at most once a second.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
}

export async function recordOf(shop: UcpShop, bookingId: string) {
  const query = shop.runtime.db.selectFrom('bookings').select('record').where('id', '=', bookingId)
  return (await query.executeTakeFirstOrThrow()).record
}
