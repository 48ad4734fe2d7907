import { expect, test } from 'vitest'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { mcpDesk, restDesk } from '../support/desk.ts'
import { onBothUcpBindings, recordOf } from './both-bindings.ts'
import { tokenShop } from './paid-shop.ts'
import { paid, percentDeposit, ucpDefinition } from './ucp-shop.ts'

const manual = (service: typeof paid) => ({
  ...service,
  policies: { ...service.policies, confirmation_mode: 'manual' as const },
})
const definition = ucpDefinition([manual(paid), manual(percentDeposit)], { payments: { provider: 'stripe' } })

await onBothUcpBindings(
  (options) => tokenShop(definition, options),
  (platform, shop) => {
    const desk = platform.binding === 'REST' ? restDesk(shop) : mcpDesk(shop)
    const decline = (booking_id: string) =>
      desk.call('usp_business_bookings_decline', { booking_id }, { as: shop.staff })
    const orderOf = async (id: string) => (await shop.send('GET', `/orders/${id}`)).body

    /** A checkout that is paid, and whose booking waits for the approval of the business. */
    async function awaiting(service: string, price: number) {
      const before = shop.kept()
      const { id } = await platform.create(await shop.lastSlot(service))
      const done = await platform.pay(id)
      expect([done.status, done.booking.booking_status, done.booking.confirmation_mode]).toEqual([
        'completed',
        'pending',
        'manual',
      ])
      expect(shop.kept() - before).toBe(price)
      await shop.reconcile()
      const { data } = await desk.get(done.booking.booking_id, { as: shop.ucp })
      expect([data.booking.status, shop.kept() - before]).toEqual(['pending', price])
      await shop.expectSound()
      return { done, bookingId: done.booking.booking_id, kept: () => shop.kept() - before }
    }

    test.each([
      ['svc_paid', 12_000],
      ['svc_percent', 4_000],
    ] as const)(
      '[LIV-114] an approval of the paid %s keeps the money, and asks for no more',
      async (service, price) => {
        const { bookingId, kept } = await awaiting(service, price)
        const { data } = await desk.confirm(bookingId)
        expect(data.booking.status).toBe('confirmed')
        await shop.reconcile()
        expect(kept()).toBe(price)
        expect(await recordOf(shop, bookingId)).toMatchObject({ payment: { due: 0, received: [{ amount: price }] } })
        await shop.expectSound()
      },
    )

    test.each([
      ['svc_paid', 12_000],
      ['svc_percent', 4_000],
    ] as const)('[LIV-114] a decline of the paid %s refunds everything', async (service, price) => {
      const { done, bookingId, kept } = await awaiting(service, price)
      expect((await decline(bookingId)).data.booking.status).toBe('canceled')
      await shop.reconcile()
      expect(kept()).toBe(0)
      expect((await orderOf(done.order.id)).adjustments).toEqual([
        expect.objectContaining({ type: 'cancellation' }),
        expect.objectContaining({ type: 'refund', status: 'completed', totals: [{ type: 'total', amount: -price }] }),
      ])
      await shop.expectSound()
    })

    test('[LIV-114] a paid booking that nobody approves in time lapses, and everything is refunded', async () => {
      const { bookingId, kept } = await awaiting('svc_paid', 12_000)
      shop.minutesLater(24 * 60)
      await expireOverdue(shop.runtime, shop.time.now)
      await shop.reconcile()
      const stored = (await shop.bookings()).find(({ id }) => id === bookingId)
      expect([stored?.status, kept()]).toEqual(['canceled', 0])
      expect((await desk.confirm(bookingId)).code).toBe('invalid_transition')
      await shop.expectSound()
    })

    test('[LIV-114] the buyer can cancel before the approval, and gets everything back', async () => {
      const { bookingId, kept } = await awaiting('svc_paid', 12_000)
      expect((await desk.cancel(bookingId, {}, { as: shop.ucp })).data.booking.status).toBe('canceled')
      await shop.reconcile()
      expect(kept()).toBe(0)
      await shop.expectSound()
    })
  },
)
