import { expect, test } from 'vitest'
import { syncSessions } from '../../src/domain/definition/sync-class-sessions.ts'
import { englishLocalizer } from '../../src/infra/i18n/localizer.ts'
import { servicesPage } from '../../src/interfaces/booking-flow/services-page.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { EVERY_DAY } from '../availability/week.ts'
import { businessWith, service } from '../support/definitions.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { testServer } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'

const CLASSES = 400
/** Milliseconds of processor time; all in one go it takes more than ten times that. */
const AT_MOST = 60
const AT_MOST_BY_RULES = 30

/** While it is closed, so that none of them has to be written. */
const yoga = service('svc_yoga', {
  type: 'group',
  capacity: { max: 3 },
  sessions: Array.from({ length: CLASSES }, (_, nth) => ({
    starts: `0${nth % 7}:${10 + (nth % 50)}`,
    days: EVERY_DAY,
  })),
})
yoga.policies.booking_window = { ...yoga.policies.booking_window, max_advance: 'P1Y' }
const hours = [{ days: EVERY_DAY, opens: '09:00', closes: '18:00' }]
/** The dearest rule that is accepted: the library generates every day of the year to find a few. */
const weeks = Array.from({ length: 53 }, (_, nth) => nth + 1).join()
const everyWeek = `FREQ=YEARLY;BYWEEKNO=${weeks};BYDAY=MO,TU,WE,TH,FR,SA,SU`
const byRules = (count: number, rrule: string): BusinessDefinition => {
  const price_rules = [{ name: 'Friday', days: ['friday' as const], amount: 2_000 }]
  const sessions = Array.from({ length: count }, (_, nth) => ({
    starts: `0${nth % 7}:${10 + (nth % 50)}`,
    rrule,
    from: '1990-01-01',
  }))
  return businessWith([{ ...yoga, sessions, price_rules }])
}
const { runtime } = await testServer(businessWith([yoga], { hours }))

test.each([
  ['four hundred daily classes', businessWith([yoga], { hours })],
  ['forty classes by rules of numbered weeks', { ...byRules(40, everyWeek), hours }],
] as const)('[no stored value stalls the server] %s for a year ahead', async (_, definition) => {
  const { runtime, time } = await testServer(definition)
  const turns: number[] = []
  for (let attempt = 0; attempt < 3; attempt++) {
    const longest = longestTurn()
    await syncSessions(runtime, time.now)
    turns.push(longest())
  }
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
})

test.each([
  ['four hundred daily rules', 400, 'FREQ=DAILY'],
  ['forty rules of numbered weeks', 40, everyWeek],
])('[no stored value stalls the server] the list of services with a class of %s', async (_, count, rrule) => {
  const turns: number[] = []
  for (let round = 0; round < 3; round++) {
    const visit = { visitor: `visit_${round}`, peer: { address: '192.0.2.1' } }
    const longest = longestTurn()
    const page = await servicesPage(
      byRules(count, rrule),
      new URLSearchParams(),
      { localizer: englishLocalizer(), visit },
      runtime,
    )
    turns.push(longest())
    expect(page.body.text).toMatch(/from \$20\.00/i)
  }
  expect(Math.min(...turns)).toBeLessThan(AT_MOST_BY_RULES * slowness())
})
