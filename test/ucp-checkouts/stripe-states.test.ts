import { beforeEach, describe, expect, test } from 'vitest'
import { instrument, tokenShop } from './paid-shop.ts'
import { UCP_BINDINGS } from './ucp-shop.ts'

describe.each(UCP_BINDINGS)('over %s', async (binding) => {
  const shop = await tokenShop(undefined, { binding })
  const { stripe } = shop
  const opened = async () => (await shop.create(await shop.lastSlot())).body
  const statuses = async (id: string) => (await shop.charges(id)).map(({ status }) => status)

  beforeEach(() => {
    stripe.mood = 'well'
  })

  describe('[LIV-115] a payment that Stripe still processes, and does not cancel', () => {
    /** A payment whose token answers with `processing`. */
    const processing = async () => {
      const body = await opened()
      const { status } = (await shop.pay(body.id, stripe.grant({ card: 'processing' }))).body
      const intent = stripe.intents.at(-1)
      if (!intent) throw new Error('There is no PaymentIntent')
      expect([status, intent.status]).toEqual(['complete_in_progress', 'processing'])
      await shop.reconcile()
      expect([(await shop.get(body.id)).body.status, await statuses(body.id)]).toEqual([
        'complete_in_progress',
        ['intended'],
      ])
      return { id: body.id as string, intent }
    }

    test('books when it succeeds, with the slot held until then', async () => {
      const before = shop.kept()
      const { id, intent } = await processing()
      for (let polls = 0; polls < 10; polls++) await shop.reconcile()
      Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
      await shop.reconcile()
      expect([(await shop.get(id)).body.status, await statuses(id)]).toEqual(['completed', ['booked']])
      expect(shop.kept() - before).toBe(12_000)
      await shop.expectSound()
    })

    test('books by the webhook of Stripe too', async () => {
      const { id, intent } = await processing()
      await shop.tell(Object.assign(intent, { status: 'succeeded', amount_received: intent.amount }))
      expect((await shop.get(id)).body.status).toBe('completed')
      await shop.expectSound()
    })

    test('leaves the checkout open when it fails', async () => {
      const { id, intent } = await processing()
      Object.assign(intent, { status: 'requires_payment_method' })
      await shop.reconcile()
      expect([(await shop.get(id)).body.status, intent.status]).toEqual(['ready_for_complete', 'canceled'])
      expect((await shop.pay(id, stripe.grant())).body.status).toBe('completed')
      await shop.expectSound()
    })
  })

  test('[LIV-114] a bank that asks the buyer on no page ends the payment, and another token pays', async () => {
    const body = await opened()
    const before = shop.kept()
    const refused = (await shop.pay(body.id, stripe.grant({ card: 'asks_script' }))).body
    expect([refused.status, refused.messages[0].code]).toEqual(['ready_for_complete', 'payment_failed'])
    expect([stripe.intents.at(-1)?.status, await statuses(body.id)]).toEqual(['canceled', ['failed']])
    expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('completed')
    expect(shop.kept() - before).toBe(12_000)
    await shop.expectSound()
  })

  describe('an instrument of the type link', () => {
    const payBy = async (type: string, method: 'card' | 'link') => {
      const body = await opened()
      const { payment } = instrument(stripe.grant({ method }).id)
      const instruments = payment.instruments.map((one) => ({ ...one, type }))
      return (await shop.complete(body.id, { payment: { instruments } })).body
    }

    test.each(['link', 'card'] as const)('pays with a token of the method %s', async (method) => {
      const before = shop.kept()
      expect((await payBy('link', method)).status).toBe('completed')
      expect(stripe.intents.at(-1)?.payment_method_types).toEqual(['card', 'link'])
      expect(shop.kept() - before).toBe(12_000)
      await shop.expectSound()
    })

    test('is needed for a token of Link: a card charge names no other method', async () => {
      const refused = await payBy('card', 'link')
      expect([refused.status, refused.messages[0].code]).toEqual(['ready_for_complete', 'payment_failed'])
      expect(stripe.intents.at(-1)).toMatchObject({ status: 'canceled', payment_method_types: ['card'] })
    })
  })
})
