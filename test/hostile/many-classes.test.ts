import { expect, test } from 'vitest'
import { syncSessions } from '../../src/definition/sync-sessions.ts'
import { EVERY_DAY } from '../availability/week.ts'
import { businessWith, service } from '../support/definitions.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { testServer } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'

const CLASSES = 400
/** Milliseconds of processor time; all in one go it takes more than ten times that. */
const AT_MOST = 60

/** While it is closed, so that none of them has to be written. */
const yoga = service('svc_yoga', {
  ...{ type: 'group', capacity: { max: 3 } },
  sessions: Array.from({ length: CLASSES }, (_, nth) => ({
    ...{ starts: `0${nth % 7}:${10 + (nth % 50)}`, days: EVERY_DAY },
  })),
})
yoga.policies.booking_window.max_advance = 'P1Y'
const hours = [{ days: EVERY_DAY, opens: '09:00', closes: '18:00' }]
const { runtime, time } = await testServer(businessWith([yoga], { hours }))

test('[no stored value stalls the server] four hundred daily classes for a year ahead', async () => {
  const turns: number[] = []
  for (let attempt = 0; attempt < 3; attempt++) {
    const longest = longestTurn()
    await syncSessions(runtime, time.now)
    turns.push(longest())
  }
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
})
