import { expect, test } from 'vitest'
import type { SourceRow } from '../../../src/interfaces/imports/import-columns.ts'
import { icsRows } from '../../../src/interfaces/imports/read-import-rows-from-ics.ts'

const NOW = new Date('2026-12-01T12:00:00Z')

/** The rows of a calendar with these events, each of half an hour that Kim has. */
const rowsOf = (...events: string[][]): Promise<SourceRow[]> =>
  readRows(
    events.map((lines) => `BEGIN:VEVENT\n${lines.join('\n')}\nDURATION:PT30M\nSUMMARY:Kim\nEND:VEVENT\n`).join(''),
  )

async function readRows(events: string): Promise<SourceRow[]> {
  async function* whole() {
    yield `BEGIN:VCALENDAR\n${events}END:VCALENDAR\n`
  }
  const reading = { zone: 'America/New_York', now: NOW, service: 'Haircut', warn: () => {} }
  const rows: SourceRow[] = []
  for await (const row of icsRows(whole(), reading)) rows.push(row)
  return rows
}

const startsOf = (rows: SourceRow[]) => rows.map(({ values: { start = '' } }) => start)
const faultsOf = (rows: SourceRow[]) => rows.map(({ fault }) => fault)

const BERLIN = 'DTSTART;TZID=Europe/Berlin:20270322T160000'

test('what repeats is a booking each time, at the same time on its clocks, whatever the offset is', async () => {
  const rows = await rowsOf(['UID:weekly', BERLIN, 'RRULE:FREQ=WEEKLY;COUNT=2'])
  expect(rows.map(({ line, values }) => ({ line, ...values }))).toEqual([
    {
      line: 2,
      id: 'weekly',
      service: 'Haircut',
      name: 'Kim',
      start: '2027-03-22T11:00:00-04:00',
      end: '2027-03-22T11:30:00-04:00',
    },
    {
      line: 2,
      id: 'weekly 20270329T140000Z',
      service: 'Haircut',
      name: 'Kim',
      start: '2027-03-29T10:00:00-04:00',
      end: '2027-03-29T10:30:00-04:00',
    },
  ])
})

test('what was moved is where it was moved to, wherever that stands in the file, and what was taken out is nowhere', async () => {
  const series = ['UID:moved', BERLIN, 'RRULE:FREQ=DAILY;COUNT=4', 'EXDATE;TZID=Europe/Berlin:20270323T160000']
  const moved = ['UID:moved', 'RECURRENCE-ID:20270324T150000Z', 'DTSTART:20270324T180000Z']
  const canceled = ['UID:moved', 'RECURRENCE-ID;TZID=Europe/Berlin:20270325T160000', BERLIN, 'STATUS:CANCELLED']
  for (const events of [
    [series, moved, canceled],
    [canceled, moved, series],
  ]) {
    const rows = await rowsOf(...events)
    const byId = Object.fromEntries(
      rows.map(({ values }) => [values.id, [new Date(values.start ?? ''), values.status]]),
    )
    expect(byId).toEqual({
      moved: [new Date('2027-03-22T15:00:00Z'), undefined],
      'moved 20270324T150000Z': [new Date('2027-03-24T18:00:00Z'), undefined],
      'moved 20270325T150000Z': [new Date('2027-03-22T15:00:00Z'), 'cancelled'],
    })
  }
})

test.each([
  ['days of its own', 'RDATE:20270401T150000Z,20270402T150000Z', ['03-22', '04-01', '04-02']],
  ['an end in UTC', 'RRULE:FREQ=DAILY;UNTIL=20270323T150000Z', ['03-22', '03-23']],
  ['an end a second before', 'RRULE:FREQ=DAILY;UNTIL=20270323T145959Z', ['03-22']],
  ['a day as its end', 'RRULE:FREQ=DAILY;UNTIL=20270323', ['03-22', '03-23']],
  ['a first time that the rule does not have', 'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2', ['03-22', '03-23']],
  ['whole days taken out', 'RRULE:FREQ=DAILY;COUNT=3\nEXDATE;VALUE=DATE:20270322,20270324', ['03-23']],
])('a series with %s', async (_, lines, days) => {
  const rows = await rowsOf(['UID:series', BERLIN, ...lines.split('\n')])
  expect(startsOf(rows).map((start) => start.slice('2027-'.length, '2027-MM-DD'.length))).toEqual(days)
})

const leftOutOf = (rows: SourceRow[]) => rows.flatMap(({ leftOut = [] }) => leftOut)

test('what has no end is read for a year, and it is told that it goes on', async () => {
  const rows = await rowsOf(['UID:endless', 'DTSTART:20261128T150000Z', 'RRULE:FREQ=WEEKLY'])
  expect([rows.length, startsOf(rows)[0], startsOf(rows).at(-2)]).toEqual([
    54,
    '2026-11-28T10:00:00-05:00',
    '2027-11-27T10:00:00-05:00',
  ])
  expect(leftOutOf(rows)).toEqual(['times of a series after 2027-12-01'])
})

test('a time that is taken out or moved without a zone is on the clocks of the series, and one that it does not have is told', async () => {
  const series = ['UID:floating', BERLIN, 'RRULE:FREQ=DAILY;COUNT=3']
  const moved = ['UID:floating', 'RECURRENCE-ID:20270324T160000', 'DTSTART:20270324T180000Z']
  const rows = await rowsOf([...series, 'EXDATE:20270323T160000,20270323T170000', 'EXDATE;VALUE=DATE:20270301'], moved)
  expect(rows.map(({ values: { id } }) => id)).toEqual(['floating', undefined, 'floating 20270324T150000Z'])
  expect(leftOutOf(rows)).toEqual(['times taken out of a series that has none then: 2'])
})

test('what has no id has none when it repeats either, so that two at one time are two', async () => {
  const [one, other] = [BERLIN, 'RRULE:FREQ=DAILY;COUNT=2']
  const rows = await rowsOf([one, other], [one, other])
  expect(rows.map(({ values: { id, start } }) => [id, start?.slice(8, 10)])).toEqual([
    ...[
      [undefined, '22'],
      [undefined, '23'],
    ],
    ...[
      [undefined, '22'],
      [undefined, '23'],
    ],
  ])
})

test('of which all times are taken out nothing is left, and that is told', async () => {
  const rows = await rowsOf(['UID:none', BERLIN, 'RRULE:FREQ=DAILY;COUNT=1', 'EXDATE:20270322T150000Z'])
  expect(leftOutOf(rows)).toEqual(['an event that repeats, and of which all times are taken out'])
})

test.each([
  ['hours', 'RRULE:FREQ=HOURLY', /^It repeats by a rule that is not known here/],
  ['nonsense', 'RRULE:FREQ=SOMETIMES', /^It repeats by a rule/],
  ['a day that never comes', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', /^It repeats by a rule/],
  ['an end that is none', 'RRULE:FREQ=DAILY;UNTIL=SOON', /^It repeats until SOON, which is no moment/],
  ['two rules', 'RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY', /^It has RRULE more than once/],
  ['a rule for what it leaves out', 'RRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY', /^It leaves out times by a rule/],
  ['a time taken out that is none', 'RRULE:FREQ=DAILY\nEXDATE:SOON', /^EXDATE is SOON, which is no moment/],
])('a series with %s is refused', async (_, lines, why) => {
  const rows = await rowsOf(['UID:bad', BERLIN, ...lines.split('\n')])
  expect(faultsOf(rows)).toEqual([expect.stringMatching(why)])
})

test('a series of too many times is refused, also where some of them are taken out', async () => {
  const daily = ['UID:old', 'DTSTART:19700101T150000Z', 'RRULE:FREQ=DAILY']
  const why = 'It repeats more than 5000 times. Export its times as events of their own.'
  expect(faultsOf(await rowsOf(daily))).toEqual([why])
  expect(faultsOf(await rowsOf([...daily, 'EXDATE:19700102T150000Z']))).toEqual([why])
})

const ELSEWHERE = 'Which of its times are elsewhere cannot be read. Export its times as events of their own.'
test.each([
  ['all that follow', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20270324T150000Z', /^It changes all that follow as well/],
  ['a whole day', 'RECURRENCE-ID;VALUE=DATE:20270324', /^It is for whole days/],
  ['no moment', 'RECURRENCE-ID:SOON', /^RECURRENCE-ID is SOON/],
  ['a rule of its own', 'RRULE:FREQ=DAILY\nRECURRENCE-ID:20270324T150000Z', /^It repeats, and another/],
])('where something takes the place of %s, neither it nor the series is read', async (_, lines, why) => {
  const rows = await rowsOf(
    ['UID:part', BERLIN, 'RRULE:FREQ=DAILY;COUNT=5'],
    ['UID:part', ...lines.split('\n'), 'DTSTART:20270324T180000Z'],
  )
  expect(faultsOf(rows)).toEqual([ELSEWHERE, expect.stringMatching(why)])
})

test('what takes the place of one of a series has to say of which', async () => {
  expect(faultsOf(await rowsOf(['RECURRENCE-ID:20270324T150000Z', BERLIN]))).toEqual([
    'It takes the place of one of a series, and has no UID.',
  ])
})

test.each(['PT', 'P1DT', '1h', 'P99999999D', `P${'9'.repeat(30)}D`])(
  'an event with the duration %s is refused, and the next one is read',
  async (duration) => {
    const events = [`DTSTART:20270324T150000Z\nDURATION:${duration}`, 'DTSTART:20270325T150000Z\nDURATION:PT30M']
    const rows = await readRows(events.map((lines) => `BEGIN:VEVENT\n${lines}\nSUMMARY:Kim\nEND:VEVENT\n`).join(''))
    expect(faultsOf(rows)).toEqual([
      `DURATION is ${duration}: write one such as PT30M, of 400 days at most.`,
      undefined,
    ])
  },
)
