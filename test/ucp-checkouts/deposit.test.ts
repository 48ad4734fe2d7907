import { describe, expect, test } from 'vitest'
import { expectAccepted, placesRefused } from '../definition/reading.ts'
import { restDesk, type Slot } from '../support/desk.ts'
import { tokenShop } from './paid-shop.ts'
import { deposit, fixedDeposit, free, paid, percentDeposit, spot, UCP_BINDINGS, ucpDefinition } from './ucp-shop.ts'

const definition = ucpDefinition([free, fixedDeposit, percentDeposit], {
  payments: { provider: 'stripe', tax: { percent: 10, included: true } },
})
const kept = deposit('svc_kept', 10_000, 'fixed', 1000, false)
const sold = [
  ...definition.services,
  paid,
  spot,
  { ...deposit('svc_cheap', 10_000, 'fixed', 1000), price_rules: [{ amount: 500 }] },
  deposit('svc_tiny', 50, 'percentage', 0.5),
  kept,
  { ...kept, id: 'svc_kept_whole', price_rules: [{ amount: 500 }] },
]
describe.each(UCP_BINDINGS)('over %s', async (binding) => {
  const shop = await tokenShop({ ...definition, services: sold }, { binding })
  const { stripe } = shop
  const desk = restDesk(shop)

  const staffed = async ({ booking }: { booking: { booking_id: string } }) =>
    (await desk.call('usp_business_bookings_get', { booking_id: booking.booking_id }, { as: shop.staff })).data.booking

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
      expect((await staffed(done)).payment).toMatchObject({
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

  describe('[LIV-123] a fixed deposit above the price of the slot', () => {
    test('is the whole price: the platform sees no term, and is charged the total that it sees', async () => {
      const { body } = await shop.create(await shop.lastSlot('svc_cheap'))
      expect(body).not.toHaveProperty('payment')
      expect(body).not.toHaveProperty('settlement')
      expect(body.totals.at(-1)).toEqual({ type: 'total', amount: 500 })
      const before = shop.kept()
      const { body: done } = await shop.pay(body.id, stripe.grant({ max_amount: 500 }))
      expect([done.status, shop.kept() - before]).toEqual(['completed', 500])
      const { body: order } = await shop.send('GET', `/orders/${done.order.id}`)
      expect(order).not.toHaveProperty('payment')
      expect(order.totals).toEqual(body.totals)
      const { payment } = await staffed(done)
      expect(payment).toMatchObject({ status: 'paid', amount_paid: 500, amount_due: 0, deposit_amount: 500 })
      await shop.expectSound()
    })
  })

  describe('[LIV-129] a deposit that rounds to zero', () => {
    const create = async (as = shop.ucp) => {
      const slot = await shop.lastSlot('svc_tiny')
      return (await shop.send('POST', '/checkout-sessions', shop.request(slot), { as })).body
    }

    test('is a price that is due at the visit', async () => {
      const body = await create()
      expect(body.payment).toMatchObject({
        selected_term_id: 'pay_at_service',
        terms: [{ id: 'pay_at_service', schedules: [{ type: 'at_service', amount: 50 }] }],
      })
      expect(body.settlement).toMatchObject({ mode: 'offline', term_id: 'pay_at_service' })
    })

    test('cannot be bought by a platform without pay_at_service, and no slot stays held', async () => {
      const holds = async () => {
        const held = shop.runtime.db.selectFrom('holds').select('id').where('status', '=', 'active')
        return (await held.execute()).length
      }
      const before = await holds()
      const body = await create(await shop.newUcpPlatform(['dev.usp-protocol.services.pay_at_service']))
      expect([body.ucp.status, body.messages[0].code]).toEqual(['error', 'capabilities_incompatible'])
      expect(await holds()).toBe(before)
    })
  })

  describe('[LIV-123] a deposit that the business keeps', () => {
    const CANCELLATION = 'dev.usp-protocol.services.policy.cancellation'
    const disclosed = (path: string, content: string) => ({
      type: 'warning',
      code: CANCELLATION,
      content,
      path,
      presentation: 'disclosure',
    })

    test('is disclosed with the term, on the checkout, and on the order', async () => {
      const { body } = await shop.create(await shop.lastSlot('svc_kept'))
      const [{ description, applies_to }] = body.policies
      expect(description.plain).toContain('$10.00')
      expect(applies_to).toEqual(['$.line_items[0]', '$.payment.terms[0]'])
      expect(body.messages).toEqual([disclosed('$.payment.terms[0]', description.plain)])
      const { body: done } = await shop.pay(body.id, stripe.grant())
      expect(done.status).toBe('completed')
      const { body: order } = await shop.send('GET', `/orders/${done.order.id}`)
      const { payment, policies, messages } = order
      expect(payment.accepted_term).toEqual(body.payment.terms[0])
      expect(policies).toEqual([
        { type: CANCELLATION, description, applies_to: ['$.line_items[0]', '$.payment.accepted_term'] },
      ])
      expect(messages).toEqual([disclosed('$.payment.accepted_term', description.plain)])
    })

    test('is disclosed with the service if it is the whole price, because there is no term', async () => {
      const { body } = await shop.create(await shop.lastSlot('svc_kept_whole'))
      expect(body.policies[0].applies_to).toEqual(['$.line_items[0]'])
      expect(body.messages).toEqual([disclosed('$.line_items[0]', body.policies[0].description.plain)])
    })

    test('is no matter of an order whose deposit goes back', async () => {
      const { body } = await shop.create(await shop.lastSlot('svc_fixed'))
      const { body: done } = await shop.pay(body.id, stripe.grant())
      const { body: order } = await shop.send('GET', `/orders/${done.order.id}`)
      expect(order.policies[0].applies_to).toEqual(['$.line_items[0]'])
      expect(order).not.toHaveProperty('messages')
    })
  })

  describe('[LIV-123] an update', () => {
    const update = async (id: string, slot: Slot, more: object = {}) =>
      (await shop.update(id, shop.request(slot, {}, more))).body
    const changes = ({ messages = [] }: { messages?: { code: string }[] }) =>
      messages.filter(({ code }) => code === 'payment_term_changed')
    const warned = [{ type: 'warning', code: 'payment_term_changed', content: expect.any(String) }]
    const warnedAtTerm = warned.map((one) => ({ ...one, path: '$.payment.selected_term_id' }))
    const select = (selected_term_id: string) => ({ payment: { selected_term_id } })

    test('to another slot names the changed due date, also if the platform selects the same term', async () => {
      const slots = await shop.slotsOf('svc_fixed')
      const { body } = await shop.create(slots.at(-1))
      expect(changes(body)).toEqual([])
      expect(changes(await update(body.id, slots.at(-1), select('deposit')))).toEqual([])
      const moved = await update(body.id, slots.at(-4))
      expect(moved.payment.terms[0].schedules[1].due_at).toBe(slots.at(-4).start)
      expect(changes(moved)).toEqual(warnedAtTerm)
      expect(changes(await update(body.id, slots.at(-1), select('deposit')))).toEqual(warnedAtTerm)
      expect(changes((await shop.get(body.id)).body)).toEqual([])
    })

    test('to other amounts at the same time names the change', async () => {
      const [slots, others] = [await shop.slotsOf('svc_fixed'), await shop.slotsOf('svc_percent')]
      const at = slots.find(({ start }: Slot) => others.some((one: Slot) => one.start === start))
      const same = others.find(({ start }: Slot) => start === at.start)
      const { body } = await shop.create(at)
      const [{ id }] = body.payment.terms
      const changed = await update(body.id, same)
      expect([changed.payment.terms[0].id, changed.payment.terms[0].schedules[1].due_at]).toEqual([id, at.start])
      expect(changes(changed)).toEqual(warnedAtTerm)
    })

    test('to another term names the change, unless the platform selects that term', async () => {
      const { body } = await shop.create(await shop.lastSlot('svc_fixed'))
      expect(changes(await update(body.id, await shop.lastSlot('svc_spot')))).toEqual(warnedAtTerm)
      expect(changes(await update(body.id, await shop.lastSlot('svc_fixed'), select('deposit')))).toEqual([])
      const stale = await update(body.id, await shop.lastSlot('svc_spot'), select('deposit'))
      expect([stale.payment.selected_term_id, changes(stale)]).toEqual(['pay_at_service', warnedAtTerm])
    })

    test('to no term names the change without a path, and so does the selection of a term that is not there', async () => {
      const { body } = await shop.create(await shop.lastSlot('svc_fixed'))
      const whole = await update(body.id, await shop.lastSlot('svc_paid'))
      expect(whole).not.toHaveProperty('payment')
      expect(changes(whole)).toEqual(warned)
      const slot = { ...whole.booking.slot, service_id: 'svc_paid' }
      expect(changes(await update(body.id, slot))).toEqual([])
      expect(changes(await update(body.id, slot, select('deposit')))).toEqual(warned)
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
})

test('[LIV-102] a UCP business has services that are paid ahead only with a checkout that takes payments', () => {
  expectAccepted(definition)
  const refused = ['services[svc_fixed].policies.payment_timing', 'services[svc_percent].policies.payment_timing']
  expect(placesRefused({ ...definition, ucp_checkout: { enabled: false } })).toEqual(refused)
  expect(placesRefused({ ...definition, payments: { provider: 'manual' } })).toEqual(refused)
})
