import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { providerReaders } from '../../src/domain/busy-times/oauth/provider-readers.ts'
import { readDueCalendars } from '../../src/domain/busy-times/source-worker.ts'
import { START } from '../support/server.ts'
import { calendarOf } from './calendar-text.ts'
import { hour } from './connected-shop.ts'
import { ANN, at, googleShop } from './google-shop.ts'
import { APP, microsoftStandIn } from './microsoft.ts'

const DAY = '2026-11-24'
const microsoft = await microsoftStandIn()
const on = await googleShop({ BASE_URL: 'https://salon.example', MICROSOFT_API_BASE: microsoft.origin })
const { shop, google, owner, rest, mcp, call, clear, connect, callsOf, provider, listed } = on
const { db, config } = shop.runtime
google.now = () => shop.time.now.getTime()
await rest.call('usp_business_calendar_apps_set', { provider: 'microsoft', ...APP }, { as: owner })

beforeEach(async () => {
  await clear()
  shop.time.now = START
  google.intercept = undefined
  microsoft.intercept = undefined
  google.reset(ANN)
  microsoft.reset(ANN)
  google.notices.length = 0
})

/** A name that would clear a terminal, hide text, and turn the direction of the text around it. */
const HOSTILE = 'Work\u001b[2J\u001b]0;x\u0007\r\n\u202egnp.exe'
const HARMLESS = 'Work[2J]0;x gnp.exe'

describe.each([
  ['REST', rest],
  ['MCP', mcp],
] as const)('[a hostile name] over %s', (_, desk) => {
  test('of a calendar has no control characters', async () => {
    const { address } = provider.publish(calendarOf(...hour('one', DAY, 9)))
    const { data } = await call('connect', { resource_id: 'staff_ann', address, name: HOSTILE }, desk)
    expect(data.source?.name ?? data.code).toBe(HARMLESS)
  })
})

test('[a hostile name] of a calendar at Google or Microsoft has no control characters', async () => {
  google.makeCalendar(ANN, HOSTILE)
  microsoft.makeCalendar(ANN, HOSTILE)
  const tokens = { google: google.accessToken(ANN), microsoft: microsoft.accessToken(ANN) }
  for (const name of ['google', 'microsoft'] as const) {
    const { calendars } = await providerReaders[name](tokens[name], config).listCalendars()
    expect(calendars.map((one) => one.name)).toContain(HARMLESS)
  }
})

test('[titles] of events are in no row and in no entry of the log, whatever the kind of the calendar', async () => {
  const text = 'a secret'
  google.put(ANN, 'one', at(DAY, 9, 10, { summary: `Dentist, ${text}` }))
  microsoft.put(microsoft.main(ANN), 'two', { start: `${DAY}T15:00:00`, end: `${DAY}T16:00:00` })
  const published = provider.publish(calendarOf(...hour('three', DAY, 12, [`SUMMARY:Dentist, ${text}`])))
  await connect()
  await call('connect', {
    resource_id: 'staff_ann',
    account: { provider: 'microsoft', refresh_token: microsoft.refreshToken(ANN) },
  })
  await call('connect', { resource_id: 'staff_ann', address: published.address })
  await readDueCalendars(shop.runtime)
  published.text = `${published.text.slice(0, -20)}SUMMARY:${text}`
  await on.readLater()
  const { rows } = await sql<{ row: string }>`
    select s::text as row from calendar_sources s union all select b::text from busy_times b
    union all select c::text from calendar_conflicts c union all select c::text from changes c`.execute(db)
  expect(rows.length).toBeGreaterThan(5)
  for (const kept of [...rows.map(({ row }) => row), ...shop.logged]) expect(kept).not.toContain(text)
})

test('[a replayed notice] leads to one more read, however often it is sent', async () => {
  const id = await connect()
  google.put(ANN, 'one', at(DAY, 9))
  const [notice] = google.notices.slice(-1)
  if (!notice) throw new Error('There is no notice.')
  shop.minutesLater(1)
  const calls = await callsOf(async () => {
    for (let sent = 0; sent < 30; sent++) expect((await shop.inject(notice)).statusCode).toBe(204)
    await readDueCalendars(shop.runtime)
  })
  expect(calls.filter((path) => path === '/token')).toHaveLength(1)
  // After the disconnection, the same notice has no effect.
  await call('disconnect', { source_id: id })
  expect((await shop.inject(notice)).statusCode).toBe(404)
})

test.each(['../../../token', 'x?alt=media#', 'a\r\nx-other: b', '%2e%2e', '..'])(
  '[a hostile id] of an event (%j) leads to no other address of the provider',
  async (hostile) => {
    const id = await connect()
    const paths: string[] = []
    const event = { id: hostile, status: 'confirmed', recurrence: ['RRULE:FREQ=DAILY'], iCalUID: 'x', ...at(DAY, 9) }
    google.intercept = (path, query) => {
      paths.push(path)
      if (!query.has('syncToken')) return undefined
      return { status: 200, body: { items: [event], nextSyncToken: 'next' } }
    }
    await on.readLater()
    expect(paths.filter((path) => !/^\/(token|users\/me\/calendarList|calendars\/.+)$/.test(path))).toEqual([])
    expect(paths.filter((path) => path === '/token')).toHaveLength(1)
    expect((await listed(rest, id)).state).toMatch(/^(read|failing)$/)
  },
)
