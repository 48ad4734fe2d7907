import { expect, test } from 'vitest'
import type { Pricing, Service } from '../../src/protocol/types.generated.ts'
import { tillDefinition } from '../bookings/till.ts'
import { service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'

/** The members that are amounts, wherever they stand. */
const AMOUNTS =
  /^(amount|amount_due|amount_paid|deposit_amount|tax_amount|fee|late_cancellation_fee|refund_amount|refund_total)$/

function amountsIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    ...(AMOUNTS.test(name) ? [member] : []),
    ...amountsIn(member),
  ])
}

/** Every number in these objects is an amount, or a share of one. */
const priceMembers = (pricing: Pricing) => [
  ...(pricing.amount === undefined ? [] : [pricing.amount]),
  ...(pricing.price_range ? [pricing.price_range.min, pricing.price_range.max] : []),
  ...(pricing.deposit ? [pricing.deposit.value] : []),
]

await onBothDesks(
  () =>
    testShop({
      ...tillDefinition,
      services: [
        ...tillDefinition.services,
        service('svc_from_to', {
          pricing: { model: 'variable', currency: 'USD', price_range: { min: 2000, max: 5000 } },
        }),
      ],
    }),
  (desk) => {
    test('[LIV-050] the server writes each amount as a number', async () => {
      const { data: list } = await desk.call('usp_services_list', {}, { as: {} })
      const slots = await desk.slots('svc_paid')
      const { data: booked } = await desk.book(slots[0])
      const { data: paid } = await desk.pay(booked.booking, { amount_paid: String(booked.booking.payment.amount_due) })
      const { data: canceled } = await desk.cancel(booked.booking.id)
      for (const answer of [list, slots, booked, paid, canceled]) {
        const amounts = amountsIn(answer)
        expect(amounts.length).toBeGreaterThan(0)
        for (const amount of amounts) expect(Number.isInteger(amount)).toBe(true)
      }
    })

    test('[LIV-050] price ranges and deposits are numbers in the catalogue and in the feed', async () => {
      const { data: list } = await desk.call('usp_services_list', { pagination: { limit: 50 } }, { as: {} })
      const { data: feed } = await desk.call('usp_services_feed', { limit: 200 }, { as: {} })
      const services: Service[][] = [list.services, feed.items.map(({ data }: { data: Service }) => data)]
      for (const some of services) {
        const read = Object.fromEntries(some.map(({ id, pricing }) => [id, priceMembers(pricing)]))
        expect(read).toMatchObject({ svc_from_to: [2000, 5000], svc_deposit: [12_000, 25], svc_paid: [12_000] })
        for (const amount of Object.values(read).flat()) expect(amount).toSatisfy(Number.isFinite)
      }
    })

    test.each([
      ['a page size', 'usp_services_list', { pagination: { limit: '5' } }, 'pagination.limit'],
      ['a party size in a query', 'usp_availability_query', { service_id: 'svc_class', party_size: '1' }, 'party_size'],
    ])('[LIV-051] %s in digits is refused', async (_, tool, input, field) => {
      const days = tool === 'usp_availability_query' ? { start_date: '2026-11-24', end_date: '2026-11-24' } : {}
      const said = await desk.call(tool, { ...input, ...days }, { as: {} })
      expect([said.code, said.data.errors[0].field]).toEqual(['validation_error', field])
    })

    test('[LIV-051] counts of a hold and of a booking in digits are refused', async () => {
      const [slot] = await desk.slots('svc_class')
      expect((await desk.hold(slot, { spots: '1' })).code).toBe('validation_error')
      expect((await desk.book(slot, { party_size: '1' })).code).toBe('validation_error')
      expect((await desk.slots('svc_class'))[0]).toEqual(slot)
    })
  },
)
