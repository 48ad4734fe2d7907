import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectMembers } from '../../run/expectations.ts'
import { millisecondsOf, type Slot } from '../../target/free-slots.ts'
import { isShared } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { pricingOf } from '../core/service-facts.ts'
import { minorUnits } from '../payments/payment-steps.ts'
import { hasSpots } from '../transactions/slots-and-bookings.ts'
import {
  type Checkout,
  isPlain,
  needs,
  openCheckout,
  selectedTerm,
  serviceWith,
  soldService,
  totalOf,
} from './checkout-steps.ts'
import { dueNow } from './payment-instruments.ts'

const PEOPLE = 2
const HOUR_MS = 3_600_000

interface Model {
  rules: string
  title: string
  name: string
  /** The expected price of the checkout, from the price of the slot or the service. */
  priceOf: (unit: number, slot: Slot) => number
  people?: number
}

const models: Model[] = [
  {
    rules: 'CAT-102 PAY-013',
    title: 'A checkout of a service with a fixed price costs this price',
    name: 'fixed',
    priceOf: (unit) => unit,
  },
  {
    rules: 'CAT-103',
    title: 'A checkout of a service with an hourly price costs the price of the hours of its slot',
    name: 'hourly',
    priceOf: (unit, { duration }) => Math.round((unit * millisecondsOf(duration)) / HOUR_MS),
  },
  {
    rules: 'CAT-104',
    title: 'A checkout of a service with a price per person costs the price of all people',
    name: 'per_person',
    priceOf: (unit) => unit * PEOPLE,
    people: PEOPLE,
  },
  {
    rules: 'CAT-105',
    title: 'A checkout of a service with varying prices costs the price of its slot',
    name: 'variable',
    priceOf: (unit) => unit,
  },
]

/** Creates a checkout of a plain service with this price model. */
async function openPriced(c: CheckContext, { name, people }: Pick<Model, 'name' | 'people'>) {
  const service = soldService(c, `service with the price model ${name}`, (one) => {
    return isPlain(one) && pricingOf(one).model === name && (people === undefined || isShared(one))
  })
  if (people === undefined) return openCheckout(c, service)
  return openCheckout(c, service, { where: hasSpots(people), changes: { booking: { party_size: people } } })
}

/** Requires totals that add up, and a line item that explains the subtotal. */
function expectSum(checkout: Checkout, { service }: { service: Members }): void {
  const totals = expectList(checkout.totals, 'totals')
  const parts = totals
    .filter(({ type }) => type !== 'total')
    .map(({ amount }) => minorUnits(amount, 'amount of a total'))
  const sum = parts.reduce((total, amount) => total + amount, 0)
  expectEqual(totalOf(checkout, 'total'), sum, 'the sum of the totals')
  const [line = {}, ...more] = expectList(checkout.line_items, 'line_items')
  const item = expectMembers(line.item, 'item')
  expectEqual([item.id, more], [service.id, []], 'the services in line_items')
  expectEqual(Number(item.price) * Number(line.quantity), totalOf(checkout, 'subtotal'), 'price times quantity')
  expectEqual(checkout.currency, pricingOf(service).currency, 'currency')
}

export const checkoutPriceChecks = [
  ...models.map(({ rules, title, name, priceOf, people }) =>
    check(
      rules,
      title,
      async (c) => {
        const { service, slot, checkout } = await openPriced(c, { name, ...(people !== undefined && { people }) })
        const { amount } = expectMembers(slot.pricing ?? service.pricing, 'the price')
        const expected = priceOf(minorUnits(amount, 'the price'), slot)
        expectEqual(totalOf(checkout, 'subtotal'), expected, 'the subtotal')
        expectSum(checkout, { service })
      },
      { needs },
    ),
  ),
  check(
    'CAT-106',
    'A checkout of a free service costs nothing, and has neither terms nor ways to pay',
    async (c) => {
      const { service, checkout } = await openPriced(c, { name: 'free' })
      expectEqual(totalOf(checkout, 'total'), 0, 'the total')
      expectSum(checkout, { service })
      expectEqual([checkout.settlement, selectedTerm(checkout)], [undefined, undefined], 'settlement and term')
      expectEqual(dueNow(checkout), 0, 'the amount that is due now')
    },
    { needs },
  ),
  check(
    'PAY-007',
    'A checkout of a service that is paid at the booking asks for the whole price now',
    async (c) => {
      const { checkout } = await openCheckout(c, serviceWith(c, 'at_booking'))
      expectEqual(dueNow(checkout), totalOf(checkout, 'total'), 'the amount that is due now')
      expectEqual(checkout.settlement, undefined, 'settlement')
    },
    { needs },
  ),
]
