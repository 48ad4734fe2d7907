import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { alice, free, spot, UCP_BINDINGS, ucpDefinition, ucpShop } from './ucp-shop.ts'

const visiting = service('svc_visit', {
  channel: { type: 'at_buyer_location' },
  pricing: { model: 'free', currency: 'USD' },
  policies: free.policies,
})
const asked = { ...free, id: 'svc_asked', policies: { ...free.policies, confirmation_mode: 'manual' as const } }
const dinner = service('svc_dinner', {
  type: 'reservation',
  capacity: { max: 4 },
  pricing: { model: 'per_person', amount: 2000, currency: 'USD' },
})
const paired = service('svc_paired', {
  pricing: free.pricing,
  policies: free.policies,
  resources: [
    { type: 'staff', selectable: true, options: ['ann'] },
    { type: 'room', selectable: true, options: ['blue'] },
  ],
})
const resources = [
  { id: 'ann', type: 'staff' as const, name: 'Ann' },
  { id: 'blue', type: 'room' as const, name: 'The blue room' },
]
const codes = (body: { messages?: { code: string }[] }) => (body.messages ?? []).map(({ code }) => code)

describe.each(UCP_BINDINGS)('over %s', async (binding) => {
  const CREATED = binding === 'REST' ? 201 : 200
  const shop = await ucpShop(ucpDefinition([free, spot, visiting, asked, dinner, paired], { resources }), { binding })

  const freeSlot = async (id = 'svc_free') => (await shop.slotsOf(id)).at(-1)
  const claims = (kind: string) =>
    shop.runtime.db.selectFrom('claims').select('holder_id').where('holder_kind', '=', kind).execute()

  describe('a checkout of a free service', () => {
    test('holds the slot at creation, and books it at completion', async () => {
      const slot = await freeSlot()
      const { status, body } = await shop.create(slot)
      expect([status, body.status, body.booking.booking_status]).toEqual([CREATED, 'ready_for_complete', 'pending'])
      expect(body.ucp.capabilities).toHaveProperty(['dev.usp-protocol.services.paid_bookings'])
      expect(await claims('hold')).toHaveLength(1)
      expect(await shop.bookings()).toEqual([])
      const done = (await shop.complete(body.id)).body
      expect([done.status, done.booking.booking_status]).toEqual(['completed', 'confirmed'])
      expect(done.order).toEqual({
        id: expect.stringMatching(/^ord_/),
        permalink_url: expect.stringContaining('/booking/'),
      })
      expect(done.buyer).toEqual(alice)
      expect(await claims('hold')).toEqual([])
      expect(await shop.bookings()).toEqual([{ id: body.booking.booking_id, status: 'confirmed' }])
    })

    test('[LIV-115] completed again with the same key returns the first answer, and with another body a conflict', async () => {
      const { body } = await shop.create(await freeSlot())
      const key = randomUUID()
      const first = await shop.complete(body.id, {}, key)
      const again = await shop.complete(body.id, {}, key)
      expect(again.body).toEqual(first.body)
      expect(again.headers['idempotency-replayed']).toBe(binding === 'REST' ? 'true' : undefined)
      const other = await shop.complete(body.id, { payment: { instruments: [] } }, key)
      expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict'])
      expect(other.body.content).toEqual(expect.any(String))
      const fresh = await shop.complete(body.id)
      expect([fresh.body.status, codes(fresh.body)]).toEqual(['completed', ['checkout_completed']])
    })

    test('with a service that the business approves stays pending after completion', async () => {
      const { body } = await shop.create(await freeSlot('svc_asked'))
      const done = (await shop.complete(body.id)).body
      expect([done.status, done.booking.booking_status]).toEqual(['completed', 'pending'])
      const confirmed = await restDesk(shop).confirm(done.booking.booking_id)
      expect(confirmed.data.booking.status).toBe('confirmed')
    })

    test('takes a hold of the platform', async () => {
      const slot = await freeSlot()
      const { data } = await restDesk(shop).hold(slot, {}, { as: shop.ucp })
      const { body } = await shop.create(slot, { hold_id: data.hold.id })
      expect([body.status, body.booking.hold_id]).toEqual(['ready_for_complete', data.hold.id])
      expect((await shop.complete(body.id)).body.status).toBe('completed')
    })

    test('takes no hold that another checkout uses, until that checkout has ended', async () => {
      const slot = await freeSlot()
      const { data } = await restDesk(shop).hold(slot, {}, { as: shop.ucp })
      const answers = await Promise.all([1, 2].map(() => shop.create(slot, { hold_id: data.hold.id })))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([CREATED, 400])
      const [used, refused] = answers[0]?.status === CREATED ? answers : answers.toReversed()
      expect(refused?.body.code).toBe('validation_error')
      const id = used?.body.id
      const request = shop.request(slot, { hold_id: data.hold.id })
      expect((await shop.update(id, request)).body.status).toBe('ready_for_complete')
      const [other] = await shop.slotsOf('svc_free')
      const { body } = await shop.create(other)
      expect((await shop.update(body.id, request)).status).toBe(400)
      expect((await shop.cancel(body.id)).body.status).toBe('canceled')
      expect((await shop.complete(id)).body.status).toBe('completed')
    })
  })

  test('a checkout shows all resources of its slot, or only those that the platform has named', async () => {
    const slot = await freeSlot('svc_paired')
    const { body } = await shop.create(slot)
    const shown = ({ booking }: typeof body) => booking.resources?.map(({ id }: { id: string }) => id)
    expect(shown(body)).toEqual(['ann', 'blue'])
    const named = await shop.update(body.id, shop.request(slot, { resources: [{ id: 'blue' }] }))
    expect([named.body.status, shown(named.body)]).toEqual(['ready_for_complete', ['blue']])
  })

  describe('a checkout that lacks something', () => {
    test('is incomplete until an update supplies it', async () => {
      const slot = await freeSlot()
      const { body } = await shop.create(slot, {}, { buyer: { last_name: 'Williams' } })
      expect(body.status).toBe('incomplete')
      expect(body.messages.map(({ code, path }: { code: string; path: string }) => [code, path])).toEqual([
        ['missing', '$.buyer.first_name'],
        ['missing', '$.buyer.email'],
      ])
      const refused = await shop.complete(body.id)
      expect([refused.body.status, codes(refused.body)]).toEqual(['incomplete', ['missing', 'missing']])
      const updated = await shop.update(body.id, shop.request(slot))
      expect([updated.body.status, updated.body.booking.hold_id]).toEqual(['ready_for_complete', body.booking.hold_id])
      expect((await shop.complete(body.id)).body.status).toBe('completed')
    })

    test('[LIV-120] lacks an address if the business comes to the buyer', async () => {
      const slot = await freeSlot('svc_visit')
      const { body } = await shop.create(slot)
      expect([body.status, body.messages[0].path]).toEqual(['incomplete', '$.booking.delivery_address'])
      const delivery_address = { line1: '1 Main Street', city: 'Austin', country: 'US' }
      const updated = await shop.update(body.id, shop.request(slot, { delivery_address }))
      expect([updated.body.status, updated.body.booking.delivery_address]).toEqual([
        'ready_for_complete',
        delivery_address,
      ])
    })

    test('says so if the platform showed another price', async () => {
      const slot = await freeSlot('svc_spot')
      const line_items = (price: number) => [{ id: 'li_a', item: { id: 'svc_spot', price }, quantity: 1 }]
      const { body } = await shop.create(slot, {}, { line_items: line_items(7400) })
      expect([body.status, codes(body)]).toEqual(['incomplete', ['price_mismatch']])
      const updated = await shop.update(body.id, shop.request(slot, {}, { line_items: line_items(7500) }))
      expect([updated.body.status, updated.body.line_items[0].id]).toEqual(['ready_for_complete', 'li_a'])
    })

    test.each([
      ['a product', (slot: { service_id: string }) => [{ item: { id: slot.service_id } }, { item: { id: 'shampoo' } }]],
      ['another service', () => [{ item: { id: 'svc_spot' } }]],
    ])('is refused with %s in its lines', async (_, lines) => {
      const slot = await freeSlot()
      const { status, body } = await shop.create(slot, {}, { line_items: lines(slot) })
      expect([status, body.ucp.status, codes(body)]).toEqual([200, 'error', ['item_unavailable']])
    })
  })

  describe('a hold of a checkout', () => {
    test('[LIV-118] [LIV-112] that lapsed gives hold_expired while the slot is free, and an update revives the checkout', async () => {
      const slot = await freeSlot()
      const { body } = await shop.create(slot)
      shop.minutesLater(11)
      const late = await shop.complete(body.id)
      expect([late.status, late.body.status, codes(late.body)]).toEqual([200, 'incomplete', ['hold_expired']])
      expect(late.body.booking.booking_status).toBe('pending')
      const updated = await shop.update(body.id, shop.request(slot))
      expect(updated.body.status).toBe('ready_for_complete')
      expect((await shop.complete(body.id)).body.status).toBe('completed')
    })

    test('[LIV-118] that lapsed gives slot_unavailable if another buyer has the slot', async () => {
      const slot = await freeSlot()
      const { body } = await shop.create(slot)
      shop.minutesLater(11)
      expect((await restDesk(shop).book(slot)).status).toBe(201)
      const late = await shop.complete(body.id)
      expect([late.body.status, codes(late.body)]).toEqual(['incomplete', ['slot_unavailable']])
    })

    test('moves with an update to another slot, and stays if that slot is taken', async () => {
      const slots = await shop.slotsOf('svc_free')
      const { body } = await shop.create(slots[0])
      const moved = await shop.update(body.id, shop.request(slots[4]))
      expect(moved.body.booking.slot.id).toBe(slots[4].id)
      const other = await shop.create(slots[0])
      expect([other.status, other.body.status]).toEqual([CREATED, 'ready_for_complete'])
      const refused = await shop.update(body.id, shop.request(slots[0]))
      expect([refused.body.booking.slot.id, codes(refused.body)]).toEqual([slots[4].id, ['slot_unavailable']])
      expect((await shop.complete(body.id)).body.status).toBe('completed')
    })
  })

  test('[LIV-119] cancel ends the checkout and releases its slot at once', async () => {
    const slot = await freeSlot()
    const { body } = await shop.create(slot)
    const { body: canceled } = await shop.cancel(body.id)
    expect([canceled.status, canceled.booking.booking_status]).toEqual(['canceled', 'canceled'])
    const next = await shop.create(slot)
    expect([next.status, next.body.status]).toEqual([CREATED, 'ready_for_complete'])
    const again = await shop.cancel(body.id)
    expect([again.body.status, codes(again.body)]).toEqual(['canceled', ['checkout_canceled']])
    expect((await shop.complete(body.id)).body.status).toBe('canceled')
  })

  test.each([
    ['converted', (hold_id: string, slot: unknown) => restDesk(shop).book(slot, { hold_id }, { as: shop.ucp })],
    ['expired', async () => shop.minutesLater(11)],
  ])('a hold of the platform that is %s stays so when its checkout is canceled', async (status, end) => {
    const slot = await freeSlot()
    const { data } = await restDesk(shop).hold(slot, {}, { as: shop.ucp })
    const hold_id = data.hold.id
    const { body } = await shop.create(slot, { hold_id })
    await end(hold_id, slot)
    expect((await shop.cancel(body.id)).body.status).toBe('canceled')
    expect((await restDesk(shop).release(hold_id, { as: shop.ucp })).data.hold.status).toBe(status)
  })

  describe('a price that is due on the spot', () => {
    test('[LIV-124] [LIV-125] is one term with its settlement, due at the start of the slot', async () => {
      const slot = await freeSlot('svc_spot')
      const { body } = await shop.create(slot)
      expect(body.status).toBe('ready_for_complete')
      expect(body.totals).toEqual([
        { type: 'subtotal', amount: 7500 },
        { type: 'total', amount: 7500 },
      ])
      expect(body.payment.selected_term_id).toBe(body.payment.terms[0].id)
      expect(body.payment.terms).toHaveLength(1)
      const [schedule] = body.payment.terms[0].schedules
      expect(schedule).toMatchObject({ type: 'at_service', due_at: slot.start, amount: 7500 })
      const methods = ['cash', 'card_in_person']
      expect(body.settlement).toEqual({ mode: 'offline', term_id: body.payment.terms[0].id, accepted_methods: methods })
      expect(body.ucp.payment_handlers).toEqual({})
    })

    test('[LIV-126] [LIV-128] completes without an instrument, and its order has the term', async () => {
      const { body } = await shop.create(await freeSlot('svc_spot'))
      const { body: done } = await shop.complete(body.id)
      expect([done.status, done.booking.booking_status]).toEqual(['completed', 'confirmed'])
      const { body: order } = await shop.send('GET', `/orders/${done.order.id}`)
      expect(order).toMatchObject({
        id: done.order.id,
        checkout_id: body.id,
        permalink_url: done.order.permalink_url,
        payment: { accepted_term: body.payment.terms[0] },
        settlement: body.settlement,
        totals: body.totals,
      })
      expect(order.line_items[0]).toMatchObject({
        status: 'processing',
        quantity: { original: 1, total: 1, fulfilled: 0 },
      })
    })

    test('[LIV-127] refuses instruments', async () => {
      const { body } = await shop.create(await freeSlot('svc_spot'))
      const instruments = [
        { id: 'i', handler_id: 'stripe_payments', type: 'card', credential: { type: 't', token: 'spt_1' } },
      ]
      const refused = await shop.complete(body.id, { payment: { instruments } })
      expect([refused.status, refused.body.code]).toEqual([400, 'validation_error'])
      expect((await shop.get(body.id)).body.status).toBe('ready_for_complete')
    })

    test('is one amount a person, and an order shows its cancellation', async () => {
      const { body } = await shop.create(await freeSlot('svc_dinner'), { party_size: 3 })
      expect(body.line_items[0]).toMatchObject({ quantity: 3, item: { price: 2000 } })
      expect(body.payment.terms[0].schedules[0].amount).toBe(6000)
      const { body: done } = await shop.complete(body.id)
      expect((await restDesk(shop).cancel(done.booking.booking_id, {}, { as: shop.ucp })).data.booking.status).toBe(
        'canceled',
      )
      const { body: order } = await shop.send('GET', `/orders/${done.order.id}`)
      expect(order.line_items[0]).toMatchObject({ status: 'removed', quantity: { original: 3, total: 0 } })
      expect(order.adjustments).toEqual([expect.objectContaining({ type: 'cancellation', status: 'completed' })])
    })

    test('[PAY-084] is in no booking that a platform reads', async () => {
      const { body } = await shop.create(await freeSlot('svc_spot'))
      const { body: done } = await shop.complete(body.id)
      const desk = restDesk(shop)
      const read = await desk.get(done.booking.booking_id, { as: shop.ucp })
      expect(read.data.booking).not.toHaveProperty('payment')
      const staffed = await desk.call(
        'usp_business_bookings_get',
        { booking_id: done.booking.booking_id },
        { as: shop.staff },
      )
      expect(staffed.data.booking.payment.amount).toBe(7500)
    })
  })

  describe('a platform', () => {
    test('sees no checkout and no order of another platform', async () => {
      const { body } = await shop.create(await freeSlot())
      const { order } = (await shop.complete(body.id)).body
      const as = await shop.newUcpPlatform()
      for (const [method, path] of [
        ['GET', `/checkout-sessions/${body.id}`],
        ['POST', `/checkout-sessions/${body.id}/cancel`],
        ['GET', `/orders/${order.id}`],
      ] as const) {
        const { status, body: refused } = await shop.send(method, path, method === 'POST' ? {} : undefined, { as })
        expect([status, refused.ucp.status, codes(refused)]).toEqual([200, 'error', ['not_found']])
      }
    })

    test('without credentials is asked for them', async () => {
      const { status, body } = await shop.raw({ method: 'POST', url: '/ucp/v1/checkout-sessions', payload: {} })
      expect([status, body.code]).toEqual([401, 'authentication_required'])
    })

    test.each([
      ['dev.ucp.shopping.checkout', 'svc_free'],
      ['dev.usp-protocol.services.paid_bookings', 'svc_free'],
      ['dev.ucp.common.payment.terms', 'svc_spot'],
      ['dev.usp-protocol.services.pay_at_service', 'svc_spot'],
    ])('[LIV-129] without %s cannot check out %s', async (name, id) => {
      const as = await shop.newUcpPlatform([name])
      const answer = await shop.send('POST', '/checkout-sessions', shop.request(await freeSlot(id)), { as })
      expect([answer.status, codes(answer.body)]).toEqual([200, ['capabilities_incompatible']])
    })

    test('without the checkout is told of no extension of the checkout', async () => {
      const as = await shop.newUcpPlatform(['dev.ucp.shopping.checkout'])
      const { body } = await shop.send('POST', '/checkout-sessions', shop.request(await freeSlot()), { as })
      expect(body.ucp.capabilities).toEqual({})
      const order = await shop.send('GET', '/orders/ord_unknown', undefined, { as })
      expect(order.body.ucp.capabilities).toHaveProperty(['dev.ucp.common.payment.terms'])
    })

    test('[LIV-121] is refused with another text as this address', async () => {
      const signals = { 'dev.usp-protocol.agent_host_ip': 'agent.example' }
      const { status, body } = await shop.create(await freeSlot(), {}, { signals })
      expect([status, body.code]).toEqual([400, 'validation_error'])
    })
  })
})

test('a business without a checkout has none', async () => {
  const closed = await ucpShop(ucpDefinition([free], { ucp_checkout: { enabled: false } }))
  const { status } = await closed.create((await closed.slotsOf('svc_free'))[0])
  expect(status).toBe(404)
})

test('a slot that the waitlist offers is refused: the platform accepts the offer instead', async () => {
  const group = service('svc_class', {
    type: 'group',
    capacity: { max: 1, waitlist: true },
    sessions: [{ days: ['wednesday'], starts: '10:00' }],
    pricing: { model: 'free', currency: 'USD' },
    policies: free.policies,
  })
  const full = await ucpShop(ucpDefinition([group]))
  const desk = restDesk(full)
  const [slot] = await full.slotsOf('svc_class')
  const { data } = await desk.book(slot)
  const buyer = { first_name: 'Ann', last_name: 'Williams', email: 'ann@example.com' }
  const joined = await desk.call('usp_waitlist_join', { service_id: 'svc_class', buyer }, { as: full.ucp })
  await desk.cancel(data.booking.id)
  const as = { as: full.ucp }
  expect((await desk.call('usp_waitlist_get', { entry_id: joined.data.entry.id }, as)).data.entry.status).toBe(
    'offered',
  )
  const refused = await full.create(slot)
  expect([refused.body.ucp.status, codes(refused.body)]).toEqual(['error', ['slot_unavailable']])
  expect(refused.body.messages[0].content).toContain('Accept the offer')
  expect(await full.runtime.db.selectFrom('holds').select('id').where('status', '=', 'active').execute()).toEqual([])
})
