import { expect, test } from 'vitest'
import { HintRun } from '../../src/domain/availability/hints/cached-free-time-counts.ts'
import { countTimes } from '../../src/domain/availability/hints/count-free-times.ts'
import { hintDays } from '../../src/domain/availability/hints/free-and-full-time-counter.ts'
import { planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const classes = (starts: string[]) =>
  service('svc_class', {
    type: 'group',
    capacity: { max: 1 },
    sessions: starts.map((time) => ({ days: ['tuesday'], starts: time })),
  })

test.each([
  ['morning', ['00:00', '11:59']],
  ['afternoon', ['12:00', '16:59']],
  ['evening', ['17:00', '23:00']],
])('[WTL-056] hints have the hours of the waitlist: the %s begins and ends on the minute', async (part, starts) => {
  const definition = businessWith([classes(starts)])
  const { runtime, time } = await testServer(definition)
  const plan = planOf(await runtime.business.get(), 'svc_class')
  if (!plan) throw new Error('There is no such service')
  const coming = hintDays(plan.zone, '2026-11-24', { summary: 1, all: 1 })
  const { days } = await countTimes(runtime.db, plan, { days: coming, now: time.now }, new HintRun())
  expect(days).toEqual([{ date: '2026-11-24', parts: { [part]: { all: 2, free: 2 } } }])
})
