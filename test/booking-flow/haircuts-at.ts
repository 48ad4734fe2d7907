import { expect } from 'vitest'
import { planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { timesAt } from '../../src/interfaces/booking-flow/search-free-times.ts'
import { fairestFirst } from '../../src/interfaces/booking-flow/sort-times-by-workload.ts'
import { choiceOf } from '../../src/interfaces/booking-flow/visitor-choices.ts'
import type { TestServer } from '../support/server.ts'
import { salon } from './visitor.ts'

/** Says, each time it is asked, who comes first for a haircut then of the two who could. */
export async function haircutsAt({ runtime: { db }, time: { now } }: TestServer, start: number) {
  const plan = planOf(salon(), 'svc_haircut')
  if (!plan) throw new Error('there are no haircuts')
  const choice = choiceOf(plan, new URLSearchParams({ place: 'loc_downtown' }))
  const times = await timesAt(db, plan, { choice, now }, { start, end: start + 3_600_000 })
  expect(times).toHaveLength(2)
  return async () => (await fairestFirst(db, plan, times, now))[0]?.picks
}
