import { expect, test } from 'vitest'
import { scheduledPriceRange } from '../../src/domain/availability/scheduled-price-range.ts'
import { narrowPlan, planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { englishLocalizer } from '../../src/infra/i18n/localizer.ts'
import { leastPrice } from '../../src/interfaces/booking-flow/service-description-texts.ts'
import type { PriceRule } from '../../src/protocol/types.generated.ts'
import { salon } from '../hostile/large-definitions.ts'
import { START } from '../support/server.ts'

/** So many people work the whole day, at prices that these rules change. */
function plan(people: number, ...price_rules: PriceRule[]) {
  const definition = salon({ people, interval: 'PT30M' })
  const [one] = definition.services
  if (one) one.price_rules = price_rules
  const found = planOf(definition, 'svc_one')
  if (!found) throw new Error('There is no service')
  return found
}

test.each([1, 500])(
  '[the price from which] a service of %i people can be had, on whatever day of the week that is',
  async (people) => {
    const dearer = plan(people, { name: 'Thursday', days: ['thursday'], amount: 9_900 })
    expect(await scheduledPriceRange(dearer, START)).toEqual({ least: 7_500, most: 9_900 })
    const cheaper = plan(people, { name: 'Late', from: '20:00', amount: 2_500 })
    expect(await scheduledPriceRange(cheaper, START)).toEqual({ least: 2_500, most: 7_500 })
  },
)

test('[the price from which] a season counts while it is to be had in the next weeks, and not before or after', async () => {
  const span = (season: PriceRule['season']) =>
    scheduledPriceRange(plan(1, { ...(season && { season }), amount: 2_500 }), START)
  const usual = { least: 7_500, most: 7_500 }
  expect(await span({ to: '2026-11-19' })).toEqual(usual)
  expect(await span({ from: '2027-03-01' })).toEqual(usual)
  expect(await span({ from: '2026-12-01', to: '2026-12-02' })).toEqual({ least: 2_500, most: 7_500 })
  expect(await span({ from: '2026-11-01' })).toEqual({ least: 2_500, most: 2_500 })
})

test('[the price from which] the last of hundreds takes less, and only of whom it was asked for is it named', async () => {
  const one = plan(500, { name: 'Trainee', resources: ['staff_499'], percent: 50 })
  expect(await scheduledPriceRange(one, START)).toEqual({ least: 3_750, most: 7_500 })
  const only = (id: string) => scheduledPriceRange(narrowPlan(one, { ids: [id] }), START)
  expect(await only('staff_499')).toEqual({ least: 3_750, most: 3_750 })
  expect(await only('staff_0')).toEqual({ least: 7_500, most: 7_500 })
})

test('[the price from which] several people who can be had at one time take money for it is the least of them', () => {
  const one = plan(2, { name: 'Trainee', resources: ['staff_1'], percent: 50 })
  const at = (...picks: string[]) => ({ start: 0, end: 1, location: undefined, picks, choices: () => [] })
  expect(leastPrice(englishLocalizer(), one, [at('staff_0'), at('staff_1')])).toBe('from $37.50')
  expect(leastPrice(englishLocalizer(), one, [at('staff_0')])).toBe('$75.00')
})
