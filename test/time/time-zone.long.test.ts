import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, test } from 'vitest'
import {
  dateIn,
  daysLater,
  firstInstantOf,
  instantOf,
  isZone,
  offsetAt,
  rfc3339,
  startOfDay,
} from '../../src/infra/time/time-zone.ts'

interface Rule {
  name: string
  samples: (zone: string) => Iterable<number>
  ours: (zone: string, sample: number) => string | number
  temporal: (zone: string, sample: number) => string | number
}

const rules: Rule[] = [
  {
    name: 'the offset is the one of the zone at that instant',
    samples: instants,
    ours: offsetAt,
    temporal: (zone, instant) => zoned(zone, instant).offsetNanoseconds / 1e6,
  },
  {
    name: 'the date is the one that a calendar in the zone shows',
    samples: instants,
    ours: dateIn,
    temporal: (zone, instant) => zoned(zone, instant).toPlainDate().toString(),
  },
  {
    name: 'an instant is written as local time with its offset',
    samples: instants,
    ours: rfc3339,
    temporal: (zone, instant) => zoned(zone, instant).toString({ smallestUnit: 'second', timeZoneName: 'never' }),
  },
  {
    name: 'a skipped local time is that much later, and a repeated one is the first',
    samples: localTimes,
    ours: instantOf,
    temporal: (zone, local) => plain(local).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds,
  },
  {
    name: 'a skipped local time is reached as clocks are changed, and a repeated one the first time',
    samples: localTimes,
    ours: firstInstantOf,
    temporal: (zone, local) => {
      const early = plain(local).toZonedDateTime(zone, { disambiguation: 'earlier' })
      const change = early.toPlainDateTime().equals(plain(local)) ? early : early.getTimeZoneTransition('next')
      return change?.epochMilliseconds ?? 0
    },
  },
  {
    name: 'a day starts at its first instant',
    samples: localDays,
    ours: (zone, local) => startOfDay(zone, plain(local).toPlainDate().toString()),
    temporal: (zone, local) => plain(local).toPlainDate().toZonedDateTime(zone).epochMilliseconds,
  },
]

const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC']

const namedRules = rules.map((rule): [string, Rule] => [rule.name, rule])

test.each(namedRules)(
  '%s: around every clock change of 2026 to 2028 in every zone',
  (_, { samples, ours, temporal }) => {
    const wrong = zones.flatMap((zone) =>
      [...samples(zone)]
        .filter((sample) => ours(zone, sample) !== temporal(zone, sample))
        .map((sample) => `${zone} ${new Date(sample).toISOString()}: ${ours(zone, sample)}`),
    )
    expect(wrong).toEqual([])
  },
  // All it takes is reckoning, which on a busy machine is slow.
  60_000,
)

const anySecond = fc.integer({ min: 0, max: Date.UTC(2101) / 1000 - 1 }).map((seconds) => seconds * 1000)

test.each(namedRules)('%s: at any second from 1970 to 2100', (_, { ours, temporal }) => {
  fc.assert(
    fc.property(fc.constantFrom(...zones), anySecond, (zone, sample) => {
      expect(ours(zone, sample)).toBe(temporal(zone, sample))
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['a skipped half past two is half past three', 'America/New_York', '2026-03-08T02:30', '2026-03-08T03:30:00-04:00'],
  ['a repeated half past one is the first', 'America/New_York', '2026-11-01T01:30', '2026-11-01T01:30:00-04:00'],
  ['a clock may change by half an hour', 'Australia/Lord_Howe', '2026-10-04T02:10', '2026-10-04T02:40:00+11:00'],
  ['a zone may be a quarter of an hour off', 'Asia/Kathmandu', '2026-03-15T09:00', '2026-03-15T09:00:00+05:45'],
  ['UTC is +00:00, not Z', 'UTC', '2026-03-15T09:00', '2026-03-15T09:00:00+00:00'],
])('%s (%s)', (_, zone, local, expected) => {
  expect(rfc3339(zone, instantOf(zone, Date.parse(`${local}Z`)))).toBe(expected)
})

test.each([
  ['midnight', 'America/New_York', '2026-03-08', '2026-03-08T00:00:00-05:00'],
  ['one o’clock where midnight is skipped', 'Africa/Cairo', '2026-04-24', '2026-04-24T01:00:00+03:00'],
  ['the first of two midnights', 'America/Havana', '2026-11-01', '2026-11-01T00:00:00-04:00'],
  [
    'half past midnight where the hour around it is skipped',
    'America/Toronto',
    '1919-03-31',
    '1919-03-31T00:30:00-04:00',
  ],
  ['the next day where a day is skipped', 'Pacific/Apia', '2011-12-30', '2011-12-31T00:00:00+14:00'],
])('a day starts at %s (%s)', (_, zone, date, expected) => {
  expect(rfc3339(zone, startOfDay(zone, date))).toBe(expected)
})

test.each(['America/New_York', 'Africa/Monrovia', 'Asia/Kolkata', 'Asia/Manila', 'Europe/Amsterdam'])(
  'the days of local mean time are written to the minute of its offset (%s)',
  (zone) => {
    expect(rfc3339(zone, Date.UTC(1800))).toMatch(/^(1799-12-31|1800-01-01)T\d\d:\d\d:\d\d[+-]\d\d:\d\d$/)
  },
)

test('every zone that Intl lists is one, and so are the other names of the IANA database', () => {
  const otherNames = ['Europe/Kyiv', 'US/Eastern', 'Etc/GMT+5', 'GMT']
  expect([...zones, ...otherNames].filter((name) => !isZone(name))).toEqual([])
})

test.each(['+02:00', '-0500', '+02', 'Z', '', 'PST', 'Mars/Olympus', 'Europe/Berlin ', '2026-01-01T00:00Z'])(
  '%j is no zone',
  (name) => {
    expect(isZone(name)).toBe(false)
  },
)

test('days later are days of the calendar', () => {
  fc.assert(
    fc.property(anySecond, fc.integer({ min: -1000, max: 1000 }), (local, days) => {
      const date = plain(local).toPlainDate()
      expect(daysLater(date.toString(), days)).toBe(date.add({ days }).toString())
    }),
  )
})

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const [from, until] = [Date.UTC(2026), Date.UTC(2029)]

/** Every quarter of an hour of the days that each clock change ends and begins, and the seconds around it. */
function* instants(zone: string): Iterable<number> {
  yield* [from, until]
  let change = zoned(zone, from).getTimeZoneTransition('next')
  for (; change && change.epochMilliseconds < until; change = change.getTimeZoneTransition('next')) {
    for (const minutes of [-2, -1, 0, 1, 2])
      for (const seconds of [-1, 0, 1]) yield change.epochMilliseconds + minutes * MINUTE + seconds * 1000
    const start = change.subtract({ nanoseconds: 1 }).startOfDay().epochMilliseconds
    const end = change.startOfDay().add({ days: 1 }).epochMilliseconds
    for (let instant = start; instant < end; instant += 15 * MINUTE) yield instant
  }
}

/** Each instant as clocks show it that were changed and as those do that were not: so skipped times are among them. */
function localTimes(zone: string): Set<number> {
  const sampled = [...instants(zone)]
  const offsets = new Set(sampled.map((instant) => zoned(zone, instant).offsetNanoseconds / 1e6))
  return new Set(sampled.flatMap((instant) => [...offsets].map((offset) => instant + offset)))
}

function localDays(zone: string): Set<number> {
  return new Set([...localTimes(zone)].map((local) => Math.floor(local / DAY) * DAY))
}

function zoned(zone: string, instant: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
}

function plain(local: number): Temporal.PlainDateTime {
  return zoned('UTC', local).toPlainDateTime()
}
