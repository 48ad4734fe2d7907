import { expect, test } from 'vitest'
import { firstAvailableTime } from '../../src/domain/availability/find-available-times.ts'
import { planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { slotId } from '../../src/domain/availability/time-slot-response.ts'
import { FreeSlots } from '../../src/domain/waitlist/free-slots.ts'
import type { Tag } from '../../src/protocol/keyed-digest.ts'
import { START, testServer } from '../support/server.ts'
import { mostTimes } from './large-definitions.ts'

/** As many times a day as there may be, of which nobody has taken any. */
const definition = mostTimes()
const DAYS = 3
const MOST_KEPT = 50_000

const { runtime } = await testServer(definition)
const plan = planOf(definition, 'svc_one')
const until = START.getTime() + DAYS * 24 * 3_600_000
let signed = 0
const tag: Tag = (...given) => {
  signed++
  return runtime.tag(...given)
}
const free = () => {
  if (!plan) throw new Error('There is no such service')
  return new FreeSlots(plan, { within: [[START.getTime(), until]], includes: () => true }, tag, START)
}
const first = async (wish: { slot_id: string | null; preferred: { start_date: string }[] | null }) => {
  for await (const slot of free().wantedBy(runtime.db, wish)) return slot
}

test('[no stored value fills memory] of millions of free times few are kept for those who wait', async () => {
  const parts = await free().parts(runtime.db)
  const kept = parts.reduce((sum, { slots = [] }) => sum + slots.length, 0)
  expect(kept).toBeGreaterThan(0)
  expect(kept).toBeLessThanOrEqual(MOST_KEPT)
  expect(parts.some(({ slots }) => slots === undefined)).toBe(true)
})

test('[no stored value fills memory] who waits for a time that is not kept has it all the same', async () => {
  const slot = await first({ slot_id: null, preferred: [{ start_date: '2026-11-23' }] })
  expect(slot?.time.start).toBe(Date.parse('2026-11-23T00:00:00-05:00'))
})

test('[no stored value stalls the server] who waits for one slot has no others signed to be compared with it', async () => {
  const times = await free().parts(runtime.db)
  const time = times.at(-1)?.from ?? 0
  const end = time + 30 * 60_000
  const id = slotId(runtime.tag, { service: 'svc_one', start: time, end, location: undefined, picks: ['staff_400'] })
  signed = 0
  expect((await first({ slot_id: id, preferred: null }))?.time.start).toBe(time)
  expect(signed).toBeLessThan(10)
})

test('[no single request stalls the server] a calendar is not read to its end for a time that nobody has', async () => {
  let looked = 0
  const fits = () => {
    looked++
    return false
  }
  const search = { range: [START.getTime(), until] as const, party: 1, now: START, fits }
  expect(plan && (await firstAvailableTime(runtime.db, plan, search, 2))).toBeUndefined()
  expect(looked).toBeLessThanOrEqual(2 * 40_000)
})
