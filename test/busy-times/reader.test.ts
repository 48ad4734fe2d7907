import { describe, expect, test } from 'vitest'
import { CalendarError } from '../../src/domain/busy-times/reader/event-error.ts'
import { readCalendar } from '../../src/domain/busy-times/reader/read-calendar.ts'
import { calendarOf, event, zoneLikeBerlin } from './calendar-text.ts'

const window = [Date.parse('2027-01-01'), Date.parse('2028-03-01')] as const

const read = (text: string, zone = 'Europe/Berlin') => readCalendar(text, { zone, window })

const shown = (at: number) => new Date(at).toISOString().replace(/:00\.000Z$/, 'Z')

/** The busy times as text, earliest first. */
const busy = (text: string, zone?: string) =>
  read(text, zone)
    .times.toSorted((one, other) => one.from - other.from)
    .map(({ from, to }) => `${shown(from)}/${shown(to)}`)

const busyWith = (...lines: string[]) => busy(calendarOf(...event('UID:1', ...lines)))

const at = (...days: string[]) => days.map((day) => `2027-${day}T08:00Z/2027-${day}T09:00Z`)

/** An event at nine o'clock in Berlin. */
const nine = (day: string, ...lines: string[]) => [
  `DTSTART;TZID=Europe/Berlin:${day}T090000`,
  `DTEND;TZID=Europe/Berlin:${day}T100000`,
  ...lines,
]

describe('[a calendar elsewhere] one event', () => {
  test.each<[string, string[], string[]]>([
    ['in UTC', ['DTSTART:20270301T080000Z', 'DTEND:20270301T090000Z'], at('03-01')],
    ['in a zone of the IANA database', nine('20270301'), at('03-01')],
    ['with a duration', ['DTSTART:20270301T080000Z', 'DURATION:P1DT2H'], ['2027-03-01T08:00Z/2027-03-02T10:00Z']],
    ['without a zone, in that of the business', ['DTSTART:20270301T090000', 'DTEND:20270301T100000'], at('03-01')],
    [
      'in the zone of a program, with its own name before it',
      ['DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20270301T090000', 'DURATION:PT1H'],
      at('03-01'),
    ],
    [
      'in a zone of Windows that the file does not define',
      ['DTSTART;TZID="W. Europe Standard Time":20270701T100000', 'DURATION:PT1H'],
      ['2027-07-01T08:00Z/2027-07-01T09:00Z'],
    ],
    [
      'in a zone that nobody knows, in that of the business',
      ['DTSTART;TZID=Customized:20270301T090000', 'DURATION:PT1H'],
      at('03-01'),
    ],
    [
      'that ends in another zone',
      ['DTSTART;TZID=Europe/Berlin:20270301T090000', 'DTEND;TZID=Europe/London:20270301T090000'],
      at('03-01'),
    ],
    ['for a whole day', ['DTSTART;VALUE=DATE:20270301'], ['2027-02-28T23:00Z/2027-03-01T23:00Z']],
    [
      'for two days',
      ['DTSTART;VALUE=DATE:20270301', 'DTEND;VALUE=DATE:20270303'],
      ['2027-02-28T23:00Z/2027-03-02T23:00Z'],
    ],
    [
      'for a day that ends on itself',
      ['DTSTART;VALUE=DATE:20270301', 'DTEND;VALUE=DATE:20270301'],
      ['2027-02-28T23:00Z/2027-03-01T23:00Z'],
    ],
    ['of no length', ['DTSTART:20270301T080000Z', 'DTEND:20270301T080000Z'], []],
    ['without an end', ['DTSTART:20270301T080000Z'], []],
    ['that is free', ['TRANSP:TRANSPARENT', ...nine('20270301')], []],
    ['that Outlook calls free', ['X-MICROSOFT-CDO-BUSYSTATUS:FREE', ...nine('20270301')], []],
    ['that is canceled', ['STATUS:CANCELLED', ...nine('20270301')], []],
    ['that is tentative', ['STATUS:TENTATIVE', ...nine('20270301')], at('03-01')],
    ['before the window', nine('20261230'), []],
    ['after the window', nine('20280303'), []],
    ['with a folded line', ['DTSTART:2027030\r\n 1T080000Z', 'DTEND:20270301T090000Z'], at('03-01')],
  ])('%s', (_, lines, expected) => expect(busyWith(...lines)).toEqual(expected))

  test('[nextcloud/server 21341, 48716] for whole days blocks the local days of the business, also when clocks change', () => {
    const text = calendarOf(...event('UID:1', 'DTSTART;VALUE=DATE:20270328', 'DTEND;VALUE=DATE:20270329'))
    expect(busy(text)).toEqual(['2027-03-27T23:00Z/2027-03-28T22:00Z'])
    expect(busy(text, 'America/Los_Angeles')).toEqual(['2027-03-28T07:00Z/2027-03-29T07:00Z'])
    expect(busy(text, 'Pacific/Auckland')).toEqual(['2027-03-27T11:00Z/2027-03-28T11:00Z'])
  })
})

describe('[a calendar elsewhere] an event that repeats', () => {
  test.each<[string, string[], string[]]>([
    ['by a rule', nine('20270301', 'RRULE:FREQ=WEEKLY;COUNT=3'), at('03-01', '03-08', '03-15')],
    ['until a day', nine('20270301', 'RRULE:FREQ=WEEKLY;UNTIL=20270315'), at('03-01', '03-08', '03-15')],
    [
      'until a moment in UTC',
      nine('20270301', 'RRULE:FREQ=WEEKLY;UNTIL=20270315T080000Z'),
      at('03-01', '03-08', '03-15'),
    ],
    [
      'without one of its times',
      nine('20270301', 'RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE;TZID=Europe/Berlin:20270308T090000'),
      at('03-01', '03-15'),
    ],
    [
      'without one of its times, written in UTC',
      nine('20270301', 'RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20270308T080000Z,20270315T080000Z'),
      at('03-01'),
    ],
    [
      'without one of its days',
      nine('20270301', 'RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE;VALUE=DATE:20270308'),
      at('03-01', '03-15'),
    ],
    [
      'without the times of a rule',
      nine('20270301', 'RRULE:FREQ=WEEKLY;COUNT=3', 'EXRULE:FREQ=WEEKLY;INTERVAL=2'),
      at('03-08'),
    ],
    ['at listed times', nine('20270301', 'RDATE;TZID=Europe/Berlin:20270303T090000'), at('03-01', '03-03')],
    [
      'at a listed period',
      nine('20270301', 'RDATE;VALUE=PERIOD:20270303T080000Z/PT2H'),
      [...at('03-01'), '2027-03-03T08:00Z/2027-03-03T10:00Z'],
    ],
    [
      'on whole days, without one of them',
      ['DTSTART;VALUE=DATE:20270301', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20270302T000000'],
      ['2027-02-28T23:00Z/2027-03-01T23:00Z', '2027-03-02T23:00Z/2027-03-03T23:00Z'],
    ],
  ])('%s', (_, lines, expected) => expect(busyWith(...lines)).toEqual(expected))

  test('[cal.diy 2139] keeps its local time when clocks change there, under any name of the zone', () => {
    const weekly = (zone: string) => [
      ...event(
        'UID:1',
        `DTSTART;TZID=${zone}:20270322T090000`,
        `DTEND;TZID=${zone}:20270322T100000`,
        'RRULE:FREQ=WEEKLY;COUNT=2',
      ),
    ]
    const expected = [...at('03-22'), '2027-03-29T07:00Z/2027-03-29T08:00Z']
    expect(busy(calendarOf(...weekly('Europe/Berlin')), 'America/New_York')).toEqual(expected)
    for (const name of ['Customized Time Zone', 'Invented/Zone'])
      expect(busy(calendarOf(...zoneLikeBerlin(name), ...weekly(name)), 'America/New_York')).toEqual(expected)
  })

  test('ends at the same local time when clocks change in the night', () => {
    const night = ['DTSTART;TZID=Europe/Berlin:20270326T220000', 'DTEND;TZID=Europe/Berlin:20270327T060000']
    expect(busyWith(...night, 'RRULE:FREQ=DAILY;COUNT=2')).toEqual([
      '2027-03-26T21:00Z/2027-03-27T05:00Z',
      '2027-03-27T21:00Z/2027-03-28T04:00Z',
    ])
  })

  const weekly = event('UID:1', ...nine('20270301', 'RRULE:FREQ=WEEKLY;COUNT=3'))
  const instead = (...lines: string[]) => event('UID:1', 'RECURRENCE-ID;TZID=Europe/Berlin:20270308T090000', ...lines)

  test.each<[string, string[], string[]]>([
    ['a moved one', instead(...nine('20270309')), at('03-01', '03-09', '03-15')],
    ['a canceled one', instead(...nine('20270308', 'STATUS:CANCELLED')), at('03-01', '03-15')],
    ['one that became free', instead(...nine('20270308', 'TRANSP:TRANSPARENT')), at('03-01', '03-15')],
    [
      'one whose time is written in UTC',
      event('UID:1', 'RECURRENCE-ID:20270308T080000Z', ...nine('20270309')),
      at('03-01', '03-09', '03-15'),
    ],
    [
      'one whose time is written as a day',
      event('UID:1', 'RECURRENCE-ID;VALUE=DATE:20270308', ...nine('20270309')),
      at('03-01', '03-09', '03-15'),
    ],
    [
      'all later ones',
      event('UID:1', 'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270308T090000', ...nine('20270309')),
      at('03-01', '03-09', '03-16'),
    ],
    [
      'two versions of one, of which the later counts',
      [...instead('SEQUENCE:2', ...nine('20270310')), ...instead('SEQUENCE:1', ...nine('20270309'))],
      at('03-01', '03-10', '03-15'),
    ],
  ])('[obsidian-full-calendar 309] with %s', (_, lines, expected) => {
    expect(busy(calendarOf(...weekly, ...lines))).toEqual(expected)
    expect(busy(calendarOf(...lines, ...weekly))).toEqual(expected)
  })

  test('[obsidian-full-calendar 309] of which only a replacement is in the file', () => {
    expect(busy(calendarOf(...instead(...nine('20270309'))))).toEqual(at('03-09'))
  })

  test('[OutlookGoogleCalendarSync 1653, 418] keeps the identity of its other times when one of them goes or moves', () => {
    const eventsOf = (...lines: string[]) =>
      new Map(read(calendarOf(...lines)).times.map(({ event: one, from }) => [Buffer.from(one).toString('hex'), from]))
    const whole = eventsOf(...weekly)
    const without = eventsOf(
      ...event('UID:1', ...nine('20270301', 'RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20270308T080000Z')),
    )
    expect([whole.size, without.size]).toEqual([3, 2])
    for (const [identity, from] of without) expect(whole.get(identity)).toBe(from)
    const moved = eventsOf(...weekly, ...instead(...nine('20270309')))
    expect([...moved.keys()].toSorted()).toEqual([...whole.keys()].toSorted())
  })

  test('[nextcloud/server 50879] that began twenty years ago still blocks all its days', () => {
    expect(busyWith(...nine('20070101', 'RRULE:FREQ=DAILY'))).toHaveLength(425)
  })
})

describe('[a calendar elsewhere] a whole file', () => {
  const fault = (text: string) => {
    try {
      read(text)
      return undefined
    } catch (error) {
      if (error instanceof CalendarError) return error.fault
      throw error
    }
  }
  const whole = calendarOf(...event('UID:1', ...nine('20270301')))

  test.each([
    ['a web page', '<!doctype html><title>Sign in</title>', 'not_calendar'],
    ['nothing', '', 'not_calendar'],
    ['spaces', ' \r\n', 'not_calendar'],
    ['an event without a calendar', event('UID:1').join('\n'), 'not_calendar'],
    ['compressed data', '\u001f\u008b\u0008', 'not_calendar'],
  ] as const)('that is %s is no calendar', (_, text, expected) => expect(fault(text)).toBe(expected))

  test('[OutlookGoogleCalendarSync 2022] that is cut off at any place is not used', () => {
    const end = whole.indexOf('END:VCALENDAR') + 'END:VCALENDAR'.length
    for (let length = 'BEGIN:VCALENDAR\r\n'.length; length < end; length++)
      expect([length, fault(whole.slice(0, length))]).toEqual([length, 'truncated'])
    expect(busy(whole.slice(0, end))).toEqual(at('03-01'))
  })

  test('that is complete and empty blocks nothing', () => expect(busy(calendarOf())).toEqual([]))

  test('with several calendars, of which one is a cancellation', () => {
    const canceled = calendarOf('METHOD:CANCEL', ...event('UID:2', ...nine('20270302')))
    expect(busy(whole + canceled + calendarOf(...event('UID:3', ...nine('20270303'))))).toEqual(at('03-01', '03-03'))
  })

  test('with faulty events counts them, and reads the others', () => {
    const faulty = [
      'DTSTART:20270230T080000Z',
      'DTSTART:soon',
      'RRULE:FREQ=NEVER',
      'DTSTART:20270301T080000Z\r\nRRULE:X',
    ]
    const content = read(
      calendarOf(
        ...faulty.flatMap((line, nth) => event(`UID:${nth}`, line, 'DURATION:PT1H')),
        ...event('UID:9', ...nine('20270301')),
      ),
    )
    expect([content.unread, content.times.length]).toEqual([4, 1])
  })

  test('in which all events have the same UID blocks all their times', () => {
    const text = calendarOf(...['01', '02', '03'].flatMap((day) => event('UID:same', ...nine(`202703${day}`))))
    expect(busy(text)).toEqual(at('03-01', '03-02', '03-03'))
    expect(new Set(read(text).times.map(({ event: one }) => Buffer.from(one).toString('hex'))).size).toBe(3)
  })

  test('keeps no text of its events', () => {
    const text = calendarOf(...event('UID:1', 'SUMMARY:Dentist', 'ATTENDEE:mailto:a@example.com', ...nine('20270301')))
    expect(Object.keys(read(text).times[0] ?? {}).toSorted()).toEqual(['event', 'from', 'to'])
  })

  test.each([
    ['REFRESH-INTERVAL;VALUE=DURATION:PT1H', 3600],
    ['X-PUBLISHED-TTL:PT15M', 900],
    ['REFRESH-INTERVAL:often', null],
    ['X-OTHER:1', null],
  ])('says with %s how often it changes', (line, seconds) => {
    expect(read(calendarOf(line)).pauseSeconds).toBe(seconds)
  })

  test.each([
    'FREQ=SECONDLY',
    'FREQ=MINUTELY;INTERVAL=7',
    'FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23;BYMINUTE=0,30',
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=DAILY;INTERVAL=99999999999',
    'FREQ=DAILY;COUNT=99999999999',
    `FREQ=DAILY;BYMONTHDAY=${'1,'.repeat(1000)}1`,
  ])('with the absurd rule %s is read quickly, and the other events block', (rule) => {
    const begun = performance.now()
    const content = read(
      calendarOf(
        ...event('UID:1', 'DTSTART:20000101T080000Z', 'DURATION:PT1H', `RRULE:${rule}`),
        ...event('UID:2', ...nine('20270301')),
      ),
    )
    expect([content.unread, content.times.length]).toEqual([1, 1])
    expect(performance.now() - begun).toBeLessThan(5_000)
  })

  test.each(['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=YEARLY;BYDAY=53SU;BYMONTH=1', 'FREQ=YEARLY;INTERVAL=1000'])(
    'with the rule %s, which has no second time, has the first',
    (rule) => expect(busyWith(...nine('20270301', `RRULE:${rule}`))).toEqual(at('03-01')),
  )
})
