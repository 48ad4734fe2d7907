import { RRuleTemporal } from 'rrule-temporal'
import { expect, test } from 'vitest'
import { sessionsWithin } from '../../src/domain/availability/scheduled-class-sessions.ts'
import { planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { businessWith, service } from '../support/definitions.ts'
import { EVERY_DAY } from './week.ts'

const yoga = service('svc_yoga', {
  type: 'group',
  capacity: { max: 3 },
  sessions: [
    { days: EVERY_DAY, starts: '10:00', from: '2026-11-24', until: '2026-11-26' },
    { days: EVERY_DAY, starts: '10:00', capacity: 9 },
  ],
})
const plan = planOf(businessWith([yoga]), 'svc_yoga')
const at = (day: string, more = 0) => Date.parse(`${day}T10:00:00-05:00`) + more
const days = (from: number, to: number) =>
  plan &&
  sessionsWithin(plan, [from, to]).map(({ start, capacity }) => [new Date(start).toISOString().slice(5, 13), capacity])

test.each([
  ['from its beginning on', at('2026-11-24'), at('2026-11-24', 1), [['11-24T15', 3]]],
  ['not a moment after it', at('2026-11-24', 1), at('2026-11-25'), []],
  ['up to the end of the range, which is no part of it', at('2026-11-24', 1), at('2026-11-25', 1), [['11-25T15', 3]]],
  [
    'and where two rules want the same hour the first has it, on its first day and its last',
    ...([at('2026-11-23'), at('2026-11-28')] as const),
    [
      ['11-23T15', 9],
      ['11-24T15', 3],
      ['11-25T15', 3],
      ['11-26T15', 3],
      ['11-27T15', 9],
    ],
  ],
])('[AVL-060] classes are found %s', (_, from, to, found) => {
  expect(days(from, to)).toEqual(found)
})

test('[AVL-060] a class takes place where its rule says, or where its service does when that is one place', () => {
  const sessions = [
    { days: EVERY_DAY, starts: '10:00', location: 'loc_b' },
    { days: EVERY_DAY, starts: '12:00' },
  ]
  const placesOf = (locations: string[]) => {
    const held = planOf(
      businessWith([service('svc', { type: 'group', locations, sessions })], {
        locations: ['loc_a', 'loc_b'].map((id) => ({ id, name: id })),
      }),
      'svc',
    )
    return held && sessionsWithin(held, [at('2026-11-24'), at('2026-11-25')]).map(({ location }) => location)
  }
  expect(placesOf(['loc_b'])).toEqual(['loc_b', 'loc_b'])
  expect(placesOf(['loc_a', 'loc_b'])).toEqual(['loc_b', undefined])
})

test('a class for which nobody names a number of places has one', () => {
  const sessions = [{ days: EVERY_DAY, starts: '10:00' }]
  const held = planOf(businessWith([service('svc', { type: 'group', sessions })]), 'svc')
  const found = held && sessionsWithin(held, [at('2026-11-24'), at('2026-11-25')])
  expect(found?.map(({ capacity }) => capacity)).toEqual([1])
})

test('[AVL-060] a class at 24:00 and one at 00:00 are one hour, whether or not four weeks end between them', () => {
  const sessions = [
    { rrule: 'FREQ=DAILY', from: '2026-01-01', starts: '24:00', capacity: 5 },
    { days: EVERY_DAY, starts: '00:00', capacity: 9 },
  ]
  const held = planOf(businessWith([service('svc', { type: 'group', sessions })]), 'svc')
  if (!held) throw new Error('There is no service')
  const midnight = Date.parse('2026-11-24T00:00:00-05:00')
  const found = sessionsWithin(held, [midnight, midnight + 60 * 24 * 3_600_000])
  expect(found.map(({ start }) => (start - midnight) / (24 * 3_600_000))).toEqual(
    Array.from({ length: 60 }, (_, n) => n),
  )
  expect(new Set(found.map(({ capacity }) => capacity))).toEqual(new Set([5]))
})

test.each([
  'FREQ=DAILY;INTERVAL=3',
  'FREQ=MONTHLY;BYDAY=2TU',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=SA;COUNT=20',
  'FREQ=DAILY;UNTIL=20270301',
])('[AVL-060] the days of %s are those that the rule has, over many portions of four weeks', (rrule) => {
  const from = '2026-01-01'
  const held = planOf(
    businessWith([service('svc', { type: 'group', sessions: [{ rrule, from, starts: '10:00' }] })]),
    'svc',
  )
  const range: [number, number] = [at('2026-11-24'), at('2027-11-24')]
  const found = held && sessionsWithin(held, range).map(({ start }) => new Date(start).toISOString().slice(0, 10))
  const rule = new RRuleTemporal({ rruleString: `DTSTART:20260101T000000Z\nRRULE:${rrule}` })
  const days = rule.all(({ year }) => year < 2028).map((date) => date.toPlainDate().toString())
  expect(found).toEqual(days.filter((day) => day >= '2026-11-24' && day < '2027-11-24'))
})
