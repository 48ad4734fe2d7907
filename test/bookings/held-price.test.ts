import { expect, test } from 'vitest'
import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, type Shop, testShop } from '../support/desk.ts'

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const usual = service('svc').policies
const rescheduling = { allowed: true }
const priced = (id: string, amount: number, more: Partial<ServiceDefinition> = {}): ServiceDefinition =>
  service(id, {
    pricing: { model: 'fixed', amount, currency: 'USD' },
    policies: { ...usual, payment_timing: 'at_booking', rescheduling },
    ...more,
  })

const deposit = (value: number, refundable = true): Partial<ServiceDefinition> => ({
  pricing: { model: 'fixed', amount: 10000, currency: 'USD', deposit: { type: 'fixed', value, refundable } },
  policies: { ...usual, payment_timing: 'deposit_required' },
})
const evening = (amount: number) => ({ price_rules: [{ name: 'Evening', from: '17:00', amount }] })
const shop = (services: ServiceDefinition[], percent = 10): BusinessDefinition =>
  businessWith(services, {
    hours: [{ days: [...EVERY_DAY], opens: '09:00', closes: '19:00' }],
    payments: { tax: { percent, included: false } },
  })

await onBothDesks(
  () => testShop(shop([priced('svc', 10000)])),
  (desk, { apply, runtime }: Shop) => {
    const offered = async (services: ServiceDefinition[], percent?: number) => {
      await apply(shop(services, percent))
      await runtime.business.seenBy(runtime.db)
    }
    let nth = 0
    const slot = async (time = 'T10:') =>
      (await desk.slots('svc')).filter(({ start }) => start.includes(time))[nth++ % 7]
    const held = async (time?: string) => {
      const one = await slot(time)
      return { one, hold_id: (await desk.hold(one)).data.hold.id }
    }
    const free = priced('svc', 0, {
      pricing: { model: 'free', currency: 'USD' },
      policies: (({ payment_timing: _, ...rest }) => ({ ...rest, requires_payment: false }))(usual),
    })

    test.each<[string, ServiceDefinition, ServiceDefinition, object, number?]>([
      [
        'what was shown, though it costs more by now',
        priced('svc', 10000),
        priced('svc', 15000),
        { amount: 10000, amount_due: 11000 },
      ],
      [
        'less, since it costs less by now',
        priced('svc', 10000),
        priced('svc', 8000),
        { amount: 8000, amount_due: 8800 },
      ],
      [
        'the tax that was shown',
        priced('svc', 10000),
        priced('svc', 10000),
        { tax_amount: 1000, amount_due: 11000 },
        20,
      ],
      [
        'by the model that was shown',
        priced('svc', 10000),
        priced('svc', 10000, { pricing: { model: 'hourly', amount: 90000, currency: 'USD' } }),
        { amount: 10000 },
      ],
      [
        'in the currency that was shown',
        priced('svc', 10000),
        priced('svc', 9000, { pricing: { model: 'fixed', amount: 9000, currency: 'EUR' } }),
        { amount: 10000, currency: 'USD' },
      ],
      [
        'the deposit that was shown',
        priced('svc', 0, deposit(2000)),
        priced('svc', 0, deposit(5000)),
        { deposit_amount: 2000, amount_due: 2000 },
      ],
      [
        'a lower deposit',
        priced('svc', 0, deposit(2000)),
        priced('svc', 0, deposit(1000)),
        { deposit_amount: 1000, amount_due: 1000 },
      ],
      [
        'no deposit above that which was shown, though the price fell',
        priced('svc', 0, deposit(2000)),
        priced('svc', 0, {
          ...deposit(3000),
          pricing: { ...deposit(3000).pricing, model: 'fixed', currency: 'USD', amount: 9000 },
        }),
        { amount: 10000, amount_due: 2000 },
      ],
      [
        'nothing in advance where it was to be paid on the spot',
        priced('svc', 10000, { policies: usual }),
        priced('svc', 9000),
        { timing: 'at_service', amount: 10000, amount_due: 0 },
      ],
    ])('[price of a held slot] the buyer pays %s', async (_, before, after, payment, percent = 10) => {
      await offered([before])
      const { one, hold_id } = await held()
      await offered([after], percent)
      const { booking } = (await desk.book(one, { hold_id })).data
      expect(booking.payment).toMatchObject(payment)
      const action = booking.actions?.[0]
      if (action) expect(action.payment_context.amount_due).toBe(booking.payment.amount_due)
      await desk.cancel(booking.id)
    })

    test('[PAY-014] of a price without tax the payment says nothing of tax', async () => {
      await offered([priced('svc', 10000)], 0)
      const { booking } = (await desk.book(await slot())).data
      expect(booking.actions[0].payment_context).toMatchObject({ amount_due: 10000 })
      expect(booking.actions[0].payment_context).not.toHaveProperty('tax_amount')
      expect(booking.payment).not.toHaveProperty('tax_amount')
      await desk.cancel(booking.id)
      nth--
    })

    test('[price of a held slot] what was free stays free, and what has become free is', async () => {
      await offered([free])
      const first = await held()
      await offered([priced('svc', 10000)])
      expect((await desk.book(first.one, { hold_id: first.hold_id })).data.booking).toMatchObject({
        status: 'confirmed',
      })
      const second = await held()
      await offered([free])
      const { booking } = (await desk.book(second.one, { hold_id: second.hold_id })).data
      expect([booking.status, booking.payment]).toEqual(['confirmed', undefined])
    })

    test('[price of a held slot] without a hold the price of the moment is charged', async () => {
      await offered([priced('svc', 10000)])
      const one = await slot()
      await offered([priced('svc', 15000)])
      expect((await desk.book(one)).data.booking.payment.amount).toBe(15000)
    })

    test('[price of a held slot] a move to a held slot asks for the difference to what was shown', async () => {
      await offered([priced('svc', 10000, evening(12000))])
      const { booking } = (await desk.book(await slot())).data
      await desk.pay(booking)
      const { one, hold_id } = await held('T17:')
      await offered([priced('svc', 10000, evening(19000))])
      const moved = (await desk.reschedule(booking.id, one, { hold_id })).data.booking
      expect(moved.payment).toMatchObject({ amount: 12000, amount_due: 2200 })
    })

    test('[price of a held slot] a hold that was taken by an older server has the price of the moment', async () => {
      await offered([priced('svc', 10000)])
      const { one, hold_id } = await held()
      await runtime.db.updateTable('holds').set({ price: null }).where('id', '=', hold_id).execute()
      await offered([priced('svc', 15000)])
      expect((await desk.book(one, { hold_id })).data.booking.payment.amount).toBe(15000)
    })
  },
)
