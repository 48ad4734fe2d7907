import { expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { restDesk } from '../support/desk.ts'
import { platformProfile, testPlatform } from '../support/platform.ts'
import { testReceiver } from '../support/receiver.ts'
import { ALL_WELL, verified } from '../support/verify-signature.ts'
import { tokenShop } from './paid-shop.ts'
import { fitsUcp } from './ucp-schemas.ts'
import { ucpPlatform } from './ucp-shop.ts'

const shop = await tokenShop()
const [orders, bookings] = [await testReceiver('/orders'), await testReceiver('/bookings')]
const as = await shop.newUcpPlatform([], { order: orders.url, bookings: bookings.url })
const { keys } = (await shop.raw({ method: 'GET', url: '/.well-known/ucp' })).body

const told = async () => {
  orders.received.length = 0
  bookings.received.length = 0
  await sendDueEvents(shop.runtime)
  return { ofOrders: orders.received, ofBookings: bookings.received }
}

const ordered = async (caller = as) => {
  const slot = await shop.lastSlot()
  const { body } = await shop.send('POST', '/checkout-sessions', shop.request(slot), { as: caller })
  const { id: token } = shop.stripe.grant({})
  const credential = { type: 'stripe_payment_token', token }
  const instrument = { id: 'i', handler_id: 'stripe_payments', type: 'card', selected: true, credential }
  const payment = { payment: { instruments: [instrument] } }
  const path = `/checkout-sessions/${body.id}/complete`
  return (await shop.send('POST', path, payment, { as: caller, key: body.id })).body
}

test('a completed checkout sends the order to the webhook of the order capability, and the booking to that of the profile', async () => {
  const { order, booking, id } = await ordered()
  const {
    ofOrders: [event, ...more],
    ofBookings: [ofBooking],
  } = await told()
  if (!event) throw new Error('Nothing was received')
  expect(more).toEqual([])
  expect(event.body).toMatchObject({ id: order.id, checkout_id: id, booking_id: booking.booking_id })
  fitsUcp('order', event.body)
  expect(event.body.event).toBeUndefined()
  expect(ofBooking?.body).toMatchObject({ event: 'booking.confirmed', order_id: order.id })
  const { headers } = event
  expect(headers['ucp-agent']).toBe('profile="https://book.example/.well-known/ucp"')
  expect(headers['webhook-id']).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
  expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(shop.time.now.getTime() / 1000))
  expect(headers['signature-input']).toContain('"ucp-agent" "webhook-id" "webhook-timestamp"')
  expect(headers['signature-input']).not.toContain('alg=')
  expect(await verified(event, new URL(orders.url).host, keys)).toEqual(ALL_WELL)
})

test('an order event names the capabilities that its receiver has in common with the business, as the read order does', async () => {
  const negotiated = async (without: string[]) => {
    const caller = await shop.newUcpPlatform(without, { order: orders.url })
    const { order } = await ordered(caller)
    const { ofOrders } = await told()
    const { body } = await shop.send('GET', `/orders/${order.id}`, undefined, { as: caller })
    const { capabilities } = ofOrders.at(-1)?.body.ucp ?? {}
    expect(capabilities).toEqual(body.ucp.capabilities)
    return Object.keys(capabilities)
  }
  expect(await negotiated([])).toEqual(['dev.ucp.common.payment.terms', 'dev.ucp.shopping.order'])
  expect(await negotiated(['dev.ucp.common.payment.terms'])).toEqual(['dev.ucp.shopping.order'])
})

test('a cancellation and its refund send the whole order again', async () => {
  const { order, booking } = await ordered()
  await told()
  await restDesk(shop).cancel(booking.booking_id, {}, { as })
  const { ofOrders } = await told()
  const last = ofOrders.at(-1)?.body
  fitsUcp('order', last)
  expect([last.id, last.line_items[0].status]).toEqual([order.id, 'removed'])
  expect(last.adjustments.map(({ type }: { type: string }) => type)).toContain('cancellation')
})

test.each([
  ['succeeded', 'completed'],
  ['failed', 'failed'],
] as const)('a refund that %s at the provider sends the order with the refund %s', async (end, status) => {
  await shop.reconcile()
  const { booking } = await ordered()
  await restDesk(shop).cancel(booking.booking_id, {}, { as })
  await told()
  shop.stripe.refundsEnd = end
  await shop.reconcile()
  shop.stripe.refundsEnd = 'succeeded'
  const { ofOrders } = await told()
  fitsUcp('order', ofOrders.at(-1)?.body)
  expect(ofOrders.map(({ body }) => body.adjustments.at(-1))).toEqual([
    expect.objectContaining({ type: 'refund', status, totals: [{ type: 'total', amount: -12_000 }] }),
  ])
})

test('the same event comes again with the same id when it was not received', async () => {
  await ordered()
  orders.answer = 500
  const [first] = [...(await told()).ofOrders]
  orders.answer = 204
  shop.minutesLater(1)
  const [second] = (await told()).ofOrders
  expect(first?.headers['webhook-id']).toEqual(expect.any(String))
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.body).toEqual(first?.body)
})

test('a platform without a webhook for orders gets none', async () => {
  const other = await shop.newUcpPlatform([], { bookings: bookings.url })
  const { order } = await ordered(other)
  const { ofOrders, ofBookings } = await told()
  expect(ofOrders).toEqual([])
  expect(ofBookings.map(({ body }) => body.order_id)).toEqual([order.id])
})

test('a platform whose profile has usp and ucp gets the order at the webhook in ucp', async () => {
  const platform = await testPlatform()
  const { ucp } = ucpPlatform([], { order: orders.url })
  platform.profile = { ...platformProfile(), webhook_url: bookings.url, ucp }
  const { key } = await addClient(shop.runtime.db, 'Both', shop.time.now)
  const both = { profile: platform.url, bearer: key }
  const { order } = await ordered(both)
  const { ofOrders } = await told()
  expect(ofOrders.map(({ body }) => body)).toMatchObject([
    { id: order.id, ucp: { capabilities: { 'dev.ucp.shopping.order': [expect.anything()] } } },
  ])
})
