import { expect, test } from 'vitest'
import { scheduledTimes } from '../../src/domain/availability/cached-scheduled-times.ts'
import { planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { slotAmount } from '../../src/domain/pricing/slot-price.ts'
import { englishLocalizer } from '../../src/infra/i18n/localizer.ts'
import { DAY } from '../../src/infra/time/time-units.ts'
import { servicesPage } from '../../src/interfaces/booking-flow/services-page.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { START, testServer } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'
import { priceRules, salon } from './large-definitions.ts'

/** Milliseconds of processor time. */
const AT_MOST = 60

test('[no stored value stalls the server] a day of 9,600 times with 500 price rules', () => {
  const turns = Array.from({ length: 3 }, (_, nth) => {
    const plan = planOf(priceRules(), 'svc_one')
    if (!plan) throw new Error('There is no service')
    const from = START.getTime() + nth * DAY
    const times = scheduledTimes(plan, [from, from + DAY])
    const before = process.threadCpuUsage()
    const amounts = new Set(times.map((time) => slotAmount(plan, time)))
    const { user, system } = process.threadCpuUsage(before)
    // For half of them there is no rule, and for the others the first.
    expect([...amounts]).toEqual([7500, 3750])
    return (user + system) / 1000
  })
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
})

test('[no stored value stalls the server] the list of 200 services of 500 people each, all with prices by the day', async () => {
  const { runtime } = await testServer()
  const services = Array.from({ length: 200 }, (_, nth) => ({ id: `svc_${nth}`, amount: 5_000 + nth }))
  const turns: number[] = []
  for (let round = 0; round < 3; round++) {
    const definition = manyPriced(services)
    const visit = { visitor: `visit_${round}`, peer: { address: '192.0.2.1' } }
    const end = longestTurn()
    const { body } = await servicesPage(
      definition,
      new URLSearchParams(),
      { localizer: englishLocalizer(), visit },
      runtime,
    )
    turns.push(end())
    expect(body.text.match(/from \$50\.00/gi)).toHaveLength(1)
    expect(body.text.match(/<article/g)).toHaveLength(200)
  }
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
}, 60_000)

const manyPriced = (services: { id: string; amount: number }[]): BusinessDefinition => {
  const definition = salon({ people: 500, interval: 'PT1H' })
  const [one] = definition.services
  if (!one) throw new Error('There is no service')
  const priced = (amount: number) => ({ price_rules: [{ name: 'Friday', days: ['friday' as const], amount }] })
  return { ...definition, services: services.map(({ id, amount }) => ({ ...one, id, ...priced(amount) })) }
}
