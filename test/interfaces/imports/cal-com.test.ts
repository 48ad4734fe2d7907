import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { csv } from '../../../src/infra/util/write-csv.ts'
import type { SourceRow } from '../../../src/interfaces/imports/import-columns.ts'
import { csvRows } from '../../../src/interfaces/imports/read-import-rows-from-csv.ts'
import { freshDatabase } from '../../support/database.ts'

/** Of cal.com's schema what the query reads. */
const TABLES = `
  create type "BookingStatus" as enum ('cancelled', 'accepted', 'rejected', 'pending', 'awaiting_host');
  create table users (id int, name text);
  create table "EventType" (id int, title text, "seatsPerTimeSlot" int);
  create table "Booking" (id int, uid text, "userId" int, "eventTypeId" int, title text, description text, "startTime" timestamp(3),
    "endTime" timestamp(3), status "BookingStatus", paid boolean, "smsReminderNumber" text, "customInputs" jsonb, responses jsonb, location text);
  create table "BookingSeat" (id int, "bookingId" int, "attendeeId" int, data jsonb);
  create table "OutOfOfficeEntry" (id int, start timestamp(3), "end" timestamp(3), notes text, "userId" int);
  create table "Schedule" (id int, "userId" int, name text);
  create table "Availability" (id int, "scheduleId" int, days int[], date date);
  create table "Attendee" (id int, email text, name text, "phoneNumber" text, "bookingId" int, "noShow" boolean);
  insert into users values (1, 'Ann');
  insert into "EventType" values (1, 'Haircut', null), (2, 'Yoga', 8);
  insert into "Booking" values
    (1, 'one', 1, 1, 'Haircut between Ann and Kim', 'Short', '2998-12-01 15:00', '2998-12-01 16:00', 'accepted', true, null, '{"Old question": "yes"}',
      '{"name": "Kim", "guests": ["guest@example.com"], "shoe_size": 38, "colours": ["red"], "empty": ""}', 'Main street 1'),
    (2, 'two', 1, 2, 'Yoga', null, '2998-12-02 15:00', '2998-12-02 16:00', 'accepted', false, '+15550100', null, '{"mat": "of Lou"}', 'integrations:daily'),
    (3, 'three', null, null, 'Gone', null, '2998-12-03 15:00', '2998-12-03 16:00', 'awaiting_host', false, null, null, null, null);
  insert into "BookingSeat" values (1, 2, 3, '{"description": "Late", "responses": {"mat": "mine"}}'), (2, 2, 4, null);
  insert into "OutOfOfficeEntry" values (1, '2999-01-01', '2999-01-02', null, 1), (2, '2001-01-01', '2001-01-02', null, 1);
  insert into "Schedule" values (1, 1, 'Working hours');
  insert into "Availability" values (1, 1, '{1,2}', null), (2, 1, '{}', '2999-01-01'), (3, 1, '{}', '2999-01-01'), (4, 1, '{}', '2001-01-01');
  insert into "Attendee" values (2, 'guest@example.com', 'Guest', null, 1, false), (1, 'kim@example.com', 'Kim', '+15550101', 1, false),
    (3, 'lou@example.com', 'Lou', null, 2, true), (4, 'max@example.com', 'Max', null, 2, false),
    (5, 'LOU@example.com', 'Lou along', null, 1, false), (6, 'Guest@example.com', 'Guest again', '+15550102', 1, false),
    (7, 'alone@example.com', 'Alone', null, null, false);`

const client = new pg.Client(await freshDatabase({ migrated: false }))
await client.connect()
afterAll(() => client.end())

async function* whole(text: string) {
  yield text
}

test('what the query takes out of a cal.com database is a table of bookings, of whoever only came along, and of what stays behind', async () => {
  await client.query(TABLES)
  const { fields, rows } = await client.query(readFileSync('examples/import/cal-com.sql', 'utf8'))
  const names = fields.map(({ name }) => name)
  const table = csv([names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))])
  const warnings: string[] = []
  const reading = { zone: 'UTC', now: new Date(), warn: (text: string) => warnings.push(text) }
  const read: SourceRow[] = []
  for await (const row of csvRows(whole(table), reading)) read.push(row)
  expect(warnings).toEqual([])
  const [one, two] = [
    { start: '2998-12-01T15:00:00Z', end: '2998-12-01T16:00:00Z', service: 'Haircut', with: 'Ann', status: 'accepted' },
    { start: '2998-12-02T15:00:00Z', end: '2998-12-02T16:00:00Z', service: 'Yoga', with: 'Ann', paid: 'no' },
  ]
  expect(read.map(({ values }) => values)).toMatchObject([
    {
      ...one,
      id: 'one',
      paid: 'yes',
      name: 'Kim',
      email: 'kim@example.com',
      notes: 'Short\ncolours: ["red"]\nshoe_size: 38\nOld question: yes\nPlace: Main street 1',
    },
    { ...two, id: 'two-3', status: 'no_show', name: 'Lou', notes: 'Late\nmat: mine' },
    { ...two, id: 'two-4', status: 'accepted', name: 'Max' },
    { id: 'three', service: 'Gone', status: 'pending' },
    { name: 'Alone', email: 'alone@example.com' },
    { name: 'Guest again', email: 'Guest@example.com', phone: '+15550102' },
    ...Array(5).fill({}),
  ])
  expect(read[2]?.values.notes).toBeUndefined()
  expect(read.map(({ isPersonAlone }) => isPersonAlone)).toEqual([
    ...[...Array(4).fill(false), true, true],
    ...Array(5).fill(false),
  ])
  expect(read.map(({ leftOut = [] }) => leftOut.join())).toEqual([
    'other guests of the booking, with their addresses: 3',
    ...Array(5).fill(''),
    'event types (add them as services to the definition): 2',
    'schedules (add them as hours to the definition): 1',
    'days with other hours than the schedule (add them as special hours): 1',
    'times out of office (block them at the desk): 1',
    'links of cal.com video calls: 1',
  ])
})
