import { expect, test } from 'vitest'
import { rangeNotices } from '../../src/availability/notices.ts'
import { planOf } from '../../src/availability/plan.ts'
import { scheduledTimes } from '../../src/availability/scheduled-times.ts'
import { DAY } from '../../src/time/units.ts'
import { START } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'
import { closures, rental, tenYearsOfDaysOff } from './large-definitions.ts'

/** Milliseconds of processor time. */
const AT_MOST = 60

test.each([
  ['50 bikes for up to 14 days, each with 100 days in the workshop', rental],
  ['100 people with 520 days off each', tenYearsOfDaysOff],
  ['1,500 closures of ten places', closures],
])('[no stored value stalls the server] a day of %s', (_, definition) => {
  const turns = Array.from({ length: 4 }, (_, nth) => {
    const plan = planOf(definition(), 'svc_one')
    if (!plan) throw new Error('There is no service')
    const from = START.getTime() + (nth + 10) * DAY
    const before = process.threadCpuUsage()
    const times = scheduledTimes(plan, [from, from + DAY])
    rangeNotices(plan, [from, from + 31 * DAY])
    const { user, system } = process.threadCpuUsage(before)
    expect(times.length).toBeGreaterThan(1000)
    return (user + system) / 1000
  })
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
})
