import { afterEach, expect, test } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { restDesk } from '../support/desk.ts'
import { applyNow, codes, onBothUcpBindings, recordOf } from './both-bindings.ts'
import { tokenShop } from './paid-shop.ts'
import { free, paid, percentDeposit, spot, ucpDefinition } from './ucp-shop.ts'

const definition = ucpDefinition([free, spot, paid, percentDeposit], { payments: { provider: 'stripe' } })

const strict = { allowed: true, free_cancellation_until: 'P60D', late_cancellation_fee_percentage: 100 }

const withServices = (change: (service: ServiceDefinition) => ServiceDefinition) => ({
  ...definition,
  services: definition.services.map(change),
})
const withPolicies = (policies: Partial<ServiceDefinition['policies']>) =>
  withServices((one) => ({ ...one, policies: { ...one.policies, ...policies } }))
const withoutRefunds = withServices((one) => ({
  ...one,
  pricing: { ...one.pricing, ...(one.pricing.deposit && { deposit: { ...one.pricing.deposit, refundable: false } }) },
}))
const withPrice = (amount: number) =>
  withServices((one) => (one.id === 'svc_paid' ? { ...one, pricing: { ...one.pricing, amount } } : one))

await onBothUcpBindings(
  (options) => tokenShop(definition, options),
  (platform, shop) => {
    const opened = async (service = 'svc_paid') => platform.create(await shop.lastSlot(service))
    const cancel = async ({ booking }: { booking: { booking_id: string } }) => {
      await restDesk(shop).cancel(booking.booking_id, {}, { as: shop.ucp })
      await shop.reconcile()
    }

    afterEach(() => applyNow(shop, definition))

    test('[BKG-034] a cancellation follows the terms that the checkout showed, not those of a later definition', async () => {
      const body = await opened()
      const before = shop.kept()
      await applyNow(shop, withPolicies({ cancellation: strict }))
      const done = await platform.pay(body.id)
      expect([done.status, done.policies]).toEqual(['completed', body.policies])
      expect(await recordOf(shop, done.booking.booking_id)).toMatchObject({ policies: paid.policies })
      await cancel(done)
      expect(shop.kept() - before).toBe(0)
      await shop.expectSound()
    })

    test('[BKG-034] an update before the completion agrees on the new terms', async () => {
      const slot = await shop.lastSlot()
      const body = await platform.create(slot)
      const before = shop.kept()
      await applyNow(shop, withPolicies({ cancellation: strict }))
      const updated = await platform.update(body.id, shop.request(slot))
      expect(updated.policies).not.toEqual(body.policies)
      const done = await platform.pay(body.id)
      await cancel(done)
      expect([done.policies, shop.kept() - before]).toEqual([updated.policies, 12_000])
      await shop.expectSound()
    })

    test.each(['svc_free', 'svc_paid'])(
      '[BKG-034] [LIV-071] the way to confirm %s stays as agreed, and the answer tells the status of the booking',
      async (service) => {
        const body = await opened(service)
        await applyNow(shop, withPolicies({ confirmation_mode: 'manual' }))
        const late = await opened(service)
        const complete = ({ id }: { id: string }) => (service === 'svc_free' ? platform.complete(id) : platform.pay(id))
        const done = await complete(body)
        const pending = await complete(late)
        expect([done, pending].map(({ status, booking }) => [status, booking.confirmation_mode])).toEqual([
          ['completed', 'auto'],
          ['completed', 'manual'],
        ])
        const stored = new Map((await shop.bookings()).map(({ id, status }) => [id, status]))
        for (const [{ booking }, status] of [
          [done, 'confirmed'],
          [pending, 'pending'],
        ] as const)
          expect([booking.booking_status, stored.get(booking.booking_id)]).toEqual([status, status])
      },
    )

    test('[LIV-123] a deposit stays refundable after the hold is lost and the business has changed the rule', async () => {
      const { id, booking } = await opened('svc_percent')
      const before = shop.kept()
      await applyNow(shop, withoutRefunds)
      // The platform releases the hold while the provider takes the money. The slot is still free.
      shop.stripe.beforeAnswer = async ({ path }) => {
        if (!path.endsWith('/confirm')) return
        shop.stripe.beforeAnswer = async () => {}
        await restDesk(shop).release(booking.hold_id, { as: shop.ucp })
      }
      const done = await platform.pay(id)
      expect([done.status, shop.kept() - before]).toEqual(['completed', 4_000])
      expect(await recordOf(shop, done.booking.booking_id)).toMatchObject({ deposit_refundable: true })
      await cancel(done)
      expect(shop.kept() - before).toBe(0)
      await shop.expectSound()
    })

    test('a checkout of an earlier version, which stored no terms, is completed with the current ones', async () => {
      const { id } = await opened()
      const { db } = shop.runtime
      const { agreed } = await db
        .selectFrom('ucp_checkouts')
        .select('agreed')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const { terms: _, ...earlier } = JSON.parse(JSON.stringify(agreed))
      await db
        .updateTable('ucp_checkouts')
        .set({ agreed: JSON.stringify(earlier) })
        .where('id', '=', id)
        .execute()
      const done = await platform.pay(id)
      expect([done.status, done.booking.booking_status]).toEqual(['completed', 'confirmed'])
      const current = { policies: paid.policies, deposit_refundable: true, confirmation_mode: 'auto' }
      expect(await recordOf(shop, done.booking.booking_id)).toMatchObject(current)
    })

    test.each([15_000, 9_000])('a price of %i after the creation does not change the agreed amount', async (amount) => {
      const body = await opened()
      const before = shop.kept()
      await applyNow(shop, withPrice(amount))
      const done = await platform.pay(body.id)
      expect([done.status, done.totals, shop.kept() - before]).toEqual(['completed', body.totals, 12_000])
      const record = await recordOf(shop, done.booking.booking_id)
      expect(record).toMatchObject({ payment: { amount: 12_000, due: 0, received: [{ amount: 12_000 }] } })
      await shop.expectSound()
    })

    test('an update after the hold has lapsed agrees on the new price, and this price is charged', async () => {
      const slot = await shop.lastSlot()
      const body = await platform.create(slot)
      const before = shop.kept()
      await applyNow(shop, withPrice(15_000))
      shop.minutesLater(11)
      expect(codes(await platform.pay(body.id))).toEqual(['hold_expired'])
      const updated = await platform.update(body.id, shop.request(slot))
      expect([updated.status, updated.totals.at(-1)]).toEqual(['ready_for_complete', { type: 'total', amount: 15_000 }])
      expect((await platform.pay(body.id)).status).toBe('completed')
      expect(shop.kept() - before).toBe(15_000)
      await shop.expectSound()
    })

    test.each(['svc_free', 'svc_spot', 'svc_paid'])(
      '[LIV-112] a completion after the business has removed %s answers slot_unavailable with the checkout, and charges nothing',
      async (service) => {
        const body = await opened(service)
        const asked = shop.stripe.asked.length
        const services = definition.services.filter(({ id }) => id !== service)
        await applyNow(shop, { ...definition, services })
        const refused = await (service === 'svc_paid' ? platform.pay(body.id) : platform.complete(body.id))
        expect([refused.id, refused.status, codes(refused)]).toEqual([body.id, 'incomplete', ['slot_unavailable']])
        expect([refused.messages[0].path, shop.stripe.asked.length]).toEqual(['$.booking.slot', asked])
        expect(await shop.charges(body.id)).toEqual([])
        expect((await platform.get(body.id)).id).toBe(body.id)
      },
    )

    test('[LIV-113] [LIV-114] money that comes in after the business has removed the service goes back', async () => {
      const body = await opened()
      const before = shop.kept()
      await shop.pay(body.id, shop.stripe.grant({ card: 'asks_buyer' }))
      await applyNow(shop, { ...definition, services: definition.services.filter(({ id }) => id !== 'svc_paid') })
      await shop.tell(shop.stripe.confirmAtBank(shop.stripe.intents.at(-1)))
      await shop.reconcile()
      expect((await shop.charges(body.id)).map(({ status }) => status)).toEqual(['reversed'])
      expect(shop.kept() - before).toBe(0)
      await shop.expectSound()
    })
  },
)
