import { describe, expect, test } from 'vitest'
import { service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { instrument, tokenShop } from './paid-shop.ts'
import { free, paid, spot, ucpDefinition } from './ucp-shop.ts'

/** Rules of the published text of UCP that no schema can express. */
const strict = service('svc_strict', {
  pricing: { model: 'fixed', amount: 10_000, currency: 'USD' },
  policies: {
    ...spot.policies,
    cancellation: { allowed: true, free_cancellation_until: 'P60D', late_cancellation_fee: 2500 },
  },
})
const chosen = service('svc_chosen', {
  pricing: { model: 'free', currency: 'USD' },
  policies: free.policies,
  resources: [{ type: 'staff', selectable: true, options: ['ann'] }],
})
const shop = await tokenShop(
  ucpDefinition([free, spot, paid, strict, chosen], {
    payments: { provider: 'stripe' },
    resources: [{ id: 'ann', type: 'staff', name: 'Ann' }],
  }),
)

type Messages = { type: string; code: string; path?: string; severity?: string; content: string }[]
const about = ({ messages = [] }: { messages?: Messages }) => messages.map(({ type, code, path }) => [type, code, path])
const line = (more: object, item: object = {}) => ({
  line_items: [{ item: { id: 'svc_free', ...item }, ...more }],
})

describe('a quantity', () => {
  test('that the business changes is named in a warning', async () => {
    const slot = await shop.lastSlot('svc_free')
    const { body } = await shop.create(slot, {}, line({ quantity: 2 }))
    expect([body.status, body.line_items[0].quantity]).toEqual(['ready_for_complete', 1])
    expect(about(body)).toContainEqual(['warning', 'quantity_revised', '$.line_items[0].quantity'])
    const updated = await shop.update(body.id, shop.request(slot, {}, line({ quantity: 1 })))
    expect(about(updated.body)).not.toContainEqual(expect.arrayContaining(['quantity_revised']))
  })

  test('in another unit is refused: a new checkout is not made, an old one stays', async () => {
    const slot = await shop.lastSlot('svc_free')
    const kilograms = line({ quantity: 1 }, { quantity_unit: { unit: 'KGM', scale: 2 } })
    const mismatch = ['error', 'quantity_unit_mismatch', '$.line_items[0].item.quantity_unit']
    const refused = await shop.create(slot, {}, kilograms)
    expect([refused.body.id, about(refused.body)]).toEqual([undefined, [mismatch]])
    const { body } = await shop.create(slot, {}, line({ quantity: 1 }, { quantity_unit: { unit: 'C62' } }))
    expect(body.status).toBe('ready_for_complete')
    const updated = await shop.update(body.id, shop.request(slot, {}, kilograms))
    expect([updated.body.line_items, about(updated.body)]).toEqual([body.line_items, [mismatch]])
  })
})

test('an instrument of a type that the checkout does not offer is refused before anything is charged', async () => {
  const { body } = await shop.create(await shop.lastSlot())
  const { payment } = instrument(shop.stripe.grant().id)
  const instruments = payment.instruments.map((one) => ({ ...one, type: 'us_bank_account' }))
  const asked = shop.stripe.asked.length
  const refused = await shop.complete(body.id, { payment: { instruments } })
  expect(about(refused.body)).toEqual([['error', 'invalid', '$.payment.instruments']])
  expect(shop.stripe.asked.length).toBe(asked)
})

describe('the terms of a cancellation', () => {
  const CANCELLATION = 'dev.usp-protocol.services.policy.cancellation'

  test('are a policy of the checkout and of the order', async () => {
    const { body } = await shop.create(await shop.lastSlot('svc_free'))
    const policy = { type: CANCELLATION, description: { plain: 'Free cancellation.' }, applies_to: ['$.line_items[0]'] }
    expect(body.policies).toEqual([policy])
    expect(body).not.toHaveProperty('messages')
    const { order } = (await shop.complete(body.id)).body
    expect((await shop.send('GET', `/orders/${order.id}`)).body.policies).toEqual([policy])
  })

  test('must be shown if canceling costs something', async () => {
    const { body } = await shop.create(await shop.lastSlot('svc_strict'))
    const [policy] = body.policies
    expect(policy.description.plain).toContain('$25.00')
    expect(body.messages).toEqual([
      {
        type: 'warning',
        code: CANCELLATION,
        content: policy.description.plain,
        path: '$.line_items[0]',
        presentation: 'disclosure',
      },
    ])
    expect((await shop.get(body.id)).body.messages).toEqual(body.messages)
    expect(body.status).toBe('ready_for_complete')
  })
})

describe('messages', () => {
  test.each(['svc_free', 'svc_chosen'])(
    'of a checkout of %s that was not created have paths of a checkout, and are unrecoverable',
    async (id) => {
      const slot = await shop.lastSlot(id)
      await shop.create(slot)
      const { body } = await shop.create(slot)
      expect(body.messages).toMatchObject([
        { code: 'slot_unavailable', path: '$.booking.slot', severity: 'unrecoverable' },
      ])
    },
  )

  test('of a finished checkout are unrecoverable', async () => {
    const { body } = await shop.create(await shop.lastSlot('svc_free'))
    await shop.complete(body.id)
    expect((await shop.cancel(body.id)).body.messages).toMatchObject([
      { code: 'checkout_completed', severity: 'unrecoverable' },
    ])
  })

  test('say in each answer that the platform has released the hold, and to hold the slot again', async () => {
    const { body } = await shop.create(await shop.lastSlot('svc_free'))
    await restDesk(shop).release(body.booking.hold_id, { as: shop.ucp })
    const read = (await shop.get(body.id)).body
    const completed = (await shop.complete(body.id)).body
    for (const { status, messages } of [read, completed]) {
      expect(status).toBe('incomplete')
      expect(messages).toMatchObject([
        { code: 'hold_expired', content: expect.stringContaining('hold the slot again') },
      ])
    }
  })
})
