import { describe, expect, test } from 'vitest'
import { expectAccepted, placesRefused } from '../definition/reading.ts'
import { restDesk } from '../support/desk.ts'
import { tokenShop } from './paid-shop.ts'
import { fixedDeposit, free, percentDeposit, ucpDefinition } from './ucp-shop.ts'

const definition = ucpDefinition([free, fixedDeposit, percentDeposit], {
  payments: { provider: 'stripe', tax: { percent: 10, included: true } },
})
const shop = await tokenShop(definition)
const { stripe } = shop

describe.each([
  ['fixed (vector 106)', 'svc_fixed', 1000, 10_000],
  ['as a percentage (vector 107)', 'svc_percent', 4000, 20_000],
] as const)('[LIV-123] a deposit %s', (_, service, now, total) => {
  test('is one selected term: the deposit now, the rest at the start of the slot, the totals full', async () => {
    const slot = await shop.lastSlot(service)
    const { body } = await shop.create(slot)
    const { terms, selected_term_id } = body.payment
    expect(terms.map(({ id }: { id: string }) => id)).toEqual([selected_term_id])
    expect(terms[0].schedules).toMatchObject([
      { type: 'immediate', amount: now },
      { type: 'at_service', amount: total - now, due_at: slot.start },
    ])
    expect(terms[0].schedules[0]).not.toHaveProperty('due_at')
    expect(body.totals.at(-1)).toEqual({ type: 'total', amount: total })
    expect(body).not.toHaveProperty('settlement')
    expect(body.ucp.payment_handlers).toHaveProperty(['com.stripe.payments'])
  })

  test('is charged alone, and the order has the accepted term', async () => {
    const { body } = await shop.create(await shop.lastSlot(service))
    const before = shop.kept()
    const { body: done } = await shop.pay(body.id, stripe.grant({ max_amount: now }))
    expect([done.status, shop.kept() - before]).toEqual(['completed', now])
    const { body: order } = await shop.send('GET', `/orders/${done.order.id}`)
    expect(order.payment.accepted_term).toEqual(body.payment.terms[0])
    expect(order.totals).toEqual(body.totals)
    const staffed = await restDesk(shop).call(
      'usp_business_bookings_get',
      { booking_id: done.booking.booking_id },
      { as: shop.staff },
    )
    expect(staffed.data.booking.payment).toMatchObject({
      status: 'deposit_paid',
      deposit_amount: now,
      amount_paid: now,
    })
    await shop.expectSound()
  })

  test('is not booked without an instrument', async () => {
    const { body } = await shop.create(await shop.lastSlot(service))
    const { body: refused } = await shop.complete(body.id)
    expect([refused.status, refused.messages[0].code]).toEqual(['incomplete', 'missing'])
    expect((await shop.get(body.id)).body.status).toBe('ready_for_complete')
  })
})

test('a price that includes the tax shows it within the subtotal', async () => {
  const { body } = await shop.create(await shop.lastSlot('svc_fixed'))
  const lines = [
    { display_text: 'Net', amount: 9091 },
    { display_text: 'Included tax', amount: 909 },
  ]
  expect(body.totals).toEqual([
    { type: 'subtotal', amount: 10_000, lines },
    { type: 'total', amount: 10_000 },
  ])
})

test('a platform that cannot read payment terms cannot buy it', async () => {
  const as = await shop.newUcpPlatform(['dev.ucp.common.payment.terms'])
  const answer = await shop.send('POST', '/checkout-sessions', shop.request(await shop.lastSlot('svc_fixed')), { as })
  expect(answer.body.messages[0].code).toBe('capabilities_incompatible')
})

test('[LIV-102] a UCP business has services that are paid ahead only with a checkout that takes payments', () => {
  expectAccepted(definition)
  const refused = ['services[svc_fixed].policies.payment_timing', 'services[svc_percent].policies.payment_timing']
  expect(placesRefused({ ...definition, ucp_checkout: { enabled: false } })).toEqual(refused)
  expect(placesRefused({ ...definition, payments: { provider: 'manual' } })).toEqual(refused)
})
