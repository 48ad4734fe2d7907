import { expect, test } from 'vitest'
import type { Booking, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { NINE_TO_SIX, services, withPolicies } from './shop.ts'

type Pricing = ServiceDefinition['pricing']
const RANGE = { range: { min: 'PT30M', max: 'PT90M', step: 'PT30M' } }

const priced = (id: string, pricing: Partial<Pricing>, more: Partial<ServiceDefinition> = {}) =>
  withPolicies(
    id,
    { payment_timing: pricing.deposit ? 'deposit_required' : 'at_booking' },
    { duration: RANGE, ...more, pricing: { model: 'fixed', currency: 'USD', ...pricing } },
  )

const deposit = (type: 'fixed' | 'percentage', value: number) => ({ type, value, refundable: true })

const definition = businessWith(
  [
    priced('svc_fixed', { amount: 5000 }),
    priced('svc_hourly', { model: 'hourly', amount: 6000 }),
    priced('svc_head', { model: 'per_person', amount: 2500 }),
    priced('svc_share', { amount: 7550, deposit: deposit('percentage', 25) }),
    priced('svc_advance', { amount: 7550, deposit: deposit('fixed', 2000) }),
    priced('svc_cheap', { amount: 7550, deposit: deposit('fixed', 2000) }, { price_rules: [{ amount: 1500 }] }),
    priced(
      'svc_varies',
      { model: 'variable', amount: 9900 },
      {
        price_rules: [
          { from: '15:00', amount: 14000 },
          { from: '12:00', percent: 90 },
        ],
      },
    ),
    ...services.filter(({ id }) => id === 'svc_free'),
  ],
  { hours: NINE_TO_SIX },
)

await onBothDesks(
  () => testShop(definition),
  (desk) => {
    const booked = async (id: string, minutes: number, party_size: number): Promise<Booking> => {
      const slots = await desk.slots(id)
      const slot = slots.find(({ duration }: { duration: string }) => duration === `PT${minutes}M`)
      return (await desk.book(slot, { party_size })).data.booking
    }

    test.each([
      ['CAT-102', 'svc_fixed', 30, 1, 5000, 5000],
      ['CAT-102', 'svc_fixed', 90, 1, 5000, 5000],
      ['CAT-102', 'svc_fixed', 60, 4, 5000, 5000],
      ['CAT-103', 'svc_hourly', 90, 1, 9000, 9000],
      ['CAT-103', 'svc_hourly', 30, 3, 3000, 3000],
      ['CAT-104', 'svc_head', 30, 3, 7500, 7500],
      ['CAT-104', 'svc_head', 90, 1, 2500, 2500],
      ['CAT-107', 'svc_share', 60, 1, 7550, 1888],
      ['CAT-107', 'svc_advance', 60, 1, 7550, 2000],
      ['PAY-010', 'svc_cheap', 60, 1, 1500, 1500],
    ])('[%s] a booking of %s for %i minutes and %i people costs %i, %i of it now', async (...row) => {
      const [, id, minutes, party, amount, amount_due] = row
      expect((await booked(id, minutes, party)).payment).toMatchObject({ amount, amount_due, currency: 'USD' })
    })

    test.each(['paid', 'deposit_paid'])(
      '[PAY-010] a deposit of the whole price is paid in full by a report of %s',
      async (status) => {
        const booking = await booked('svc_cheap', 60, 1)
        const { data } = await desk.pay(booking, { status })
        expect(data.booking).toMatchObject({
          status: 'confirmed',
          payment: { status: 'paid', amount: 1500, amount_paid: 1500, amount_due: 0, deposit_amount: 1500 },
        })
      },
    )

    test('[CAT-105] every slot of a variable price names one, and that is what its booking costs', async () => {
      const slots = await desk.slots('svc_varies', { end_date: '2026-11-24' })
      const at = (time: string) => slots.find(({ start }: { start: string }) => start.includes(`T${time}`))
      for (const { pricing } of slots) expect(pricing).toMatchObject({ amount: expect.any(Number), currency: 'USD' })
      for (const [time, amount] of [
        ['09:00', 9900],
        ['12:00', 8910],
        ['15:00', 14000],
      ] as const) {
        expect(at(time).pricing.amount).toBe(amount)
        expect((await desk.book(at(time))).data.booking.payment).toMatchObject({ amount, amount_due: amount })
      }
    })

    test('[CAT-106] what is free has no price in its slots and asks for no payment', async () => {
      const slots = await desk.slots('svc_free')
      for (const slot of slots) expect(slot).not.toHaveProperty('pricing')
      const { booking } = (await desk.book(slots[0])).data
      for (const member of ['payment', 'actions']) expect(booking).not.toHaveProperty(member)
    })
  },
)
