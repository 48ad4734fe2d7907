import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ProviderError } from '../../src/domain/payments/payment-provider.ts'
import { resumeCharge } from '../../src/domain/ucp-checkouts/carry-out-charge.ts'
import { type ChargeRow, chargesOf } from '../../src/domain/ucp-checkouts/charge-queries.ts'
import { completeCheckout } from '../../src/domain/ucp-checkouts/complete-checkout.ts'
import { reconcileCharges } from '../../src/domain/ucp-checkouts/reconcile-charges.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { restDesk } from '../support/desk.ts'
import { applyNow } from './both-bindings.ts'
import { instrument, returnAllByHand, tokenShop } from './paid-shop.ts'
import { UCP_BINDINGS } from './ucp-shop.ts'

describe.each(UCP_BINDINGS)('over %s', async (binding) => {
  const shop = await tokenShop(undefined, { binding })
  const { stripe } = shop

  const codes = (body: { messages?: { code: string }[] }) => (body.messages ?? []).map(({ code }) => code)
  const opened = async () => (await shop.create(await shop.lastSlot())).body
  const statuses = async (id: string) => (await shop.charges(id)).map(({ status }) => status)

  beforeEach(() => {
    stripe.mood = 'well'
    stripe.beforeAnswer = async () => {}
    stripe.refundsEnd = 'succeeded'
  })

  test('a checkout offers the payment handler, in the profile too', async () => {
    const body = await opened()
    const handler = {
      id: 'stripe_payments',
      version: '2026-06-25',
      spec: expect.stringContaining('stripe.com'),
      schema: expect.stringContaining('stripe.com'),
      available_instruments: ['card', 'link'].map((type) => ({ type, config: { network_id: 'profile_swordfish' } })),
      config: { environment: 'sandbox', merchant_id: 'acct_swordfish' },
    }
    expect(body.ucp.payment_handlers).toEqual({ 'com.stripe.payments': [handler] })
    expect(body).not.toHaveProperty('payment')
    expect(body.status).toBe('ready_for_complete')
    const { ucp } = (await shop.rest('GET', '/.well-known/ucp')).body
    expect(ucp.payment_handlers).toEqual({ 'com.stripe.payments': [handler] })
  })

  describe('a granted token', () => {
    test('pays the price and books the slot in one call', async () => {
      const body = await opened()
      const before = shop.kept()
      const done = (await shop.pay(body.id, stripe.grant({ max_amount: 12_000 }))).body
      expect([done.status, done.booking.booking_status]).toEqual(['completed', 'confirmed'])
      expect(shop.kept() - before).toBe(12_000)
      const [charge] = await shop.charges(body.id)
      expect(charge).toMatchObject({ status: 'booked', order_id: done.order.id })
      const intent = stripe.intents.find(({ id }) => id === charge?.reference)
      expect(intent?.metadata).toEqual({ charge: charge?.id, order: done.order.id, booking: done.booking.booking_id })
      const payments = await shop.runtime.db
        .selectFrom('payments')
        .selectAll()
        .where('order_reference', '=', done.order.id)
        .execute()
      expect(payments).toMatchObject([{ amount: '12000', reference: intent?.id, booking_id: done.booking.booking_id }])
      await shop.expectSound()
    })

    test('books even if Stripe is out of reach as soon as it has answered that it took the money', async () => {
      const body = await opened()
      stripe.beforeAnswer = async ({ path }) => {
        if (path.endsWith('/confirm')) stripe.mood = 'down'
      }
      expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('completed')
      stripe.mood = 'well'
      await shop.expectSound()
    })

    test('is sent with the pinned version of the interface', () => {
      const asked = stripe.asked.filter(({ path }) => path.startsWith('/v1/payment_intents'))
      expect(new Set(asked.map(({ version }) => version))).toEqual(new Set(['2026-04-22.preview']))
    })

    test('pays a booking whose cancellation returns the money', async () => {
      const body = await opened()
      const before = shop.kept()
      const { order, booking } = (await shop.pay(body.id, stripe.grant())).body
      await restDesk(shop).cancel(booking.booking_id, {}, { as: shop.ucp })
      await shop.reconcile()
      expect(shop.kept() - before).toBe(0)
      const read = (await shop.send('GET', `/orders/${order.id}`)).body
      expect(read.adjustments).toEqual([
        expect.objectContaining({ type: 'cancellation' }),
        expect.objectContaining({ type: 'refund', status: 'completed', totals: [{ type: 'total', amount: -12_000 }] }),
      ])
      await shop.expectSound()
    })
  })

  test('the booking has the language of the buyer, whether it is paid now or on the spot', async () => {
    const localeOf = async (service: string, context: object) => {
      const { id } = (await shop.create(await shop.lastSlot(service), {}, { context })).body
      const done = (await (service === 'svc_paid' ? shop.pay(id, stripe.grant()) : shop.complete(id))).body
      expect(done.status).toBe('completed')
      const [row] = await shop.runtime.db
        .selectFrom('bookings')
        .select('record')
        .where('id', '=', done.booking.booking_id)
        .execute()
      return row?.record
    }
    expect(await localeOf('svc_paid', { language: 'fr-CA' })).toMatchObject({ locale: 'fr-CA' })
    expect(await localeOf('svc_spot', { language: 'de' })).toMatchObject({ locale: 'de' })
    for (const language of ['x', '_!', '', 'tlh', 7])
      expect(await localeOf('svc_spot', { language })).not.toHaveProperty('locale')
  })

  describe('a token that Stripe refuses', () => {
    test.each([
      ['limited to a lower amount', { max_amount: 11_999 }],
      ['for another currency', { currency: 'eur' }],
      ['expired', { expires_at: 1 }],
      ['revoked', { revoked: true }],
      ['of a card that is declined', { card: 'declined' as const }],
    ])('%s charges nothing, and another token then pays', async (_, limits) => {
      const body = await opened()
      const before = shop.kept()
      const refused = (await shop.pay(body.id, stripe.grant(limits))).body
      expect([refused.status, codes(refused)]).toEqual(['ready_for_complete', ['payment_failed']])
      expect(refused.booking.booking_status).toBe('pending')
      expect(refused.messages[0].content).toContain('card' in limits ? 'insufficient funds' : 'refuses this token')
      expect(stripe.intents.at(-1)?.status).toBe('canceled')
      expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('completed')
      expect([await statuses(body.id), shop.kept() - before]).toEqual([['failed', 'booked'], 12_000])
      await shop.expectSound()
    })

    test('or that does not exist, too', async () => {
      const body = await opened()
      expect(codes((await shop.pay(body.id, { id: 'spt_none' })).body)).toEqual(['payment_failed'])
    })
  })

  describe('declined tokens', () => {
    test('end after five: the next token is not tried', async () => {
      const body = await opened()
      for (let tries = 0; tries < 5; tries++) await shop.pay(body.id, stripe.grant({ card: 'declined' }))
      const asked = stripe.asked.length
      const refused = (await shop.pay(body.id, stripe.grant())).body
      expect([codes(refused), stripe.asked.length]).toEqual([['payment_failed'], asked])
      expect(refused.messages[0].content).toContain('Cancel it')
      expect(await statuses(body.id)).toEqual(Array(5).fill('failed'))
      expect((await shop.cancel(body.id)).body.status).toBe('canceled')
    })

    test('keep the slot for half an hour at most', async () => {
      const body = await opened()
      const begun = shop.time.now.getTime()
      const ends = []
      // An answer shows whole seconds, so the hold and the checkout end at a whole second too.
      shop.time.now = new Date(begun + 321)
      for (const minutes of [9, 14, 6]) {
        shop.minutesLater(minutes)
        const { expires_at } = (await shop.pay(body.id, stripe.grant({ card: 'declined' }))).body
        ends.push(Math.round((Date.parse(expires_at) - begun) / 60_000))
        const [checkout] = await shop.runtime.db
          .selectFrom('ucp_checkouts')
          .innerJoin('holds', 'holds.id', 'ucp_checkouts.hold_id')
          .select(['ucp_checkouts.expires_at as shown', 'holds.expires_at as held'])
          .where('ucp_checkouts.id', '=', body.id)
          .execute()
        expect([checkout?.shown, checkout?.held]).toEqual([new Date(expires_at), new Date(expires_at)])
      }
      expect(ends).toEqual([24, 30, 30])
      shop.minutesLater(2)
      expect(codes((await shop.pay(body.id, stripe.grant())).body)).toEqual(['hold_expired'])
    })
  })

  describe('an instrument', () => {
    const good = instrument('spt_1').payment.instruments[0]
    test.each([
      ['that is missing', [], 'missing'],
      ['of another handler', [{ ...good, handler_id: 'com.stripe.payments' }], 'invalid'],
      ['with another credential', [{ ...good, credential: { type: 'card', token: 'spt_1' } }], 'invalid'],
      ['that is one of two', [good, { ...good, id: 'instr_2' }], 'missing'],
    ])('%s is refused before anything is charged', async (_, instruments, code) => {
      const body = await opened()
      const asked = stripe.asked.length
      const { body: refused } = await shop.complete(body.id, { payment: { instruments } })
      expect([codes(refused), stripe.asked.length]).toEqual([[code], asked])
      expect((await shop.get(body.id)).body.status).toBe('ready_for_complete')
    })
  })

  describe('[LIV-112] before the charge', () => {
    test('a lapsed hold is refused, and Stripe is not asked', async () => {
      const body = await opened()
      shop.minutesLater(11)
      const asked = stripe.asked.length
      const late = (await shop.pay(body.id, stripe.grant())).body
      expect([late.status, codes(late), stripe.asked.length]).toEqual(['incomplete', ['hold_expired'], asked])
      expect(await statuses(body.id)).toEqual([])
    })

    test('a slot of another buyer is refused', async () => {
      const slot = await shop.lastSlot()
      const body = (await shop.create(slot)).body
      shop.minutesLater(11)
      const other = (await shop.create(slot)).body
      expect(codes((await shop.pay(body.id, stripe.grant())).body)).toEqual(['slot_unavailable'])
      expect((await shop.pay(other.id, stripe.grant())).body.status).toBe('completed')
    })
  })

  describe('[LIV-115] a completion that is repeated', () => {
    test('with its key returns the first outcome and charges once', async () => {
      const body = await opened()
      const [token, key, before] = [stripe.grant(), randomUUID(), shop.kept()]
      const answers = await Promise.all([shop.pay(body.id, token, key), shop.pay(body.id, token, key)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect((await shop.pay(body.id, token, key)).body.status).toBe('completed')
      expect([await statuses(body.id), shop.kept() - before]).toEqual([['booked'], 12_000])
      const other = await shop.pay(body.id, stripe.grant(), key)
      expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict'])
    })

    test('after a decline returns the decline, and charges nothing', async () => {
      const body = await opened()
      const [token, key] = [stripe.grant({ card: 'declined' }), randomUUID()]
      const first = await shop.pay(body.id, token, key)
      token.card = 'good'
      expect((await shop.pay(body.id, token, key)).body).toEqual(first.body)
      expect(await statuses(body.id)).toEqual(['failed'])
    })

    test('with another key while it runs is told so', async () => {
      const body = await opened()
      let second: unknown[] = []
      stripe.beforeAnswer = async ({ path }) => {
        if (!path.endsWith('/confirm')) return
        stripe.beforeAnswer = async () => {}
        const { body: busy } = await shop.pay(body.id, stripe.grant())
        const { body: canceled } = await shop.cancel(body.id)
        second = [busy.status, codes(busy), canceled.status, codes(canceled)]
      }
      expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('completed')
      const running = ['complete_in_progress', ['complete_in_progress']]
      expect(second).toEqual([...running, ...running])
    })

    test('cannot share its key with the completion of another checkout while it is unsettled', async () => {
      const [body, other] = [await opened(), await opened()]
      const [token, key] = [stripe.grant(), randomUUID()]
      stripe.beforeAnswer = async ({ path }) => {
        if (path.endsWith('/confirm')) stripe.mood = 'deaf'
      }
      expect((await shop.pay(body.id, token, key)).body.status).toBe('complete_in_progress')
      stripe.mood = 'well'
      stripe.beforeAnswer = async () => {}
      const asked = stripe.asked.length
      const refused = await shop.pay(other.id, stripe.grant(), key)
      expect([refused.status, refused.body.code, stripe.asked.length]).toEqual([409, 'idempotency_conflict', asked])
      expect([await statuses(other.id), (await shop.get(other.id)).body.status]).toEqual([[], 'ready_for_complete'])
      await shop.reconcile()
      expect((await shop.pay(body.id, token, key)).body.status).toBe('completed')
      expect((await shop.pay(other.id, stripe.grant())).body.status).toBe('completed')
      await shop.expectSound()
    }, 20_000)

    test('while another one fails may be sent again with its key', async () => {
      const body = await opened()
      const [token, key] = [stripe.grant(), randomUUID()]
      // The checkout is busy when this request begins, and open again when it goes on.
      vi.spyOn(completeCheckout, 'prepare').mockResolvedValueOnce({ messages: [], isOwn: false })
      const overtaken = await shop.pay(body.id, token, key)
      expect([overtaken.status, overtaken.body.status, codes(overtaken.body)]).toEqual([
        200,
        'ready_for_complete',
        ['payment_failed'],
      ])
      expect(overtaken.body.messages[0].severity).toBe('recoverable')
      expect((await shop.pay(body.id, token, key)).body.status).toBe('completed')
    })
  })

  describe('Stripe does not answer', () => {
    test('before it took the money: nothing is charged', async () => {
      const body = await opened()
      stripe.mood = 'down'
      const refused = (await shop.pay(body.id, stripe.grant())).body
      expect([refused.status, codes(refused)]).toEqual(['ready_for_complete', ['payment_failed']])
      stripe.mood = 'well'
      expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('completed')
      await shop.expectSound()
    }, 20_000)

    test.each(['before', 'after'] as const)(
      '%s it took the money: the checkout is settled later',
      async (when) => {
        const body = await opened()
        const [token, key, before] = [stripe.grant(), randomUUID(), shop.kept()]
        stripe.beforeAnswer = async ({ path }) => {
          if (when === 'before' && path === '/v1/payment_intents') stripe.mood = 'down'
          if (when === 'after' && path.endsWith('/confirm')) stripe.mood = 'deaf'
        }
        const open = await shop.pay(body.id, token, key)
        expect([open.status, open.body.status, open.body.booking.booking_status]).toEqual([
          200,
          'complete_in_progress',
          'pending',
        ])
        expect(open.body).not.toHaveProperty('order')
        expect((await shop.get(body.id)).body.status).toBe('complete_in_progress')
        stripe.mood = 'well'
        stripe.beforeAnswer = async () => {}
        await shop.reconcile()
        const settled = when === 'before' ? 'ready_for_complete' : 'completed'
        expect((await shop.get(body.id)).body.status).toBe(settled)
        expect(shop.kept() - before).toBe(when === 'before' ? 0 : 12_000)
        const again = (await shop.pay(body.id, token, key)).body
        expect([again.status, codes(again)]).toEqual([settled, when === 'before' ? ['payment_failed'] : []])
        await shop.expectSound()
      },
      30_000,
    )
  })

  test('a charge that Stripe refuses to prepare is reported as refused, and logged', async () => {
    const body = await opened()
    const provider = await shop.runtime.payments.find('stripe')
    if (!provider) throw new Error('There is no provider')
    const refusal = new ProviderError('The account cannot charge', { isFinal: true })
    vi.spyOn(provider, 'prepareCharge').mockRejectedValueOnce(refusal)
    const logged = vi.spyOn(shop.runtime.log, 'error')
    const refused = (await shop.pay(body.id, stripe.grant())).body
    expect([refused.status, codes(refused)]).toEqual(['ready_for_complete', ['payment_failed']])
    expect(refused.messages[0].content).toContain('refuses this payment')
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ err: refusal }), 'The provider refuses a charge.')
    expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('completed')
  })

  describe('a charge that two processes work on', () => {
    test('does not fail because one of them read it before it had a reference', async () => {
      const body = await opened()
      const before = shop.kept()
      const provider = await shop.runtime.payments.find('stripe')
      let stale: ChargeRow | undefined
      stripe.beforeAnswer = async ({ path }) => {
        if (path === '/v1/payment_intents') [stale] = await chargesOf(shop.runtime.db, body.id)
        if (path.endsWith('/confirm') && stale && provider) await resumeCharge(shop.runtime, provider, stale)
      }
      expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('completed')
      expect([stale?.reference, await statuses(body.id), shop.kept() - before]).toEqual([null, ['booked'], 12_000])
      await shop.expectSound()
    })

    test.each(['open', 'completing'] as const)(
      'and that succeeds after it failed is returned, while the checkout is %s',
      async (status) => {
        const body = await opened()
        const before = shop.kept()
        stripe.beforeAnswer = async ({ path }) => {
          if (path.endsWith('/confirm')) stripe.mood = 'deaf'
        }
        await shop.pay(body.id, stripe.grant())
        const late = stripe.intents.at(-1)
        stripe.mood = 'well'
        const { db } = shop.runtime
        await db.updateTable('ucp_charges').set({ status: 'failed' }).where('checkout_id', '=', body.id).execute()
        await db.updateTable('ucp_checkouts').set({ status: 'open' }).where('id', '=', body.id).execute()
        stripe.beforeAnswer = async ({ path }) => {
          if (status === 'open' || !path.endsWith('/confirm')) return
          stripe.beforeAnswer = async () => {}
          expect((await shop.tell(late)).status).toBe(200)
          await reconcileCharges(shop.runtime)
          expect((await shop.get(body.id)).body.status).toBe('complete_in_progress')
        }
        if (status === 'open') await shop.tell(late)
        expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('completed')
        await shop.reconcile()
        expect([(await statuses(body.id)).toSorted(), shop.kept() - before]).toEqual([['booked', 'reversed'], 12_000])
        await shop.expectSound()
      },
      30_000,
    )
  })

  describe('a webhook of Stripe', () => {
    test('before the answer books once', async () => {
      const body = await opened()
      stripe.beforeAnswer = async ({ path }) => {
        if (path.endsWith('/confirm')) expect((await shop.tell(stripe.intents.at(-1))).status).toBe(200)
      }
      expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('completed')
      expect(await statuses(body.id)).toEqual(['booked'])
      await shop.expectSound()
    })

    test('after the answer, and twice, changes nothing', async () => {
      const body = await opened()
      const done = (await shop.pay(body.id, stripe.grant())).body
      for (const type of ['payment_intent.succeeded', 'payment_intent.succeeded', 'payment_intent.canceled'])
        expect((await shop.tell(stripe.intents.at(-1), type)).status).toBe(200)
      expect((await shop.get(body.id)).body).toEqual({ ...done, booking_scoped_credential: undefined })
      await shop.expectSound()
    })

    test('settles a charge whose answer was lost', async () => {
      const body = await opened()
      stripe.beforeAnswer = async ({ path }) => {
        if (path.endsWith('/confirm')) stripe.mood = 'deaf'
      }
      expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('complete_in_progress')
      await shop.tell(stripe.intents.at(-1))
      expect((await shop.get(body.id)).body.status).toBe('completed')
      await shop.expectSound()
    }, 20_000)

    test('about a payment that is not of this server changes nothing', async () => {
      const intent = { ...stripe.intents.at(-1), id: 'pi_foreign', metadata: {} }
      expect((await stripe.notify(shop, 'payment_intent.succeeded', intent)).status).toBe(200)
      await shop.expectSound()
    })
  })

  describe('[LIV-113] [LIV-114] a charge whose booking cannot be made', () => {
    /** The slot leaves the schedule after the check and before the booking. */
    const withdrawn = async (during: () => Promise<void>) => {
      const definition = await shop.runtime.business.get()
      if (!definition) throw new Error('There is no business')
      const services = definition.services.map((one) =>
        one.id === 'svc_paid' ? { ...one, status: 'suspended' as const } : one,
      )
      const without: BusinessDefinition = { ...definition, services }
      stripe.beforeAnswer = async ({ path }) => {
        if (!path.endsWith('/confirm')) return
        await applyNow(shop, without)
      }
      await during()
      stripe.beforeAnswer = async () => {}
      await applyNow(shop, definition)
    }

    test('[LIV-116] [LIV-117] goes back before the answer, its order names it at Stripe too, and the hold stays', async () => {
      const body = await opened()
      const before = shop.kept()
      // The call keeps the definition that it began with, so a webhook makes the attempt that fails.
      await withdrawn(async () => {
        stripe.mood = 'well'
        const told = stripe.beforeAnswer
        stripe.beforeAnswer = async (asked) => {
          await told(asked)
          if (asked.path.endsWith('/confirm')) await shop.tell(stripe.intents.at(-1))
        }
        const failed = (await shop.pay(body.id, stripe.grant())).body
        expect([failed.status, codes(failed)]).toEqual(['incomplete', ['slot_unavailable']])
        expect(failed.booking.booking_status).toBe('pending')
      })
      expect([await statuses(body.id), shop.kept() - before]).toEqual([['reversed'], 0])
      const [charge] = await shop.charges(body.id)
      expect(stripe.intents.filter(({ metadata }) => metadata.order === charge?.order_id)).toHaveLength(1)
      const [hold] = await shop.runtime.db
        .selectFrom('holds')
        .select('status')
        .where('id', '=', body.booking.hold_id)
        .execute()
      expect(hold?.status).toBe('active')
      expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('completed')
      await shop.expectSound()
    })

    test('[LIV-116] cancels the checkout if Stripe refuses to return it, the hold stays, and the business returns it by hand', async () => {
      const body = await opened()
      const [before, token, key] = [shop.kept(), stripe.grant(), randomUUID()]
      await withdrawn(async () => {
        const told = stripe.beforeAnswer
        stripe.beforeAnswer = async (asked) => {
          await told(asked)
          if (asked.path.endsWith('/confirm')) await shop.tell(stripe.intents.at(-1))
          if (asked.path.endsWith('/confirm')) stripe.refundsEnd = 'failed'
        }
        const ended = (await shop.pay(body.id, token, key)).body
        expect([ended.status, ended.booking.booking_status]).toEqual(['canceled', 'canceled'])
        expect(codes(ended)).toEqual(['slot_unavailable'])
        expect(ended.messages[0]).toMatchObject({
          severity: 'unrecoverable',
          content: expect.stringContaining('by hand'),
        })
        expect((await shop.pay(body.id, token, key)).body).toEqual(ended)
        expect((await shop.get(body.id)).body.messages).toEqual(ended.messages)
      })
      expect([await statuses(body.id), shop.kept() - before]).toEqual([['unreturned'], 0])
      const [hold] = await shop.runtime.db
        .selectFrom('holds')
        .select('status')
        .where('id', '=', body.booking.hold_id)
        .execute()
      expect(hold?.status).toBe('active')
      const { verify } = await import('../../src/core/ledger/verify-ledger.ts')
      const { findings } = await verify(shop.runtime.db, shop.time.now)
      expect(findings.listed).toEqual([
        expect.stringMatching(/^order ord_\S+ has a charge without a booking that the provider refuses/),
      ])
      await returnAllByHand(shop)
      await shop.expectSound()
      const { slot, hold_id } = body.booking
      const again = (await shop.create({ ...slot, service_id: 'svc_paid' }, { hold_id })).body
      expect(again.booking.hold_id).toBe(hold_id)
      expect((await shop.pay(again.id, stripe.grant())).body.status).toBe('completed')
    })
  })

  test('a reversal that the bank rejects later is left to the staff', async () => {
    const [charge] = await shop.runtime.db
      .selectFrom('ucp_charges')
      .select('id')
      .where('status', '=', 'reversed')
      .execute()
    const failed = { object: 'refund', status: 'failed', failure_reason: 'lost_or_stolen_card' }
    const metadata = { refund: `${charge?.id}_reversal` }
    for (const _ of [1, 2])
      expect((await stripe.notify(shop, 'refund.failed', { ...failed, metadata })).status).toBe(200)
    const after = await shop.runtime.db
      .selectFrom('ucp_charges')
      .select('status')
      .where('id', '=', charge?.id ?? '')
      .execute()
    expect(after).toEqual([{ status: 'unreturned' }])
  })

  test('a service that is paid ahead is booked in a checkout only', async () => {
    const slot = await shop.lastSlot()
    const refused = await restDesk(shop).book(slot, {}, { as: shop.ucp })
    expect([refused.status, refused.code]).toEqual([200, 'payment_required'])
    const booked = await restDesk(shop).call(
      'usp_business_bookings_create',
      {
        service_id: slot.service_id,
        slot_id: slot.id,
        buyer: { first_name: 'A', last_name: 'B', email: 'a@example.com' },
      },
      { as: shop.staff },
    )
    expect(booked.data.booking.status).toBe('confirmed')
  })
})
