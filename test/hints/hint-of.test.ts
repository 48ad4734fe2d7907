import { expect, test } from 'vitest'
import type { Day, Part } from '../../src/domain/availability/hints/free-times-by-day-part.ts'
import { summaryOf } from '../../src/domain/availability/hints/write-hint-summary.ts'
import { daysLater } from '../../src/infra/time/time-zone.ts'

/** Monday. */
const FIRST = '2026-11-23'

type Free = Partial<Record<Part, number>> | undefined

/** Four weeks of days with ten times in each part that has any; `free` says how many of them can be had. */
const weeks = (free: (weekday: number, week: number) => Free): Day[] =>
  Array.from({ length: 28 }, (_, index) => ({
    date: daysLater(FIRST, index),
    free: free(index % 7, Math.floor(index / 7)),
  }))
    .filter((day) => day.free !== undefined)
    .map(({ date, free = {} }) => ({
      date,
      parts: Object.fromEntries(Object.entries(free).map(([part, count]) => [part, { all: 10, free: count }])),
    }))

const open: Free = { morning: 10, afternoon: 10 }
const full: Free = { morning: 0, afternoon: 0 }
const scarce: Free = { morning: 1, afternoon: 1 }
const isWeekend = (weekday: number) => weekday > 4

test.each<[what: string, days: Day[], summary: string]>([
  ['a free calendar', weeks(() => open), 'The next free time is on Monday, Nov 23. Usually free every day.'],
  [
    'weekdays alone',
    weeks((weekday) => (isWeekend(weekday) ? undefined : open)),
    'The next free time is on Monday, Nov 23. Usually free on weekdays.',
  ],
  [
    'mornings that are free and Saturdays that are not',
    weeks((weekday, week) =>
      weekday === 6 ? undefined : weekday === 5 ? (week < 3 ? scarce : open) : { morning: 9, afternoon: 3 },
    ),
    'The next free time is on Monday, Nov 23. Usually free on weekday mornings. Saturdays are nearly full until Dec 12.',
  ],
  [
    'a first week that is full',
    weeks((weekday, week) => (isWeekend(weekday) ? undefined : week === 0 ? full : open)),
    'Fully booked until Friday, Nov 27. The next free time is on Monday, Nov 30. Usually free on weekdays.',
  ],
  [
    'single days that are full',
    weeks((weekday, week) => (weekday === 2 && week === 1 ? full : weekday > 2 && week === 2 ? full : open)),
    'The next free time is on Monday, Nov 23. Usually free every day. Fully booked on Dec 2 and from Dec 10 to Dec 13.',
  ],
  [
    'a weekday that is always full',
    weeks((weekday) => (weekday === 3 ? full : open)),
    'The next free time is on Monday, Nov 23. Usually free on Mondays, Tuesdays, Wednesdays, Fridays, Saturdays and Sundays. Thursdays are fully booked until Dec 17.',
  ],
  [
    'two days of the week, evenings of one of them',
    weeks((weekday) => (weekday === 1 ? open : weekday === 4 ? { morning: 1, evening: 10 } : undefined)),
    'The next free time is on Tuesday, Nov 24. Usually free on Tuesdays and on Friday evenings.',
  ],
  [
    'little everywhere',
    weeks(() => ({ morning: 3, afternoon: 3 })),
    'The next free time is on Monday, Nov 23. Little is free at any time of the week.',
  ],
  ['no room at all', weeks(() => full), 'Fully booked as far ahead as can be booked.'],
  ['nothing planned', [], 'No times are planned at present.'],
])('[CAT-086] of %s it is said what a receptionist would say', (_, days, summary) => {
  expect(summaryOf(days, undefined)).toBe(summary)
})

test('[CAT-086] what is free only after the coming weeks is named with its day', () => {
  expect(
    summaryOf(
      weeks(() => full),
      '2027-01-04',
    ),
  ).toBe('Fully booked until Sunday, Dec 20. The next free time is on Monday, Jan 4.')
})

test('where many days are full only the first are named', () => {
  const days = weeks((weekday, week) => ((weekday + week) % 2 === 1 && weekday !== 0 ? full : open))
  expect(summaryOf(days, undefined)).toContain('at 9 later times.')
})
