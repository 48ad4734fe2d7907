import { expect, test } from 'vitest'
import { report } from '../../../src/interfaces/imports/import-report.ts'
import type { RowResult } from '../../../src/interfaces/imports/import-row-result.ts'
import { importRows } from '../../../src/interfaces/imports/import-rows.ts'
import { isNameMap, type NameMap, nameFinder } from '../../../src/interfaces/imports/match-names-to-ids.ts'
import { rowsOf } from '../../../src/interfaces/imports/read-import-file.ts'
import { studio } from '../../desk/studio.ts'
import { testShop } from '../../support/desk.ts'

const shop = await testShop({
  ...studio,
  services: studio.services.map((one) => (one.id === 'svc_cut' ? { ...one, name: 'Haircut' } : one)),
})
const ZONE = 'America/New_York'

interface Options {
  ending?: string
  map?: NameMap
  service?: string
  isDryRun?: boolean
}

/** In pieces as small as a disk never gives them. */
async function* pieces(text: string) {
  for (let at = 0; at < text.length; at += 7) yield text.slice(at, at + 7)
}

const warnings: string[] = []
async function imported(text: string, { ending = '.csv', map = {}, service, isDryRun = false }: Options = {}) {
  warnings.length = 0
  const rows = rowsOf(ending, pieces(text), {
    zone: ZONE,
    zones: map.zone,
    service,
    now: shop.runtime.clock(),
    warn: (one) => warnings.push(one),
  })
  const wanted = { source: ending.slice(1), names: nameFinder(studioNow, map), zone: ZONE, notifies: false, isDryRun }
  return importRows(rows, wanted, shop.runtime)
}
const studioNow = (await shop.runtime.business.get()) ?? studio

const said = (told: readonly RowResult[]) =>
  told.map(({ line, outcome, reason }) => [line, outcome, ...(reason ? [reason] : [])])
const bookings = () =>
  shop.runtime.db.selectFrom('bookings').selectAll().orderBy('created_at').orderBy('starts_at').execute()

test('a table is imported by its names, whatever separates it and however often', async () => {
  const table = [
    'ID;Start;End;Service;With;First name;Last name;E-mail;Phone;Email;Notes',
    '1;2026-12-01 10:00;2026-12-01 10:45;haircut;Ann;Zoë;Quist;not read;030/123456;zoe@example.com;"She said ""hi"";',
    'twice"',
    '',
    '2;2026-12-01T12:00:00-05:00;;Haircut;BEN;Karl;;;;;',
  ].join('\r\n')
  expect(said(await imported(`\uFEFF${table}`))).toEqual([
    [2, 'imported'],
    [5, 'imported'],
  ])
  expect(warnings).toEqual(['These columns are not read: e_mail.'])
  const [first] = await bookings()
  expect(first).toMatchObject({
    starts_at: new Date('2026-12-01T15:00:00Z'),
    ends_at: new Date('2026-12-01T15:45:00Z'),
    resource_ids: ['staff_ann'],
    people: {
      buyer: { first_name: 'Zoë', last_name: 'Quist', email: 'zoe@example.com', phone_number: '030 123456' },
      notes: 'She said "hi";\ntwice',
    },
  })
  expect(said(await imported(table))).toEqual([
    [2, 'already_there'],
    [5, 'already_there'],
  ])
})

test.each([
  [{}, true],
  [{ service: { 'Hair cut': 'svc_cut' }, with: { Anna: 'staff_ann' }, place: {} }, true],
  [{ service: { 'Old one': null }, with: { Gone: null }, place: { Closed: null } }, true],
  [{ zone: { 'Eastern Time': 'America/New_York' } }, true],
  [{ zone: { 'Eastern Time': null } }, false],
  [{ zone: { 'Eastern Time': 'New York' } }, false],
  [{ services: {} }, false],
  [{ service: 'svc_cut' }, false],
  [{ service: null }, false],
  [{ service: ['svc_cut'] }, false],
  [{ service: { 'Hair cut': 7 } }, false],
  [{ service: { 'Hair cut': { id: 'svc_cut' } } }, false],
  [[], false],
  [null, false],
  ['service', false],
])('a map of names has ids, zones, or null for a name that is left out: %j', (map, isMap) => {
  expect(isNameMap(map)).toBe(isMap)
})

test('what names no id is known by what it says', async () => {
  const table =
    'start,service,name\n2026-12-02 10:00,Haircut,Kim\n2026-12-02 10:00,Haircut,Lou\n2026-12-02 10:00,Haircut,Kim\n'
  const outcomes = ['imported', 'refused', 'already_there']
  const [kim, lou, again] = await imported(table)
  // Ben comes at noon, so that only Ann is there.
  expect([kim?.outcome, lou?.outcome, again?.outcome]).toEqual(outcomes)
  expect(lou?.reason).toMatch(/^Part of this time is occupied by bkg_/)
})

test('a row that cannot be read is refused by its line, and says what to do; the others are imported', async () => {
  const head = 'id,start,service,with,status,name,email,people\n'
  const rows = [
    ['a', '2026-12-03 10:00', 'Hair cut', '', '', 'Kim'],
    ['b', '2026-12-03 10:00', 'Quantum healing', '', '', 'Kim'],
    ['c', '3.12.2026', 'Haircut', '', '', 'Kim'],
    ['d', '2026-02-30 10:00', 'Haircut', '', '', 'Kim'],
    ['e', '2026-12-03 10:00', 'Haircut', '', 'Cancelled', 'Kim'],
    ['f', '2026-12-03 10:00', 'Haircut', '', 'maybe', 'Kim'],
    ['g', '2026-12-03 10:00', 'Haircut', '', '', ''],
    ['h', '2026-12-03 10:00', 'Haircut', '', '', 'Kim', 'nowhere'],
    ['i', '2026-12-03 10:00', 'Haircut', '', '', 'Kim', '', '', 'more'],
    ['j', '2026-12-03 10:00', 'Haircut', 'Ann', '', 'Kim'],
  ]
  const told = await imported(head + rows.map((row) => row.join(',')).join('\n'))
  expect(said(told)).toEqual([
    [2, 'refused', 'There is no service Hair cut. Perhaps Haircut? Map it: {"service": {"Hair cut": "svc_cut"}}'],
    [3, 'refused', 'There is no service Quantum healing. Map it: {"service": {"Quantum healing": "ID"}}'],
    [4, 'refused', 'start is "3.12.2026": write it as 2026-12-01 10:00, or 2026-12-01T10:00:00+01:00.'],
    [5, 'refused', expect.stringMatching(/^start is "2026-02-30 10:00"/)],
    [6, 'refused', 'It was canceled there.'],
    [7, 'refused', expect.stringMatching(/^status is "maybe": write one of confirmed, /)],
    [8, 'refused', 'It does not say who comes (name, or first_name and last_name).'],
    [9, 'refused', expect.stringMatching(/^buyer\.email /)],
    [10, 'refused', 'It has 9 fields, and there are 8 columns.'],
    [11, 'imported'],
  ])
  expect(report(told, { isDryRun: false })).toMatch(
    /^! line 2 \(2026-12-03 10:00\): There is no service[\s\S]*\n\n10 rows read = 1 imported \+ 0 already there \+ 9 refused\.$/,
  )
})

test('[nothing is dropped in silence] somebody who never booked is told of by line and count, is no fault, and is not kept', async () => {
  const table = [
    'id,start,service,name,email,phone,notes,with',
    'w1,2027-06-07 10:00,Haircut,Kim,kim@example.com,,,',
    ',,,Never,never@example.com,030 1234567,Asked once,',
    ',,,Lou,,,,',
    ',,,,also@example.com,,,',
    'w2,,,Gap,,,,',
    ',,,Gap,,,,Ann',
    ',,,,,,only a note,',
    ',,,Nia,,,,',
  ].join('\n')
  const noService = 'It does not say when it begins (start).'
  for (const [isDryRun, first] of [
    [true, 'imported'],
    [false, 'imported'],
    [false, 'already_there'],
  ] as const) {
    const told = await imported(table, { isDryRun })
    expect(said(told)).toEqual([
      [2, first],
      [3, 'without_booking'],
      [4, 'without_booking'],
      [5, 'without_booking'],
      [6, 'refused', noService],
      [7, 'refused', noService],
      [8, 'refused', noService],
      [9, 'without_booking'],
    ])
    expect(report(told, { isDryRun })).toMatch(
      /^- lines 3-5, 9: not imported: who never booked is not kept: .*\n! line 6: [\s\S]*\n\n8 rows read = .* \+ 3 refused \+ 4 without a booking\.$/,
    )
  }
  // All of one service, a row that says of no time is nobody's booking all the same.
  const ofOne = await imported('start,name\n,Never\n', { service: 'Haircut' })
  expect(said(ofOne)).toEqual([[2, 'without_booking']])
  expect(JSON.stringify(await bookings())).not.toMatch(/never/i)
  expect(await shop.runtime.db.selectFrom('customer_contacts').selectAll().execute()).toEqual([])
})

test('names are mapped, and one that is mapped to nothing is left out', async () => {
  const table =
    'id,start,service,with,name\nm1,2026-12-04 10:00,Hair cut,Annie,Kim\nm2,2026-12-04 12:00,Gift card,,Kim\n'
  const map = { service: { 'hair cut': 'svc_cut', 'Gift card': null }, with: { Annie: 'staff_ann' } }
  expect(said(await imported(table, { map }))).toEqual([
    [2, 'imported'],
    [3, 'refused', 'The map leaves Gift card out.'],
  ])
})

test('a rehearsal tells the same, and nothing stays', async () => {
  const before = (await bookings()).length
  const table = 'id,start,service,with,name\nr1,2026-12-05 10:00,Haircut,Ann,Kim\nr2,2026-12-05 10:30,Haircut,Ann,Lou\n'
  const outcomes = ['imported', 'refused']
  expect((await imported(table, { isDryRun: true })).map(({ outcome }) => outcome)).toEqual(outcomes)
  expect(await bookings()).toHaveLength(before)
  expect((await imported(table)).map(({ outcome }) => outcome)).toEqual(outcomes)
})

test('more than fit into one call are imported all the same', async () => {
  const rows = Array.from({ length: 120 }, (_, day) => {
    const date = new Date(Date.UTC(2027, 0, 1 + day)).toISOString().slice(0, 10)
    return `n${day},${date} 13:00,Haircut,Kim`
  })
  const told = await imported(`id,start,service,name\n${rows.join('\n')}`)
  expect(told.filter(({ outcome }) => outcome === 'imported')).toHaveLength(120)
})

test.each([
  ['nothing at all', '', 'The file is empty.'],
  ['no column that says when', 'service,name\nHaircut,Kim', /a column start is missing/],
  ['the same column twice', 'start,service,start\n', /two columns called start/],
  ['quotes without an end', 'start,service\n"2026-12-01,Haircut\nx,y', /^Line 2: the quotes .* never end/],
  ['text behind quotes', 'start,service\n"2026-12-01"x,Haircut', /^Line 2: something stands behind the quotes/],
  ['a field without an end', `start,service\n${'x'.repeat(10_001)},Haircut`, /^Line 2: a field has more than 10000/],
])('a file with %s is refused as a whole', async (_, text, why) => {
  await expect(imported(text)).rejects.toThrow(why)
})

const calendar = (...events: string[][]) =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', 'BEGIN:STANDARD'],
    ...['DTSTART:19701025T030000', 'END:STANDARD', 'END:VTIMEZONE'],
    ...events.flatMap((lines) => [
      'BEGIN:VEVENT',
      ...lines,
      'BEGIN:VALARM',
      'DESCRIPTION:Soon',
      'END:VALARM',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ].join('\r\n')

test('the events of a calendar are imported by their titles', async () => {
  const kim = ['SUMMARY:Haircut', 'ATTENDEE;CN=Kim:mailto:kim@example.com']
  const file = calendar(
    [
      ...['UID:one@example', 'DTSTART:20261208T150000Z', 'DTEND:20261208T160000Z', 'SUMMARY:Hair', ' cut'.trimStart()],
      ...['ATTENDEE;CN="Kim, of Paris";RSVP=TRUE:mailto:kim@example.com', 'DESCRIPTION:Short\\, please\\nand soon'],
    ].map((line) => (line === 'cut' ? ' cut' : line)),
    [
      'UID:two@example',
      'DTSTART;TZID=Europe/Berlin:20261209T180000',
      'DURATION:PT30M',
      'SUMMARY:Haircut',
      'ATTENDEE:mailto:lou@example.com',
    ],
    ['UID:three@example', 'DTSTART:20261210T150000Z', 'RRULE:FREQ=DAILY;COUNT=2', ...kim],
    ['UID:four@example', 'DTSTART;VALUE=DATE:20261210', 'SUMMARY:Haircut'],
    ['UID:five@example', 'DTSTART:20261210T150000Z', 'SUMMARY:Haircut', 'STATUS:CANCELLED'],
    ['UID:six@example', 'DTSTART;TZID=Eastern Standard Time:20261210T150000', 'SUMMARY:Haircut'],
  )
  expect(said(await imported(file, { ending: '.ics' }))).toEqual([
    [9, 'imported'],
    [21, 'imported'],
    [31, 'imported'],
    [31, 'imported'],
    [41, 'refused', 'It is for whole days: a booking begins at a time.'],
    [49, 'refused', 'It does not say who comes (name, or first_name and last_name).'],
    [58, 'refused', expect.stringMatching(/^Its time zone Eastern Standard Time is none/)],
  ])
  const made = (await bookings()).filter(
    ({ starts_at }) => starts_at > new Date('2026-12-08') && starts_at < new Date('2026-12-11'),
  )
  expect(made).toMatchObject([
    {
      starts_at: new Date('2026-12-08T15:00:00Z'),
      people: { buyer: { first_name: 'Kim, of Paris', email: 'kim@example.com' }, notes: 'Short, please\nand soon' },
    },
    { starts_at: new Date('2026-12-09T17:00:00Z'), ends_at: new Date('2026-12-09T17:30:00Z') },
    { starts_at: new Date('2026-12-10T15:00:00Z'), people: { buyer: { email: 'kim@example.com' } } },
  ])
})

interface Fate {
  name: string
  fate: 'read' | 'refused' | 'named' | 'untold'
  /** DAY is one that no other has. */
  lines: string[]
  /** What stands in the booking. */
  kept?: string
}

const read = (name: string, value: string, kept: string): Fate => ({
  name,
  fate: 'read',
  lines: [`${name}${/[:;]/.test(value) ? value : `:${value}`}`],
  kept,
})
const refused = (name: string, ...lines: string[]): Fate => ({ name, fate: 'refused', lines })

/** What RFC 5545 lets stand in an event, and what becomes of each; docs/import.md says the same. */
const fates: Fate[] = [
  read('UID', 'own@example', 'T15:00:00'),
  read('DTSTART', 'DAYT160000Z', 'T16:00:00'),
  read('DTEND', 'DAYT150500Z', 'T15:05:00'),
  read('DURATION', 'PT5M', 'T15:05:00'),
  read('SUMMARY', 'Kim Lee', 'Kim Lee'),
  read('DESCRIPTION', 'Short', 'Short'),
  read('ATTENDEE', ';CN=Lou:mailto:lou@example.com', 'lou@example.com'),
  read('ORGANIZER', ':mailto:ann@shop.example', 'Kim'),
  read('RECURRENCE-ID', 'DAYT150000Z', 'T15:00:00'),
  refused('STATUS', 'STATUS:CANCELLED'),
  read('RRULE', ':FREQ=DAILY;COUNT=1', 'T15:00:00'),
  read('RDATE', 'DAYT150000Z', 'T15:00:00'),
  refused('EXDATE', 'RRULE:FREQ=DAILY', 'EXDATE:SOON'),
  refused('EXRULE', 'RRULE:FREQ=DAILY;COUNT=1', 'EXRULE:FREQ=WEEKLY'),
  refused('SUMMARY', 'SUMMARY:Kim', 'SUMMARY:Lou'),
  refused('DESCRIPTION', 'DESCRIPTION:One', 'DESCRIPTION:Two'),
  ...['DTSTAMP', 'CREATED', 'LAST-MODIFIED', 'SEQUENCE'].map(
    (name): Fate => ({ name, fate: 'untold', lines: [`${name}:1`] }),
  ),
  ...'CLASS GEO LOCATION PRIORITY TRANSP URL ATTACH CATEGORIES COMMENT CONTACT REQUEST-STATUS RELATED-TO RESOURCES X-OWN IMAGE'
    .split(' ')
    .map((name): Fate => ({ name, fate: 'named', lines: [`${name}:1`] })),
]
let day = 0

test('[nothing is dropped in silence] a calendar that is cut off is refused as a whole, and so is one whose parts end elsewhere', async () => {
  const whole = calendar(
    ['UID:cut1@example', 'DTSTART:20270701T150000Z', 'SUMMARY:Kim'],
    ['UID:cut2@example', 'DTSTART:20270702T150000Z', 'SUMMARY:Lou'],
  )
  const before = (await bookings()).length
  const isRefused = async (text: string, why: string) =>
    expect(imported(text, { ending: '.ics', service: 'Haircut' })).rejects.toThrow(why)
  const upTo = (end: string) => whole.slice(0, whole.lastIndexOf(end))
  const cutOff = 'never ends: the file is cut off. Nothing was done.'
  await isRefused(upTo('UID:cut2'), `Line 17: the VEVENT that begins here ${cutOff}`)
  await isRefused(upTo('END:VALARM'), `Line 21: the VALARM that begins here ${cutOff}`)
  await isRefused(upTo('END:VCALENDAR'), `Line 1: the VCALENDAR that begins here ${cutOff}`)
  await isRefused(whole.slice(0, -4), 'END:VCALE ends nothing that began before it. Nothing was done.')
  await isRefused(upTo('END:VEVENT'), `Line 17: the VEVENT that begins here ${cutOff}`)
  await isRefused(whole.replace('END:VALARM\r\n', ''), 'Line 15: END:VEVENT ends nothing that began before it.')
  await isRefused('BEGIN:VCALENDAR\nEND:VEVENT\nEND:VCALENDAR', 'Line 2: END:VEVENT ends nothing that began before it.')
  await isRefused('', 'The file is empty.')
  // What is no calendar is not read into memory for as long as it goes on.
  await isRefused(
    whole.replace('SUMMARY:Lou', 'X-A:1\n'.repeat(10_100)),
    'this event has more than 10000 lines. Nothing was done.',
  )
  await isRefused('BEGIN:VCALENDAR\n'.repeat(30), 'Line 22: what begins here stands in 20 others. Nothing was done.')
  expect(await bookings()).toHaveLength(before)
})

test('[nothing is dropped in silence] a calendar within one, and one behind it, are read; what is no event is named', async () => {
  const event = (uid: string, day: string, ...more: string[]) => [
    ...['BEGIN:VEVENT', `UID:${uid}`, `DTSTART:${day}T150000Z`, 'SUMMARY:Kim', ...more, 'END:VEVENT'],
  ]
  const part = (name: string) => [`BEGIN:${name}`, 'SUMMARY:Kim', 'DTSTART:20270701T150000Z', `END:${name}`]
  const file = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'X-WR-CALNAME:Work', ...event('in1', '20270703')],
    ...['BEGIN:VCALENDAR', ...event('in2', '20270704'), 'END:VCALENDAR', ...part('VTODO'), ...part('VTODO')],
    ...[...part('VJOURNAL'), ...part('VFREEBUSY'), 'no property', '', 'END:VCALENDAR', 'STRAY:1', ...part('VEVENT')],
    ...['BEGIN:VCALENDAR', 'METHOD:CANCEL', ...event('in3', '20270705'), 'END:VCALENDAR'],
    ...[
      'BEGIN:VCALENDAR',
      ...event('in4', '20270706', 'BEGIN:VEVENT', 'SUMMARY:Lou', 'END:VEVENT'),
      'END:VCALEN',
      ' DAR',
    ],
  ].join('\r\n')
  expect(said(await imported(file, { ending: '.ics', service: 'Haircut' }))).toEqual([
    [4, 'imported'],
    [10, 'imported'],
    [expect.any(Number), 'refused', 'It was canceled there.'],
    [expect.any(Number), 'imported'],
  ])
  expect(warnings).toEqual([
    'Of events this is not read (in how many it stands): VEVENT (1).',
    'Beside events this is not read (how often it is there): X-WR-CALNAME (1), VTODO (2), VJOURNAL (1), VFREEBUSY (1), lines that are no properties (1), what stands outside of a calendar (1), VEVENT (1).',
  ])
})

test.each(fates)('[nothing is dropped in silence] of an event, $name is $fate', async ({ name, fate, lines, kept }) => {
  const date = new Date(Date.UTC(2027, 7, ++day)).toISOString().slice(0, 10).replaceAll('-', '')
  const usual = { UID: `${date}@example`, DTSTART: 'DAYT150000Z', SUMMARY: 'Kim' }
  const others = Object.entries(usual).flatMap(([own, value]) => (own === name ? [] : [`${own}:${value}`]))
  const file = calendar([...others, ...lines]).replaceAll('DAY', date)
  const [told] = await imported(file, { ending: '.ics', service: 'Haircut' })
  const named = fate === 'named' ? `${name} (1), ` : ''
  expect(warnings).toEqual([`Of events this is not read (in how many it stands): ${named}VALARM (1).`])
  expect([told?.outcome, told?.reason]).toEqual(
    fate === 'refused' ? ['refused', expect.any(String)] : ['imported', undefined],
  )
  const made = (await bookings()).filter(({ starts_at }) =>
    starts_at.toISOString().replaceAll('-', '').startsWith(date),
  )
  expect(made).toHaveLength(fate === 'refused' ? 0 : 1)
  if (kept !== undefined) expect(JSON.stringify(made)).toContain(kept)
})

test('[nothing is dropped in silence] of several who are invited the one whom the title names comes, and the others are counted', async () => {
  const at = (day: string, title: string, ...lines: string[]) => [
    ...[`UID:${day}@guests`, `DTSTART:${day}T150000Z`, `SUMMARY:${title}`, ...lines],
  ]
  const [kim, lou] = ['ATTENDEE;CN=Kim Lee:mailto:kim@example.com', 'ATTENDEE;CN=Lou:mailto:lou@example.com']
  const organizer = ['ORGANIZER;CN=Ann:mailto:ann@shop.example', 'ATTENDEE;CN=Ann:MAILTO:Ann@shop.example']
  const file = calendar(
    at('20271001', 'Kim lee', lou, kim),
    at('20271002', 'Somebody', kim, lou),
    at('20271003', 'Somebody', ...organizer, kim),
    at('20271004', 'Kim', 'ATTENDEE;CUTYPE=ROOM;CN=Blue:mailto:blue@shop.example', 'ATTENDEE;CN=Kim:tel:+12125550100'),
    at('20271005', 'Kim', 'ATTENDEE;PARTSTAT=DECLINED;CN=Kim:mailto:kim@example.com'),
    at('20271006', 'Kim', 'ATTENDEE;CN=Kim;EMAIL=kim@example.com:urn:uuid:1'),
  )
  const told = await imported(file, { ending: '.ics', service: 'Haircut' })
  expect(told.map(({ outcome }) => outcome)).toEqual([...Array(4).fill('imported'), 'refused', 'imported'])
  expect(report(told, { isDryRun: false })).toContain(
    [
      '- line 9: not imported: people who are invited beside whoever comes, with their addresses: 1',
      '- line 19: not imported: people who are invited beside whoever comes, with their addresses: 2',
      '- line 40: not imported: rooms or things that are invited: 1',
    ].join('\n'),
  )
  const buyers = (await bookings())
    .filter(({ starts_at }) => starts_at >= new Date('2027-10-01') && starts_at < new Date('2027-11-01'))
    .map(({ people }) => people)
  const nobody = 'unknown@nobody.invalid'
  expect(buyers).toMatchObject([
    { buyer: { first_name: 'Kim Lee', email: 'kim@example.com' } },
    { buyer: { first_name: 'Somebody', email: nobody } },
    { buyer: { first_name: 'Kim Lee', email: 'kim@example.com' } },
    { buyer: { first_name: 'Kim', email: nobody, phone_number: '+12125550100' } },
    { buyer: { first_name: 'Kim', email: 'kim@example.com' } },
  ])
  const unknown = calendar(at('20271007', 'Haircut', kim, lou))
  expect(said(await imported(unknown, { ending: '.ics' }))).toEqual([
    [9, 'refused', 'It invites 2: which of them books, it does not say.'],
  ])
})

test('a zone that the world does not know is the one that the map says', async () => {
  const file = calendar(['UID:zoned', 'DTSTART;TZID=W. Europe Standard Time:20271110T160000', 'SUMMARY:Kim Lee'])
  const options = { ending: '.ics', service: 'Haircut' }
  const [unknown] = await imported(file, options)
  expect(unknown?.reason).toBe(
    'Its time zone W. Europe Standard Time is none of the world\'s list. Map it: {"zone": {"W. Europe Standard Time": "Europe/Berlin"}}',
  )
  const [known] = await imported(file, { ...options, map: { zone: { 'W. Europe Standard Time': 'Europe/Berlin' } } })
  expect([known?.outcome, known && new Date(known.start)]).toEqual(['imported', new Date('2027-11-10T15:00:00Z')])
})

test('what repeats is imported once, was it a single event before or not', async () => {
  const first = ['UID:again@example', 'DTSTART:20271101T150000Z', 'SUMMARY:Kim Lee']
  const outcomes = async (...more: string[]) =>
    (await imported(calendar([...first, ...more]), { ending: '.ics', service: 'Haircut' })).map(
      ({ outcome }) => outcome,
    )
  expect(await outcomes()).toEqual(['imported'])
  expect(await outcomes('RRULE:FREQ=DAILY;COUNT=3')).toEqual(['already_there', 'imported', 'imported'])
  expect(await outcomes('RRULE:FREQ=DAILY;COUNT=3')).toEqual(Array(3).fill('already_there'))
})

test('what of a series is not read is told by its line, once', async () => {
  const lines = ['UID:goes-on@example', 'DTSTART:20271201T150000Z', 'RRULE:FREQ=DAILY', 'SUMMARY:Kim Lee']
  const told = await imported(calendar(lines), { ending: '.ics', service: 'Haircut' })
  expect(report(told, { isDryRun: false })).toContain(`- line 9: not imported: times of a series after 2027-12-01`)
})

test('in the calendar of one service the title says who comes', async () => {
  const file = calendar(['UID:seven@example', 'DTSTART:20261215T150000Z', 'DTEND:20261215T160000Z', 'SUMMARY:Kim Lee'])
  expect(said(await imported(file, { ending: '.ics', service: 'Haircut' }))).toEqual([[9, 'imported']])
})
