import { expect, test } from 'vitest'
import { planOf } from '../../src/availability/plan.ts'
import { scheduledTimes } from '../../src/availability/scheduled-times.ts'
import { slotAmount } from '../../src/availability/slot-price.ts'
import { DAY } from '../../src/time/units.ts'
import { START } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'
import { priceRules } from './large-definitions.ts'

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
