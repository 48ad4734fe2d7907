import { beforeEach, describe, expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { readDueCalendars } from '../../src/domain/busy-times/source-worker.ts'
import { DAY as DAY_MS, MINUTE } from '../../src/infra/time/time-units.ts'
import { START } from '../support/server.ts'
import { calendarOf } from './calendar-text.ts'
import { hour } from './connected-shop.ts'
import { APP } from './google.ts'
import { ANN, at, days, googleShop } from './google-shop.ts'

const DAY = '2026-11-24'
const on = await googleShop()
const { shop, google, rest, mcp, call, connect, starts, callsOf, readLater, listed, clear, setApp } = on
const { db } = shop.runtime

beforeEach(async () => {
  await clear()
  shop.time.now = START
  google.intercept = undefined
  google.pageSize = 2_500
  google.reset(ANN)
  await setApp()
})

const QUIET = ['/token', '/users/me/calendarList', '/events']

describe.each([
  ['REST', rest],
  ['MCP', mcp],
] as const)('[calendars at Google] over %s', (_, desk) => {
  test('an account is connected, its events block time, and no titles leave Google', async () => {
    google.put(ANN, 'one', at(DAY, 11))
    const slots = () => desk.slots('svc_cut', { start_date: DAY, end_date: DAY, resource_id: 'staff_ann' })
    const [before] = (await slots()).filter(({ start }) => start.includes('T11:00'))
    google.queries.length = 0
    const id = await connect({}, desk)
    expect(await listed(desk, id)).toMatchObject({
      ...{ kind: 'google', state: 'read', busy_soon: 1, host: 'calendar.google.com', name: ANN },
    })
    expect((await desk.book(before)).code).toBe('slot_unavailable')
    expect((await slots()).filter(({ start }) => start.includes('T11:00'))).toEqual([])
    const asked = google.queries.map((query) => query.get('fields') ?? '').filter((fields) => fields.includes('start'))
    expect(asked.length).toBeGreaterThan(0)
    for (const fields of asked) expect(fields).not.toMatch(/summary|description|location|email/)
    const { source } = (await call('disconnect', { source_id: id }, desk)).data
    expect(source.id).toBe(id)
    expect(await starts()).toEqual([])
  })

  test.each([
    ['neither an address nor an account', {}, 'address'],
    ['both', { address: 'https://127.0.0.1/a.ics', account: { provider: 'google', refresh_token: 'x' } }, 'address'],
    [
      'a token that Google does not know',
      { account: { provider: 'google', refresh_token: 'x' } },
      'account.refresh_token',
    ],
  ])('%s is refused', async (_case, input, field) => {
    const said = await call('connect', { resource_id: 'staff_ann', ...input }, desk)
    expect([said.code, JSON.stringify(said.data)]).toEqual(['validation_error', expect.stringContaining(field)])
  })

  test('an unknown calendar, and a business without an app, are refused', async () => {
    const access = { provider: 'google', refresh_token: google.refreshToken(ANN) }
    const unknown = { resource_id: 'staff_ann', account: { ...access, calendars: ['other@gmail.com'] } }
    expect((await call('connect', unknown, desk)).code).toBe('validation_error')
    expect((await setApp({}, desk)).data.apps).toEqual([])
    const said = await call('connect', { resource_id: 'staff_ann', account: access }, desk)
    expect([said.code, JSON.stringify(said.data)]).toEqual(['validation_error', expect.stringContaining('app')])
  })

  test('Google that does not answer now is no fault of the caller', async () => {
    google.intercept = () => ({ status: 503, body: 'down' })
    const access = { provider: 'google', refresh_token: google.refreshToken(ANN) }
    expect((await call('connect', { resource_id: 'staff_ann', account: access }, desk)).code).toBe(
      'service_unavailable',
    )
  })

  test('only owners set the app, its secret is kept for the same client id, and never shown', async () => {
    const said = await setApp({ client_id: APP.client_id }, desk)
    expect(said.data).toMatchObject({
      apps: [{ provider: 'google', client_id: APP.client_id }],
      redirect_uri: 'http://127.0.0.1:8080/desk/calendars/google/return',
    })
    await connect({}, desk)
    expect(await starts()).toEqual([])
    const other = await setApp({ client_id: 'other' }, desk)
    expect([other.code, JSON.stringify(other.data)]).toEqual([
      'validation_error',
      expect.stringContaining('client_secret'),
    ])
    expect((await setApp(APP, desk, shop.staff)).code).toBe('authentication_required')
  })
})

test('[cal.diy 5273] all calendars means all: of each page, hidden ones, and those that are added later', async () => {
  google.pageSize = 2
  const made = ['Work', 'Family', 'Club'].map((name) => google.makeCalendar(ANN, name))
  const hidden = google.makeCalendar(ANN, 'Hidden', { hidden: true })
  for (const [nth, id] of [ANN, ...made, hidden].entries()) google.put(id, `e${nth}`, at(DAY, 9 + nth))
  await connect()
  expect(await starts()).toEqual(['11-24 09:00', '11-24 10:00', '11-24 11:00', '11-24 12:00', '11-24 13:00'])
  const later = google.makeCalendar(ANN, 'Later')
  google.put(later, 'later', at(DAY, 16))
  await readLater()
  expect(await starts()).toContain('11-24 16:00')
  google.removeCalendar(ANN, later)
  await readLater()
  expect(await starts()).not.toContain('11-24 16:00')
})

test('[calendars at Google] only chosen calendars block time, and a chosen one that is gone is reported', async () => {
  const [work, family] = [google.makeCalendar(ANN, 'Work'), google.makeCalendar(ANN, 'Family')]
  google.put(work, 'one', at(DAY, 9))
  google.put(family, 'two', at(DAY, 10))
  const id = await connect({ calendars: [family] })
  expect(await starts()).toEqual(['11-24 10:00'])
  google.removeCalendar(ANN, family)
  await readLater()
  expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'no_calendar' })
  expect(await starts()).toEqual(['11-24 10:00'])
})

test('[calendars at Google] without changes it is one call for each calendar, and with changes only these are read', async () => {
  for (const hour of [9, 10, 11]) google.put(ANN, `e${hour}`, at(DAY, hour))
  google.put(ANN, 'series', at(DAY, 14, 15, { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }))
  await connect()
  expect(await callsOf(readLater)).toEqual(QUIET)
  const before = await on.stored()
  google.put(ANN, 'e9', at(DAY, 8))
  google.put(ANN, 'e12', at(DAY, 12))
  google.remove(ANN, 'e10')
  google.putInstance(ANN, 'series', 1, at('2026-11-25', 16))
  expect(await callsOf(readLater)).toEqual([...QUIET, '/events/…/instances'])
  expect(await starts()).toEqual([
    ...['11-24 08:00', '11-24 11:00', '11-24 12:00', '11-24 14:00', '11-25 16:00', '11-26 14:00'],
  ])
  const after = await on.stored()
  expect(before.filter((row) => after.includes(row))).toHaveLength(3)
  expect(await callsOf(readLater)).toEqual(QUIET)
})

describe('[activepieces PR 13425] a lost sync token', () => {
  test('leads to a whole read, and nothing in between is missed', async () => {
    google.put(ANN, 'one', at(DAY, 9))
    google.put(ANN, 'two', at(DAY, 10))
    await connect()
    google.put(ANN, 'three', at(DAY, 11))
    google.remove(ANN, 'two')
    google.expireTokens(ANN)
    expect(await callsOf(readLater)).toEqual([...QUIET, '/events', '/events'])
    expect(await starts()).toEqual(['11-24 09:00', '11-24 11:00'])
    google.remove(ANN, 'one')
    expect(await callsOf(readLater)).toEqual(QUIET)
    expect(await starts()).toEqual(['11-24 11:00'])
  })

  test('leaves no gap while the whole read fails, and while events change during it', async () => {
    for (const hour of [9, 10, 11, 12]) google.put(ANN, `e${hour}`, at(DAY, hour))
    const id = await connect()
    const before = await on.stored()
    google.expireTokens(ANN)
    google.pageSize = 1
    // The second page of the events does not arrive.
    google.intercept = (_, query) =>
      query.has('singleEvents') && query.has('pageToken') ? { status: 503, body: '' } : undefined
    await readLater()
    expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'unreachable' })
    expect(await on.stored()).toEqual(before)
    let changed = false
    google.intercept = (_, query) => {
      if (query.has('singleEvents') && query.get('pageToken') === '3' && !changed) {
        changed = true
        google.put(ANN, 'e9', at(DAY, 15))
        google.put(ANN, 'new', at(DAY, 16))
      }
      return undefined
    }
    await readLater(1)
    expect(await listed(rest, id)).toMatchObject({ state: 'read' })
    await readLater()
    expect(await starts()).toEqual(['11-24 10:00', '11-24 11:00', '11-24 12:00', '11-24 15:00', '11-24 16:00'])
  })
})

test('[activepieces 15566] [gbrain PR 5015] an endless series takes few calls, and blocks as far as buyers can book', async () => {
  google.put(ANN, 'endless', at(DAY, 9, 10, { recurrence: ['RRULE:FREQ=DAILY'] }))
  expect(await callsOf(connect)).toHaveLength(6)
  const first = await starts()
  expect(first.length).toBeGreaterThan(365)
  google.put(ANN, 'endless', at(DAY, 10, 11, { recurrence: ['RRULE:FREQ=DAILY'] }))
  expect(await callsOf(readLater)).toEqual([...QUIET, '/events/…/instances'])
  expect(await starts()).toHaveLength(first.length)
})

test('[nextcloud/server 50879] a series is kept expanded, and a whole read each week drops what was missed', async () => {
  google.put(ANN, 'endless', at(DAY, 9, 10, { recurrence: ['RRULE:FREQ=WEEKLY'] }))
  google.put(ANN, 'one', at('2026-12-24', 12))
  await connect()
  const last = (await on.stored()).toSorted().at(-1)
  google.forget(ANN, 'one')
  for (let day = 0; day < 8; day++) await readLater(24 * 60)
  expect(await starts()).not.toContain('12-24 12:00')
  expect((await on.stored()).toSorted().at(-1)).not.toBe(last)
})

test('[OutlookGoogleCalendarSync 1653, 418] the deletion of one occurrence is the deletion of one occurrence', async () => {
  google.put(ANN, 'series', at(DAY, 11, 12, { recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }))
  await connect()
  const before = await on.stored()
  google.remove(ANN, google.putInstance(ANN, 'series', 2, {}))
  await readLater()
  const after = await on.stored()
  expect(before.filter((row) => !after.includes(row))).toEqual([expect.stringContaining('2026-11-26')])
  expect(after.every((row) => before.includes(row))).toBe(true)
})

test('[obsidian-full-calendar 309] a moved occurrence is this occurrence: it moves back, and on', async () => {
  google.put(ANN, 'series', at(DAY, 11, 12, { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }))
  await connect()
  google.putInstance(ANN, 'series', 1, at('2026-11-27', 15))
  await readLater()
  expect(await starts()).toEqual(['11-24 11:00', '11-26 11:00', '11-27 15:00'])
  google.putInstance(ANN, 'series', 1, at('2026-11-25', 13))
  await readLater()
  expect(await starts()).toEqual(['11-24 11:00', '11-25 13:00', '11-26 11:00'])
})

test('[google-api-ruby-client 860] with a deleted series, all its times become free, also those in a year', async () => {
  google.put(ANN, 'series', at(DAY, 11, 12, { recurrence: ['RRULE:FREQ=DAILY'] }))
  google.putInstance(ANN, 'series', 1, at('2026-11-25', 15))
  google.put(ANN, 'other', at(DAY, 14))
  await connect()
  google.remove(ANN, 'series')
  await readLater()
  expect(await starts()).toEqual(['11-24 14:00'])
})

test('[calendars at Google] an invitation to single repetitions of a foreign series blocks just these', async () => {
  const one = { recurringEventId: 'foreign', originalStartTime: at(DAY, 9).start ?? {} }
  google.put(ANN, 'foreign_1', at(DAY, 9, 10, one))
  google.put(ANN, 'foreign_2', at(DAY, 12, 13, one))
  await connect()
  expect(await starts()).toEqual(['11-24 09:00', '11-24 12:00'])
  google.put(ANN, 'foreign_1', at(DAY, 10, 11, one))
  google.put(ANN, 'foreign_3', at(DAY, 15, 16, one))
  await readLater()
  expect(await starts()).toEqual(['11-24 10:00', '11-24 12:00', '11-24 15:00'])
  google.remove(ANN, 'foreign_1')
  await readLater()
  expect(await starts()).toEqual(['11-24 12:00', '11-24 15:00'])
})

test('[calendars at Google] free, canceled and declined events block nothing, tentative ones do', async () => {
  const self = (responseStatus: string) => [
    { email: 'boss@example.com', responseStatus: 'accepted' },
    { email: ANN, self: true, responseStatus },
  ]
  google.put(ANN, 'free', at(DAY, 9, 10, { transparency: 'transparent' }))
  google.put(ANN, 'declined', at(DAY, 10, 11, { attendees: self('declined') }))
  google.put(ANN, 'asked', at(DAY, 11, 12, { attendees: self('needsAction') }))
  google.put(ANN, 'other declined', at(DAY, 12, 13, { attendees: [{ email: 'x@y.z', responseStatus: 'declined' }] }))
  google.put(ANN, 'tentative', at(DAY, 13, 14, { status: 'tentative' }))
  google.put(ANN, 'gone', at(DAY, 14, 15))
  google.remove(ANN, 'gone')
  await connect()
  expect(await starts()).toEqual(['11-24 11:00', '11-24 12:00', '11-24 13:00'])
  google.put(ANN, 'asked', at(DAY, 11, 12, { attendees: self('declined') }))
  google.put(ANN, 'free', at(DAY, 9, 10))
  google.put(ANN, 'tentative', at(DAY, 13, 14, { status: 'cancelled' }))
  await readLater()
  expect(await starts()).toEqual(['11-24 09:00', '11-24 12:00'])
})

test('[nextcloud/server 21341, 48716] [cal.diy 8398] days are days of the business, and the clock change moves no event', async () => {
  google.put(ANN, 'day', days('2027-03-14', '2027-03-15'))
  google.put(ANN, 'series', at('2027-03-13', 10, 11, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }))
  google.put(ANN, 'days', days('2027-03-16', '2027-03-17', { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }))
  await connect()
  const rows = await on.stored()
  expect(rows.map((row) => /\["(.+?)","(.+?)"\)/.exec(row)?.slice(1)).toSorted()).toEqual([
    ['2027-03-13 15:00:00+00', '2027-03-13 16:00:00+00'],
    ['2027-03-14 05:00:00+00', '2027-03-15 04:00:00+00'],
    ['2027-03-14 14:00:00+00', '2027-03-14 15:00:00+00'],
    ['2027-03-16 04:00:00+00', '2027-03-17 04:00:00+00'],
    ['2027-03-17 04:00:00+00', '2027-03-18 04:00:00+00'],
  ])
})

test('[Easy!Appointments 1388] [calcurse 232] a copy of a booking here is no busy time', async () => {
  const [slot] = await rest.slots('svc_cut', { start_date: DAY, end_date: DAY, resource_id: 'staff_ann' })
  const { booking } = (await rest.book(slot)).data
  google.put(ANN, 'copy', at(DAY, 9, 10, { iCalUID: booking.id }))
  google.put(ANN, 'other', at(DAY, 15, 16, { iCalUID: 'bkg_AAAAAAAAAAAAAAAA' }))
  await connect()
  expect(await starts()).toEqual(['11-24 15:00'])
})

describe('[OutlookGoogleCalendarSync 2022] an answer that is not complete deletes nothing:', () => {
  const event = { id: 'x', status: 'confirmed', ...at(DAY, 15) }
  test.each<[string, number, unknown, string]>([
    ['cut off', 200, '{"items":[', 'truncated'],
    ['a web page', 200, '<!doctype html>', 'truncated'],
    ['no list', 200, { items: {} }, 'truncated'],
    ['no token', 200, { items: [event] }, 'truncated'],
    ['an event without an id', 200, { items: [{ status: 'confirmed' }], nextSyncToken: 'x' }, 'truncated'],
    ['an empty page token', 200, { items: [], nextPageToken: '', nextSyncToken: 'x' }, 'truncated'],
    ['pages without end', 200, { items: [], nextPageToken: 'again' }, 'too_large'],
    ['a text of 20 kB', 200, { items: [{ id: 'x'.repeat(20_000) }], nextSyncToken: 'x' }, 'truncated'],
    ['5 MB', 200, JSON.stringify({ items: Array(50_000).fill(event), nextSyncToken: 'x' }), 'too_large'],
    ['a redirect', 302, '', 'refused'],
    ['a fault', 500, '', 'unreachable'],
  ])('%s', async (_, status, body, problem) => {
    google.put(ANN, 'one', at(DAY, 9))
    google.put(ANN, 'two', at(DAY, 10))
    const id = await connect()
    google.remove(ANN, 'one')
    google.intercept = (path) => (path.endsWith('/events') ? { status, body: body as string } : undefined)
    await readLater()
    expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem })
    expect(await starts()).toEqual(['11-24 09:00', '11-24 10:00'])
    google.intercept = undefined
    await readLater(60)
    expect(await listed(rest, id)).toMatchObject({ state: 'read' })
    expect(await starts()).toEqual(['11-24 10:00'])
  })

  test('an empty list of calendars', async () => {
    google.put(ANN, 'one', at(DAY, 9))
    const id = await connect()
    google.intercept = (path) => (path.endsWith('/calendarList') ? { status: 200, body: {} } : undefined)
    await readLater()
    expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'no_calendar' })
    expect(await starts()).toEqual(['11-24 09:00'])
  })
})

test('[calendars at Google] an event that cannot be understood is counted, and keeps its former time', async () => {
  google.put(ANN, 'one', at(DAY, 9))
  google.put(ANN, 'two', { ...at(DAY, 10), end: { dateTime: 'soon' } })
  const id = await connect()
  expect(await listed(rest, id)).toMatchObject({ unread_events: 1 })
  google.put(ANN, 'one', { ...at(DAY, 9), start: { date: '2026-02-30' } })
  await readLater()
  expect(await starts()).toEqual(['11-24 09:00'])
  google.expireTokens(ANN)
  await readLater()
  expect(await starts()).toEqual(['11-24 09:00'])
})

describe('[calendars at Google] the access', () => {
  test('[cal.diy 7564] that a person revokes is reported, and connecting again goes on without a gap', async () => {
    google.put(ANN, 'one', at(DAY, 9))
    const id = await connect()
    google.revoke(ANN)
    await readLater()
    expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'access_revoked' })
    expect(await starts()).toEqual(['11-24 09:00'])
    google.put(ANN, 'two', at(DAY, 10))
    expect(await connect()).toBe(id)
    expect(await listed(rest, id)).toMatchObject({ state: 'read' })
    expect(await starts()).toEqual(['11-24 09:00', '11-24 10:00'])
    expect((await call('list', {})).data.sources).toHaveLength(1)
  })

  const limit = (status: number, reason: string) => ({
    status,
    body: { error: { code: status, errors: [{ domain: 'usageLimits', reason }] } },
  })
  test.each([
    ['too many calls of the user', limit(403, 'userRateLimitExceeded'), 'unreachable'],
    ['too many calls of the app', limit(403, 'rateLimitExceeded'), 'unreachable'],
    ['too many calls today', limit(403, 'quotaExceeded'), 'unreachable'],
    ['too many calls', limit(429, 'rateLimitExceeded'), 'unreachable'],
    ['the API is not switched on', limit(403, 'accessNotConfigured'), 'app_refused'],
    ['a permission is missing', limit(403, 'insufficientPermissions'), 'access_revoked'],
    ['the access token is refused', limit(401, 'authError'), 'access_revoked'],
    ['the calendar is closed', limit(403, 'forbidden'), 'no_calendar'],
    ['no reason', { status: 403, body: '<html>' }, 'no_calendar'],
    ['no calendar', limit(404, 'notFound'), 'no_calendar'],
  ])('%s', async (_, answer, problem) => {
    google.put(ANN, 'one', at(DAY, 9))
    const id = await connect()
    google.intercept = (path) => (path.endsWith('/events') ? answer : undefined)
    await readLater()
    expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem })
    expect(await starts()).toEqual(['11-24 09:00'])
  })

  test('after a limit, the server waits longer each time, and as long as Google says', async () => {
    const id = await connect()
    const pauseAfter = async () => {
      await readLater(60)
      return Date.parse((await listed(rest, id)).next_read_at) - shop.time.now.getTime()
    }
    google.intercept = (path) => (path.endsWith('/events') ? limit(403, 'rateLimitExceeded') : undefined)
    expect([await pauseAfter(), await pauseAfter(), await pauseAfter()]).toEqual([MINUTE, 5 * MINUTE, 10 * MINUTE])
    google.intercept = (path) =>
      path.endsWith('/events') ? { ...limit(429, 'rateLimitExceeded'), headers: { 'retry-after': '7200' } } : undefined
    expect(await pauseAfter()).toBe(120 * MINUTE)
  })

  test.each([
    ['a secret that Google refuses', () => setApp({ ...APP, client_secret: 'wrong' })],
    ['no app any more', () => setApp({})],
  ])('%s is reported as a fault of the app', async (_, change) => {
    google.put(ANN, 'one', at(DAY, 9))
    const id = await connect()
    await change()
    await readLater()
    expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'app_refused' })
    expect(await starts()).toEqual(['11-24 09:00'])
    await setApp()
    await readLater()
    expect(await listed(rest, id)).toMatchObject({ state: 'read' })
  })
})

test('[cal.diy 2786, 479] Google that hangs delays no other calendar', async () => {
  const id = await connect()
  google.intercept = (path) => (path === '/token' ? new Promise<undefined>(() => {}) : undefined)
  shop.minutesLater(10)
  const reading = readDueCalendars(shop.runtime)
  const published = on.provider.publish(calendarOf(...hour('one', DAY, 11)))
  const { source: other } = (await call('connect', { resource_id: 'staff_ben', address: published.address })).data
  await readDueCalendars(shop.runtime)
  expect(await listed(rest, other.id)).toMatchObject({ state: 'read', busy_soon: 1 })
  expect(await listed(rest, id)).toMatchObject({ state: 'read' })
  await reading
  expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'unreachable' })
}, 30_000)

test('[calendars at Google] no answer, no row and no entry of the log contains a token or the secret of the app', async () => {
  const refresh_token = google.refreshToken(ANN)
  const answers = [
    await setApp(),
    await call('connect', { resource_id: 'staff_ann', account: { provider: 'google', refresh_token } }),
    await call('list', {}),
  ]
  await readLater(0)
  const { rows } = await on.everyRow()
  for (const text of [JSON.stringify(answers), ...rows.map(({ row }) => row)]) {
    expect(text).not.toContain(refresh_token)
    expect(text).not.toContain(APP.client_secret)
  }
})

test('[calendars at Google] random edits, with small pages and lost tokens, end with both equal', async () => {
  const random = randomOf(53)
  const calendars = [ANN, google.makeCalendar(ANN, 'Work')]
  await connect()
  for (let edit = 0; edit < 80; edit++) {
    const [calendar, id] = [calendars[random(2)] ?? ANN, `e${random(7)}`]
    const day = `2026-11-${23 + random(6)}`
    const isSeries = random(2) === 0
    const what = random(5)
    if (what === 0 && google.has(calendar, id)) google.remove(calendar, id)
    else if (what === 1 && google.has(calendar, id, 'series')) {
      const instance = google.putInstance(calendar, id, random(4), at(day, 8 + random(10)))
      if (random(2) === 0) google.remove(calendar, instance)
    } else
      google.put(
        calendar,
        id,
        at(day, 8 + random(10), 19, isSeries ? { recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] } : {}),
      )
    google.pageSize = 1 + random(4)
    if (random(15) === 0) google.expireTokens(calendar)
    if (random(3) === 0) await readLater()
  }
  await readLater()
  const read = await on.stored()
  await db.updateTable('calendar_sources').set({ whole_read_at: null }).execute()
  await readLater()
  expect(await on.stored()).toEqual(read)
  expect(read.length).toBeGreaterThan(5)
  expect((await verify(db, shop.time.now)).findings.listed).toEqual([])
  expect(shop.time.now.getTime() - START.getTime()).toBeLessThan(7 * DAY_MS)
})

/** Numbers below a limit that look random and are the same in each run. */
function randomOf(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}
