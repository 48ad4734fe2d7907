import { expect, test } from 'vitest'
import { availableTimes } from '../../src/domain/availability/available-times.ts'
import { rangeNotices } from '../../src/domain/availability/closure-and-party-notices.ts'
import { planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { DAY } from '../../src/infra/time/time-units.ts'
import { START } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'
import {
  anybody,
  closures,
  comingAndGoing,
  hall,
  mostTimes,
  rental,
  specialDays,
  tenYearsOfDaysOff,
} from './large-definitions.ts'

/** Milliseconds of processor time. */
const AT_MOST = 60

test.each([
  ['50 bikes for up to 14 days, each with 100 days in the workshop', rental],
  ['100 people with 520 days off each', tenYearsOfDaysOff],
  ['1,500 closures of ten places', closures],
  ['ten places and 20 people with 1,000 special days each', specialDays],
  ['500 people of whom anybody will do', anybody],
  ['40,000 times', mostTimes],
  ['20 rooms for up to a week', hall],
  ['100 people who come and go fifty times a day', comingAndGoing],
])('[no stored value stalls the server] a day of %s', (_, definition) => {
  const turns = Array.from({ length: 4 }, (_, nth) => {
    const plan = planOf(definition(), 'svc_one')
    if (!plan) throw new Error('There is no service')
    const from = START.getTime() + (nth + 10) * DAY
    const before = process.threadCpuUsage()
    const times = availableTimes(plan, new Map(), [from, from + DAY])
    rangeNotices(plan, [from, from + 31 * DAY])
    const { user, system } = process.threadCpuUsage(before)
    expect(times.length).toBeGreaterThan(200)
    return (user + system) / 1000
  })
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
})
