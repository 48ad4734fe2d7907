import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { restDesk } from '../support/desk.ts'
import type { Intent } from '../support/stripe.ts'
import { codes, onBothUcpBindings, recordOf } from './both-bindings.ts'
import { tokenShop } from './paid-shop.ts'
import { free, paid, ucpDefinition } from './ucp-shop.ts'

const definition = ucpDefinition([free, paid], { payments: { provider: 'stripe' } })

await onBothUcpBindings(
  (options) => tokenShop(definition, options),
  (platform, shop) => {
    const { stripe } = shop
    const opened = async () => platform.create(await shop.lastSlot())
    const statuses = async (id: string) => (await shop.charges(id)).map(({ status }) => status)
    const refundsOf = (intent: Intent | undefined) =>
      stripe.refunds.filter(({ payment_intent }) => payment_intent === intent?.id).map(({ amount }) => amount)
    const returns = async (subject: string) => {
      const query = shop.runtime.db.selectFrom('changes').select(['from_status', 'to_status', 'detail'])
      return query.where('action', '=', 'return_payment').where('subject', '=', subject).execute()
    }
    const logged = vi.spyOn(shop.runtime.log, 'error')

    /** Somebody changes the prepared payment at Stripe. */
    const changeAtStripe = (change: Partial<Intent>) => {
      stripe.beforeAnswer = async ({ path }) => {
        if (path !== '/v1/payment_intents') return
        stripe.beforeAnswer = async () => {}
        Object.assign(stripe.intents.at(-1) ?? {}, change)
      }
    }

    beforeEach(() => {
      logged.mockClear()
    })
    afterEach(() => {
      stripe.beforeAnswer = async () => {}
    })

    describe('[LIV-113] [LIV-114] a payment', () => {
      test.each<[string, Partial<Intent>]>([
        ['that is too low', { amount: 11_999 }],
        ['in another currency', { currency: 'eur' }],
      ])('%s goes back, the log tells the amounts, and another token then pays', async (_, change) => {
        const { id } = await opened()
        changeAtStripe(change)
        const token = stripe.grant({ currency: change.currency ?? 'usd' })
        const refused = (await shop.pay(id, token)).body
        const taken = stripe.intents.at(-1)
        expect([refused.status, codes(refused)]).toEqual(['ready_for_complete', ['payment_failed']])
        expect(refused.messages[0].content).toContain('another amount')
        expect([await statuses(id), refundsOf(taken)]).toEqual([['reversed'], [taken?.amount]])
        const received = { amount: taken?.amount, currency: (change.currency ?? 'usd').toUpperCase() }
        expect(logged).toHaveBeenCalledWith(
          expect.objectContaining({ due: { amount: 12_000, currency: 'USD' }, received }),
          'The provider took another amount.',
        )
        expect(await returns(`checkout ${id}`)).toMatchObject([
          { to_status: 'reversing', detail: { amount: taken?.amount } },
          { to_status: 'reversed', detail: { amount: taken?.amount } },
        ])
        expect((await platform.get(id)).booking.booking_status).toBe('pending')
        expect((await platform.pay(id)).status).toBe('completed')
        await shop.expectSound()
      })

      test('that is too low and cannot go back is left to the staff, and ends the checkout', async () => {
        const { id } = await opened()
        changeAtStripe({ amount: 11_999 })
        stripe.refundsEnd = 'failed'
        const ended = await platform.pay(id)
        stripe.refundsEnd = 'succeeded'
        expect([ended.status, await statuses(id)]).toEqual(['canceled', ['unreturned']])
        const { findings } = await verify(shop.runtime.db, shop.time.now)
        expect(findings.listed).toEqual([expect.stringContaining('that the provider refuses to return')])
        const returned = shop.runtime.db.updateTable('ucp_charges').set({ status: 'reversed' })
        await returned.where('checkout_id', '=', id).execute()
      })

      test('that is too high makes the booking, and the excess goes back', async () => {
        const { id } = await opened()
        const before = shop.kept()
        changeAtStripe({ amount: 12_500 })
        const done = await platform.pay(id)
        expect(done.status).toBe('completed')
        await shop.reconcile()
        expect([shop.kept() - before, refundsOf(stripe.intents.at(-1))]).toEqual([12_000, [500]])
        expect(logged).toHaveBeenCalledWith(
          expect.objectContaining({ received: { amount: 12_500, currency: 'USD' } }),
          'The provider took another amount.',
        )
        expect(await returns(`checkout ${id}`)).toMatchObject([{ to_status: 'booked', detail: { amount: 500 } }])
        expect(await recordOf(shop, done.booking.booking_id)).toMatchObject({
          payment: { due: 0, received: [{ amount: 12_500, returned: 500 }] },
        })
        await shop.expectSound()
        await restDesk(shop).cancel(done.booking.booking_id, {}, { as: shop.ucp })
        await shop.reconcile()
        expect(shop.kept() - before).toBe(0)
        await shop.expectSound()
      })

      test('of the agreed amount is not logged', async () => {
        const { id } = await opened()
        expect((await platform.pay(id)).status).toBe('completed')
        expect(logged).not.toHaveBeenCalled()
      })

      test.each([0, -1, 0.5])(
        'of the amount %d is not believed: the checkout waits, and the money is looked for again',
        async (amount) => {
          const { id } = await opened()
          changeAtStripe({ amount })
          expect((await platform.pay(id)).status).toBe('complete_in_progress')
          Object.assign(stripe.intents.at(-1) ?? {}, { amount_received: 12_000 })
          await shop.reconcile()
          expect((await platform.get(id)).status).toBe('completed')
          await shop.expectSound()
        },
      )
    })
  },
)
