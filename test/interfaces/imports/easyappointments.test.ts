import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { report } from '../../../src/interfaces/imports/import-report.ts'
import { importRows } from '../../../src/interfaces/imports/import-rows.ts'
import { nameFinder } from '../../../src/interfaces/imports/match-names-to-ids.ts'
import { rowsOf } from '../../../src/interfaces/imports/read-import-file.ts'
import { studio } from '../../desk/studio.ts'
import { testShop } from '../../support/desk.ts'
import { missing, startMariaDb } from '../../support/mariadb.ts'

/** Of the schema of Easy!Appointments 1.5 what says who, what and when, as its migrations leave it. */
const TABLES = `
  create database easyappointments character set utf8mb4;
  use easyappointments;
  create table ea_roles (id bigint unsigned primary key, name varchar(256), slug varchar(256));
  create table ea_settings (id bigint unsigned auto_increment primary key, name varchar(512), value longtext);
  create table ea_services (id bigint unsigned primary key, name varchar(256), duration int, price decimal(10, 2), attendants_number int default 1);
  create table ea_users (
    id bigint unsigned primary key, first_name varchar(256), last_name varchar(512), email varchar(512), mobile_number varchar(128),
    phone_number varchar(128), address varchar(256), city varchar(256), state varchar(128), zip_code varchar(64), notes text,
    timezone varchar(256) default 'UTC', language varchar(256) default 'english', custom_field_1 text, custom_field_2 text,
    custom_field_3 text, custom_field_4 text, custom_field_5 text, id_roles bigint unsigned not null references ea_roles (id));
  create table ea_user_settings (id_users bigint unsigned primary key references ea_users (id), working_plan text, working_plan_exceptions text);
  create table ea_appointments (
    id bigint unsigned primary key, book_datetime datetime, start_datetime datetime, end_datetime datetime, location text, notes text,
    hash text, color varchar(256) default '#7cbae8', status varchar(512) default '', is_unavailability tinyint not null default 0,
    id_users_provider bigint unsigned references ea_users (id), id_users_customer bigint unsigned references ea_users (id),
    id_services bigint unsigned references ea_services (id));
  create table ea_blocked_periods (id int primary key, name varchar(256), start_datetime datetime, end_datetime datetime, notes text);`

const ROWS = `
  use easyappointments;
  insert into ea_roles values (1, 'Administrator', 'admin'), (2, 'Provider', 'provider'), (3, 'Customer', 'customer');
  insert into ea_settings (name, value) values ('label_custom_field_1', 'Shoe size'), ('label_custom_field_2', '');
  insert into ea_services (id, name, duration) values (1, 'Haircut', 60);
  insert into ea_users (id, first_name, last_name, id_roles) values (1, 'Ann', null, 2), (2, 'Ben', '', 2);
  insert into ea_users (id, first_name, last_name, email, phone_number, mobile_number, address, city, zip_code, notes, custom_field_1,
    custom_field_2, id_roles) values
    (11, 'Zoë "Z"', 'Quist, née Ö', 'zoe@example.com', '+49 30 123456', '+49 170 1', 'Weg 1', 'Berlin', '10115', 'Left-handed;\nlikes tea', '38', 'blue', 3),
    (12, 'Never', 'Came', 'never@example.com', null, null, null, null, null, 'Asked once', null, null, 3);
  insert into ea_users (id, first_name, timezone, language, id_roles) values (13, 'Kim', null, null, 3);
  insert into ea_user_settings values (1, '{"monday":null}', '[]'), (2, '{"monday":null}', '{"2027-01-04":null}');
  insert into ea_appointments (id, start_datetime, end_datetime, status, location, notes, is_unavailability, id_users_provider,
    id_users_customer, id_services) values
    (1, '2027-01-05 10:00', '2027-01-05 11:00', 'Booked', 'Room 2', 'She said "hi",\r\ntwice; \\\\ok', 0, 1, 11, 1),
    (2, '2027-01-05 13:00', '2027-01-05 13:30', 'Rescheduled', null, null, 0, 2, 13, 1),
    (3, '2027-01-06 10:00', '2027-01-06 11:00', 'Cancelled', null, '', 0, 1, 11, 1),
    (4, '2027-01-06 12:00', '2027-01-06 13:00', 'Draft', null, '', 0, 1, 11, 1),
    (5, '2027-01-06 14:00', '2027-01-06 15:00', '', null, '', 0, 1, 11, null),
    (6, '2027-01-07 09:00', '2027-01-07 12:00', '', null, 'Dentist', 1, 1, null, null),
    (7, '2020-01-07 09:00', '2020-01-07 12:00', '', null, null, 1, 1, null, null),
    (8, '2027-01-05 10:30', '2027-01-05 12:00', '', null, null, 1, 1, null, null);
  insert into ea_blocked_periods values (1, 'Holidays', '2027-02-01 00:00', '2027-02-08 00:00', null);`

test.runIf(process.env.CI)('what is to be imported from is here', () => {
  expect(missing).toBe('')
})

test.skipIf(missing)(
  `[nothing is dropped in silence] what the query takes out of an Easy!Appointments database is imported, or in the report${missing}`,
  async () => {
    const mariaDb = await startMariaDb()
    onTestFinished(mariaDb.stop)
    mariaDb.ask(TABLES + ROWS, ['--default-character-set=utf8mb4'])
    const taken = ['--default-character-set=utf8mb4', '--skip-column-names', '--raw', 'easyappointments']
    const table = mariaDb.ask(readFileSync('examples/import/easyappointments.sql', 'utf8'), taken)

    const shop = await testShop({
      ...studio,
      services: studio.services.map((one) => (one.id === 'svc_cut' ? { ...one, name: 'Haircut' } : one)),
    })
    const { db } = shop.runtime
    const names = nameFinder((await shop.runtime.business.get()) ?? studio, {})
    const warnings: string[] = []
    const run = async (isDryRun: boolean) => {
      const reading = { zone: 'America/New_York', now: new Date(), warn: (text: string) => warnings.push(text) }
      const rows = rowsOf('.csv', whole(table), reading)
      const wanted = { source: 'easyappointments', names, zone: reading.zone, notifies: false, isDryRun }
      return report(await importRows(rows, wanted, shop.runtime), { isDryRun })
    }
    expect(await run(true)).toMatch(
      /14 rows read = 5 would be imported \+ 0 already there \+ 4 refused \+ 1 without a booking \+ 4 left out\.$/,
    )
    const said = await run(false)
    expect(warnings).toEqual([])
    for (const what of [
      'not imported: time that was blocked and is over',
      'not imported: who never booked is not kept',
      'not imported: working plans (add them as hours to the definition): 2',
      'not imported: providers with days that differ from the working plan (add these days as special hours): 1',
      'not imported: customers with a language or a time zone: 2',
      'It was canceled there.',
      'It was not agreed to there.',
      'It does not say what it is of (service).',
      'Part of this time is occupied by bkg_',
    ])
      expect(said).toContain(what)
    expect(said).toMatch(/= 5 imported \+ 0 already there \+ 4 refused /)

    const made = await db.selectFrom('bookings').selectAll().orderBy('starts_at').execute()
    expect(made).toMatchObject([
      {
        starts_at: new Date('2027-01-05T15:00:00Z'),
        resource_ids: ['staff_ann'],
        people: {
          buyer: {
            first_name: 'Zoë "Z"',
            last_name: 'Quist, née Ö',
            email: 'zoe@example.com',
            phone_number: '+49 30 123456',
          },
          notes: 'She said "hi",\ntwice; \\ok\nPlace: Room 2',
        },
      },
      {
        ends_at: new Date('2027-01-05T18:30:00Z'),
        resource_ids: ['staff_ben'],
        people: { buyer: { first_name: 'Kim' } },
      },
    ])
    const notes = await db.selectFrom('customers').select('note').execute()
    const address = 'Mobile: +49 170 1\nAddress: Weg 1, 10115 Berlin'
    expect(notes).toEqual([{ note: `Left-handed;\nlikes tea\n${address}\nShoe size: 38\nField 2: blue` }])
    const blocks = await db.selectFrom('blocks').selectAll().orderBy('starts_at').orderBy('resource_id').execute()
    const closed = {
      starts_at: new Date('2027-02-01T05:00:00Z'),
      ends_at: new Date('2027-02-08T05:00:00Z'),
      reason: 'Holidays',
    }
    expect(blocks).toMatchObject([
      { resource_id: 'staff_ann', starts_at: new Date('2027-01-07T14:00:00Z'), reason: 'Dentist' },
      { resource_id: 'staff_ann', ...closed },
      { resource_id: 'staff_ben', ...closed },
    ])
    expect(await run(false)).toMatch(/= 0 imported \+ 5 already there \+ 4 refused /)
    expect(await db.selectFrom('blocks').select('id').execute()).toHaveLength(3)
  },
  120_000,
)

async function* whole(text: string) {
  yield text
}
