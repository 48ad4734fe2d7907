import { describe } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import type { Slot } from '../support/desk.ts'
import { instrument, type TokenShop } from './paid-shop.ts'
import { UCP_BINDINGS, type UcpBinding, type UcpCaller } from './ucp-bindings.ts'
import type { UcpShop } from './ucp-shop.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
type Body = any

/** A platform that calls the checkout over the binding of its shop. Each call returns the body of the answer. */
interface Buying {
  binding: UcpBinding
  create(slot: Slot): Promise<Body>
  get(id: string): Promise<Body>
  update(id: string, request: object): Promise<Body>
  complete(id: string, body?: object): Promise<Body>
  /** Completes with a new payment token. */
  pay(id: string): Promise<Body>
  as(platform: UcpCaller): Buying
}

function buying(shop: TokenShop, binding: UcpBinding, as = shop.ucp): Buying {
  const send = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    (await shop.send(method, `/checkout-sessions${path}`, body, { as })).body
  const complete = (id: string, body = {}) => send('POST', `/${id}/complete`, body)
  return {
    binding,
    create: (slot) => send('POST', '', shop.request(slot)),
    get: (id) => send('GET', `/${id}`),
    update: (id, request) => send('PUT', `/${id}`, request),
    complete,
    pay: (id) => complete(id, instrument(shop.stripe.grant().id)),
    as: (other) => buying(shop, binding, other),
  }
}

/** Runs the same tests over both UCP bindings, each with a separate shop. */
export async function onBothUcpBindings(
  open: (options: { binding: UcpBinding }) => Promise<TokenShop>,
  tests: (platform: Buying, shop: TokenShop) => void,
): Promise<void> {
  const shops = await Promise.all(UCP_BINDINGS.map(async (binding) => ({ binding, shop: await open({ binding }) })))
  for (const { binding, shop } of shops) describe(`over ${binding}`, () => tests(buying(shop, binding), shop))
}

export const codes = (body: { messages?: { code: string }[] }) => (body.messages ?? []).map(({ code }) => code)

/** Applies a definition, and lets the server use it at once. */
export async function applyNow(shop: UcpShop, definition: BusinessDefinition): Promise<void> {
  await shop.apply(definition)
  await shop.runtime.business.seenBy(shop.runtime.db)
}

export async function recordOf(shop: UcpShop, bookingId: string) {
  const query = shop.runtime.db.selectFrom('bookings').select('record').where('id', '=', bookingId)
  return (await query.executeTakeFirstOrThrow()).record
}
