import { expect, test } from 'vitest'
import { scheduledTimes } from '../../src/domain/availability/cached-scheduled-times.ts'
import { planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import type { OpeningWindow } from '../../src/protocol/types.generated.ts'
import { placesRefused } from '../definition/reading.ts'
import { businessWith, service } from '../support/definitions.ts'
import { slowness } from '../support/slowness.ts'

const DAY = 24 * 3_600_000
/** Milliseconds of processor time, of which this alone is not to take more. */
const AT_MOST = 200

/** So many people and so many rooms, of which the buyer chooses one each, every half an hour of the day. */
function salon(people: number, rooms: number) {
  const some = (type: 'staff' | 'room', count: number) =>
    Array.from({ length: count }, (_, nth) => ({ id: `${type}_${nth}`, type, name: `${type} ${nth}` }))
  const resources = [...some('staff', people), ...some('room', rooms)]
  const options = (type: string) => resources.filter((one) => one.type === type).map(({ id }) => id)
  const one = service('svc_one', {
    resources: [
      { type: 'staff', name: 'Stylist', selectable: true, options: options('staff') },
      { type: 'room', name: 'Room', selectable: true, options: options('room') },
    ],
  })
  one.policies.booking_window = { ...one.policies.booking_window, slot_interval: 'PT30M' }
  return businessWith([one], { resources })
}

test('[no stored value stalls the server] a service of more times a day than can be reckoned in one go is refused', () => {
  expect(placesRefused(salon(40, 40))).toEqual(['services[svc_one].resources'])
})

const ofOne = (more: Parameters<typeof service>[1], interval = 'PT30M', hours?: OpeningWindow[]) => {
  const one = service('svc_one', more)
  const booking_window = { ...one.policies.booking_window, slot_interval: interval }
  return businessWith([{ ...one, policies: { ...one.policies, booking_window } }], hours && { hours })
}
const seconds = (max: number) => ({ duration: { range: { min: 'PT1S', max: `PT${max}S`, step: 'PT1S' } } })
/** It opens each quarter of an hour, for as long as a minute. */
const everyQuarter = Array.from({ length: 96 }, (_, nth): OpeningWindow => {
  const at = (minute: number) =>
    `${String(nth >> 2).padStart(2, '0')}:${String(15 * (nth % 4) + minute).padStart(2, '0')}`
  return { days: ['friday'], opens: at(0), closes: at(1) }
})
const yearDays = Array.from({ length: 366 }, (_, nth) => nth + 1).join()
const RULE = 'sessions[0].rrule'
const classBy = (rrule: string, from: string) =>
  ofOne({ type: 'group', capacity: { max: 5 }, sessions: [{ starts: '10:00', rrule, from }] })

test.each([
  ['a million lengths, which start once a month', ofOne(seconds(1_000_000), 'P30D'), 'duration.range'],
  ['a thousand lengths at each of 96 times', ofOne(seconds(1_000), 'P1D', everyQuarter), 'resources'],
  ['ten years', ofOne({ duration: { fixed: 'P3650D' } }), 'duration.fixed'],
  ['21 kinds at once', ofOne({ resources: Array(21).fill({ type: 'staff' }) }), 'resources'],
  [
    'days counted by the year',
    classBy(`FREQ=YEARLY;BYYEARDAY=${yearDays};COUNT=999`, '1990-01-01'),
    'sessions[0].rrule',
  ],
  [
    'days counted from long ago',
    classBy('FREQ=YEARLY;BYDAY=MO,TU;BYSETPOS=1;COUNT=999', '0001-01-01'),
    'sessions[0].rrule',
  ],
  [
    'days of a week that has none such',
    classBy('FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=8;COUNT=999', '1970-01-01'),
    'sessions[0].rrule',
  ],
  [
    'thousands of days that are counted',
    classBy('FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1;COUNT=9999', '1990-01-01'),
    'sessions[0].rrule',
  ],
  ['days of the year in numbered weeks', classBy('FREQ=YEARLY;BYYEARDAY=1,-1;BYWEEKNO=1,53', '2026-01-01'), RULE],
  ['numbered weeks of each month', classBy('FREQ=MONTHLY;BYWEEKNO=1,2,53;BYDAY=MO', '2026-01-01'), RULE],
  ['numbered days in each week', classBy('FREQ=WEEKLY;BYYEARDAY=1,2,3', '2026-01-01'), RULE],
  ['the last day of numbered weeks', classBy('FREQ=YEARLY;BYWEEKNO=1,2,3;BYDAY=MO,SU;BYSETPOS=-1', '2026-01-01'), RULE],
  ['the first day of counted years', classBy('FREQ=YEARLY;BYDAY=MO,TU;BYSETPOS=1;COUNT=999', '1990-01-01'), RULE],
  [
    'a day of years that is counted day by day',
    classBy('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=9', '1990-01-01'),
    RULE,
  ],
])('[no stored value stalls the server] what is slow to reckon is refused: %s', (_, definition, place) => {
  expect(placesRefused(definition)).toEqual([`services[svc_one].${place}`])
})

test.each([
  ['FREQ=YEARLY;BYMONTH=11;BYDAY=TH;BYSETPOS=4;COUNT=50', '1990-01-01'],
  ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '1990-01-01'],
  ['FREQ=DAILY;BYMONTH=6,7,8;COUNT=200', '2026-06-01'],
  ['FREQ=WEEKLY;COUNT=999', '1990-01-01'],
  ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '1990-01-01'],
  ['FREQ=YEARLY;BYYEARDAY=100,200', '1990-01-01'],
  ['FREQ=DAILY;UNTIL=20270101', '2026-06-01'],
])('a rule that is cheap to evaluate is accepted: %s from %s', (rrule, from) => {
  expect(placesRefused(classBy(rrule, from))).toEqual([])
})

test('[no stored value stalls the server] the most times a day that are accepted', () => {
  const most = salon(32, 26)
  expect(placesRefused(most)).toEqual([])
  const turns = Array.from({ length: 5 }, (_, nth) => {
    const plan = planOf(structuredClone(most), 'svc_one')
    const before = process.threadCpuUsage()
    if (plan) scheduledTimes(plan, [nth * DAY, (nth + 1) * DAY])
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
})
