import pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, restDesk, testShop } from '../support/desk.ts'
import { usp } from '../support/process.ts'

const databaseUrl = await freshDatabase()
const shop = await testShop(businessWith([service('svc_one')]), { databaseUrl })
const desk = restDesk(shop)
const admin = new pg.Client(
  Object.assign(new URL(inject('superuser')), { pathname: new URL(databaseUrl).pathname }).href,
)
await admin.connect()
afterAll(() => admin.end())

/** As PostgreSQL says it when a file cannot grow: of a booking, and of whatever is made to find out. */
const FULL = `
  create or replace function no_room() returns trigger language plpgsql as $$ begin
    raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
  create or replace function no_room_for_tables() returns event_trigger language plpgsql as $$ begin
    raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
  create trigger full_disk before insert on bookings execute function no_room();
  create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS') execute function no_room_for_tables()`
const ROOM = 'drop event trigger full_disk; drop trigger full_disk on bookings'

const ready = () => shop.raw({ method: 'GET', url: '/readyz' })

test('[a full disk] a change that finds no room makes the server unready, until there is room', async () => {
  const [slot] = await desk.slots('svc_one')
  await admin.query(FULL)
  expect((await ready()).status).toBe(200)
  expect((await desk.book(slot, { buyer })).status).toBe(503)
  for (let times = 0; times < 2; times++) {
    const { status, body } = await ready()
    expect([status, body.detail]).toEqual([503, 'The disk of the database is full: it takes no changes.'])
  }
  await admin.query(ROOM)
  expect((await ready()).status).toBe(200)
  expect((await desk.book(slot, { buyer })).status).toBe(201)
})

test('[a full disk] a command that finds no room says so, and not that the database is gone', async () => {
  await admin.query(`${FULL}; create trigger full_disk before insert on staff execute function no_room()`)
  const adding = usp(['staff', 'add', 'Ann'], { DATABASE_URL: databaseUrl })
  expect(await adding.ended).toBe(1)
  expect(adding.output()).toBe(
    'The disk of the database is full. Make room on it (deploy/drills.md says how), then try again.\n',
  )
  await admin.query(`${ROOM}; drop trigger full_disk on staff`)
})
