import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import { type AvailableTime, availableTimes } from '../../src/domain/availability/available-times.ts'
import { occupancyFromSpans } from '../../src/domain/availability/resource-occupancy.ts'
import { planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { overlapsAny } from '../../src/domain/availability/time-spans.ts'
import { type Asked, everythingOffered } from './brute-force.ts'
import { caseOf } from './schedules.ts'

const MINUTE = 60_000
const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC']

/** The days of 2026 to 2028 on which clocks are changed there, or one on which they are not. */
function daysOf(zone: string): string[] {
  const until = Temporal.Instant.from('2029-01-01T00:00Z').epochMilliseconds
  const days: string[] = []
  let change = Temporal.Instant.from('2026-01-01T00:00Z').toZonedDateTimeISO(zone).getTimeZoneTransition('next')
  for (; change && change.epochMilliseconds < until; change = change.getTimeZoneTransition('next'))
    days.push(change.subtract({ minutes: 1 }).toPlainDate().toString())
  return days.length > 0 ? days : ['2026-11-24']
}

const written = ({ start, end, location, picks }: AvailableTime) =>
  [new Date(start).toISOString(), (end - start) / MINUTE, location ?? '-', ...picks].join(' ')

function expectTruth(asked: Asked) {
  const { definition, service, range, taken, party } = asked
  const plan = planOf(definition, service.id)
  if (!plan) throw new Error('no plan')
  const busy = new Map([...taken].map(([id, spans]) => [id, occupancyFromSpans(spans)]))
  const all = availableTimes(plan, busy, range, party)
  const found = all.filter(({ capacity }) => capacity?.remaining !== 0)
  expect(found.map(written)).toEqual(everythingOffered(asked))
  expect(new Set(all.map(written)).size).toBe(all.length)
  expect(all.map(({ start }) => start)).toEqual(all.map(({ start }) => start).toSorted((one, other) => one - other))
  for (const { start, end, picks, choices } of found)
    for (const id of [...picks, ...choices().flat()])
      expect(overlapsAny(busy.get(id)?.taken ?? [], start - plan.before, end + plan.after)).toBe(false)
  return found.length
}

test('[AVL-058] [AVL-059] [AVL-062] [AVL-065] [AVL-066] just what fits is offered, in every zone, around days on which clocks are changed', {
  timeout: 120_000,
}, () => {
  let count = 0
  for (const zone of zones)
    fc.assert(
      fc.property(
        fc.constantFrom(...daysOf(zone)).chain((day) => caseOf(zone, day)),
        (asked) => {
          count += expectTruth(asked)
        },
      ),
      { numRuns: 1 },
    )
  expect(count).toBeGreaterThan(1000)
})
