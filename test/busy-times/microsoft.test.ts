import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { unseal } from '../../src/core/keys/encrypt-secrets.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { readDueCalendars } from '../../src/domain/busy-times/source-worker.ts'
import { MINUTE } from '../../src/infra/time/time-units.ts'
import type { Desk } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { connectedShop } from './connected-shop.ts'
import { APP, type MicrosoftEvent, microsoftStandIn } from './microsoft.ts'

const ANN = 'ann@outlook.com'
const DAY = '2026-11-24'

const microsoft = await microsoftStandIn()
const on = await connectedShop(undefined, { MICROSOFT_API_BASE: microsoft.origin, BASE_URL: 'https://salon.example' })
const { shop, rest, mcp, readLater, listed, clear, stored } = on
const { db, calendarKey } = shop.runtime
const owner = await shop.staffAs('owner')
microsoft.now = () => shop.time.now.getTime()
microsoft.reach = async (url) => {
  const { statusCode, headers, body } = await shop.inject({ method: 'POST', url })
  return { status: statusCode, type: String(headers['content-type']), body }
}

const setApp = (input: Record<string, unknown> = APP, desk = rest) =>
  desk.call('usp_business_calendar_apps_set', { provider: 'microsoft', ...input }, { as: owner })
const call = (tool: string, input: Record<string, unknown>, desk = rest) =>
  desk.call(`usp_business_connected_calendars_${tool}`, input, { as: shop.staff })

let main = ''
beforeEach(async () => {
  await clear()
  shop.time.now = START
  microsoft.intercept = undefined
  microsoft.pageSize = 500
  microsoft.reset(ANN)
  microsoft.notices.length = 0
  main = microsoft.main(ANN)
  await setApp()
})

async function connect(more: Record<string, unknown> = {}, desk: Desk = rest): Promise<string> {
  const account = { provider: 'microsoft', refresh_token: microsoft.refreshToken(ANN), ...more }
  const { data } = await call('connect', { resource_id: 'staff_ann', account }, desk)
  await readDueCalendars(shop.runtime)
  return data.source.id
}

/** An event of whole hours on a day, in the zone of the business. */
const at = (day: string, from: number, more: Partial<MicrosoftEvent> = {}): MicrosoftEvent => {
  const time = (hour: number) =>
    new Date(Date.parse(`${day}T00:00:00-05:00`) + hour * 3_600_000).toISOString().slice(0, 19)
  return { start: time(from), end: time(from + 1), ...more }
}

const starts = async (): Promise<string[]> => {
  const { rows } = await sql<{ start: string }>`
    select to_char(lower(during) at time zone 'America/New_York', 'MM-DD HH24:MI') as start from busy_times
    order by lower(during)`.execute(db)
  return rows.map(({ start }) => start)
}

async function callsOf(action: () => Promise<unknown>): Promise<string[]> {
  microsoft.calls.length = 0
  microsoft.urls.length = 0
  await action()
  return [...microsoft.calls]
}

const TOKEN = '/common/oauth2/v2.0/token'
const QUIET = [TOKEN, '/me/calendars', '/calendarView/delta']

describe.each([
  ['REST', rest],
  ['MCP', mcp],
] as const)('[calendars at Microsoft] over %s', (_, desk) => {
  test('an account is connected, its events block time, and the list of events has no texts', async () => {
    microsoft.put(main, 'one', at(DAY, 11))
    const slots = () => desk.slots('svc_cut', { start_date: DAY, end_date: DAY, resource_id: 'staff_ann' })
    const [before] = (await slots()).filter(({ start }) => start.includes('T11:00'))
    microsoft.urls.length = 0
    const id = await connect({}, desk)
    expect(await listed(desk, id)).toMatchObject({
      ...{ kind: 'microsoft', state: 'read', busy_soon: 1, host: 'outlook.office.com', name: ANN },
    })
    expect((await desk.book(before)).code).toBe('slot_unavailable')
    const asked = microsoft.urls.filter(({ pathname }) => pathname.endsWith('/calendarView'))
    expect(asked.length).toBeGreaterThan(0)
    for (const { searchParams } of asked)
      expect(searchParams.get('$select')).not.toMatch(/subject|body|attendees|location/)
    await call('disconnect', { source_id: id }, desk)
    expect(await starts()).toEqual([])
  })

  test('a token, a calendar and an app that Microsoft does not know are refused', async () => {
    const account = { provider: 'microsoft', refresh_token: microsoft.refreshToken(ANN) }
    const refused = async (input: object) => {
      const said = await call('connect', { resource_id: 'staff_ann', account: { ...account, ...input } }, desk)
      return [
        said.code,
        /"(account[\w.]*)"|\$\.(account[\w.]*)/.exec(JSON.stringify(said.data))?.slice(1).find(Boolean),
      ]
    }
    expect(await refused({ refresh_token: 'x' })).toEqual(['validation_error', 'account.refresh_token'])
    expect(await refused({ calendars: ['x'] })).toEqual(['validation_error', 'account.calendars'])
    expect((await setApp({}, desk)).data.apps).toEqual([])
    expect(await refused({})).toEqual(['validation_error', 'account'])
  })
})

test('[cal.diy 5273] all calendars means all: of each page, and those that are added later', async () => {
  microsoft.pageSize = 2
  const made = ['Work', 'Family', 'Club'].map((name) => microsoft.makeCalendar(ANN, name))
  for (const [nth, id] of [main, ...made].entries()) microsoft.put(id, `e${nth}`, at(DAY, 9 + nth))
  await connect()
  expect(await starts()).toEqual(['11-24 09:00', '11-24 10:00', '11-24 11:00', '11-24 12:00'])
  const later = microsoft.makeCalendar(ANN, 'Later')
  microsoft.put(later, 'later', at(DAY, 16))
  await readLater()
  expect(await starts()).toContain('11-24 16:00')
  microsoft.removeCalendar(ANN, later)
  await readLater()
  expect(await starts()).not.toContain('11-24 16:00')
})

test('[calendars at Microsoft] only chosen calendars block time, and a chosen one that is gone is reported', async () => {
  const [work, family] = [microsoft.makeCalendar(ANN, 'Work'), microsoft.makeCalendar(ANN, 'Family')]
  microsoft.put(work, 'one', at(DAY, 9))
  microsoft.put(family, 'two', at(DAY, 10))
  const id = await connect({ calendars: [family] })
  expect(await starts()).toEqual(['11-24 10:00'])
  microsoft.removeCalendar(ANN, family)
  await readLater()
  expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'no_calendar' })
  expect(await starts()).toEqual(['11-24 10:00'])
})

test('[calendars at Microsoft] without changes it is one call for each calendar, and with changes only this one is read', async () => {
  const work = microsoft.makeCalendar(ANN, 'Work')
  for (const hour of [9, 10, 11]) microsoft.put(main, `e${hour}`, at(DAY, hour))
  microsoft.put(work, 'series', at(DAY, 14, { times: 3 }))
  await connect()
  expect(await callsOf(readLater)).toEqual([...QUIET, '/calendarView/delta'])
  const before = await stored()
  microsoft.put(main, 'e9', at(DAY, 8))
  microsoft.put(main, 'e12', at(DAY, 12))
  microsoft.remove(main, 'e10')
  expect(await callsOf(readLater)).toEqual([...QUIET, '/calendarView', '/calendarView/delta'])
  expect(await starts()).toEqual([
    ...['11-24 08:00', '11-24 11:00', '11-24 12:00', '11-24 14:00', '11-25 14:00', '11-26 14:00'],
  ])
  expect((await stored()).filter((row) => before.includes(row))).toHaveLength(4)
  expect(await callsOf(readLater)).toEqual([...QUIET, '/calendarView/delta'])
})

test('[microsoft-graph-docs 7632, 4501] repetitions without their state in the changes, and deleted ones, are read right', async () => {
  microsoft.put(main, 'series', at(DAY, 11, { times: 5 }))
  await connect()
  const before = await stored()
  microsoft.putOccurrence(main, 'series', 2, 'deleted')
  await readLater()
  const after = await stored()
  // [OutlookGoogleCalendarSync 1653, 418]
  expect(before.filter((row) => !after.includes(row))).toEqual([expect.stringContaining('2026-11-26')])
  expect(after.every((row) => before.includes(row))).toBe(true)
  microsoft.putOccurrence(main, 'series', 1, at('2026-11-25', 15))
  await readLater()
  expect(await starts()).toEqual(['11-24 11:00', '11-25 15:00', '11-27 11:00', '11-28 11:00'])
  microsoft.put(main, 'series', at(DAY, 11, { times: 5, showAs: 'free' }))
  await readLater()
  expect(await starts()).toEqual([])
})

describe('[activepieces PR 13425] a lost position in the changes', () => {
  test('leads to a whole read, and nothing in between is missed', async () => {
    microsoft.put(main, 'one', at(DAY, 9))
    microsoft.put(main, 'two', at(DAY, 10))
    await connect()
    microsoft.put(main, 'three', at(DAY, 11))
    microsoft.remove(main, 'two')
    microsoft.loseState(main)
    expect(await callsOf(readLater)).toEqual([...QUIET, '/calendarView/delta', '/calendarView'])
    expect(await starts()).toEqual(['11-24 09:00', '11-24 11:00'])
    microsoft.remove(main, 'one')
    await readLater()
    expect(await starts()).toEqual(['11-24 11:00'])
  })

  test('leaves no gap while the whole read fails, and while events change during it', async () => {
    for (const hour of [9, 10, 11]) microsoft.put(main, `e${hour}`, at(DAY, hour))
    const id = await connect()
    const before = await stored()
    microsoft.loseState(main)
    microsoft.pageSize = 1
    const isSecond = (path: string, url: URL) => path === '/calendarView' && url.searchParams.get('from') === '1'
    microsoft.intercept = (path, url) => (isSecond(path, url) ? { status: 503, body: '' } : undefined)
    await readLater()
    expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'unreachable' })
    expect(await stored()).toEqual(before)
    let isChanged = false
    microsoft.intercept = (path, url) => {
      if (isSecond(path, url) && !isChanged) {
        isChanged = true
        microsoft.put(main, 'e9', at(DAY, 15))
      }
      return undefined
    }
    await readLater(1)
    await readLater()
    expect(await starts()).toEqual(['11-24 10:00', '11-24 11:00', '11-24 15:00'])
  })
})

test('[calendars at Microsoft] free, canceled and declined events block nothing, tentative ones do', async () => {
  microsoft.put(main, 'free', at(DAY, 9, { showAs: 'free' }))
  microsoft.put(main, 'elsewhere', at(DAY, 10, { showAs: 'workingElsewhere' }))
  microsoft.put(main, 'declined', at(DAY, 11, { response: 'declined' }))
  microsoft.put(main, 'canceled', at(DAY, 12, { isCancelled: true }))
  microsoft.put(main, 'tentative', at(DAY, 13, { showAs: 'tentative' }))
  microsoft.put(main, 'away', at(DAY, 14, { showAs: 'oof', response: 'accepted' }))
  await connect()
  expect(await starts()).toEqual(['11-24 13:00', '11-24 14:00'])
})

test('[nextcloud/server 21341, 48716] [cal.diy 2139] whole days are days of the business, other times have their zone', async () => {
  const day = { start: '2027-03-14T00:00:00', end: '2027-03-15T00:00:00', isAllDay: true }
  microsoft.put(main, 'day', day)
  microsoft.put(main, 'hour', { start: '2027-03-14T14:00:00', end: '2027-03-14T15:00:00' })
  await connect()
  expect((await stored()).map((row) => /\["(.+?)","(.+?)"\)/.exec(row)?.slice(1)).toSorted()).toEqual([
    ['2027-03-14 05:00:00+00', '2027-03-15 04:00:00+00'],
    ['2027-03-14 14:00:00+00', '2027-03-14 15:00:00+00'],
  ])
})

test('[Easy!Appointments 1388] [calcurse 232] a copy of a booking here is no busy time', async () => {
  const [slot] = await rest.slots('svc_cut', { start_date: DAY, end_date: DAY, resource_id: 'staff_ann' })
  const { booking } = (await rest.book(slot)).data
  // Exchange keeps the UID of an invitation inside an id of its own.
  const uid = Buffer.concat([
    Buffer.from('vCal-Uid'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from(booking.id),
    Buffer.from([0]),
  ])
  const iCalUId = `040000008200E00074C5B7101A82E008${'00'.repeat(24)}${uid.toString('hex').toUpperCase()}`
  microsoft.put(main, 'copy', at(DAY, 9, { iCalUId }))
  microsoft.put(main, 'other', at(DAY, 15))
  await connect()
  expect(await starts()).toEqual(['11-24 15:00'])
})

describe('[OutlookGoogleCalendarSync 2022] an answer that is not complete deletes nothing:', () => {
  const elsewhere = { value: [], '@odata.nextLink': 'https://other.example/v1.0/me/calendars/x/calendarView' }
  test.each<[string, string, number, unknown, string]>([
    ['cut off', '/calendarView', 200, '{"value":[', 'truncated'],
    ['no list', '/calendarView', 200, { value: {} }, 'truncated'],
    ['an event without an id', '/calendarView', 200, { value: [{}] }, 'truncated'],
    ['pages at another host', '/calendarView', 200, elsewhere, 'truncated'],
    ['changes without a next position', '/calendarView/delta', 200, { value: [{ id: 'x' }] }, 'truncated'],
    ['an error', '/calendarView', 500, '', 'unreachable'],
    ['too many calls', '/calendarView/delta', 429, '', 'unreachable'],
    ['no permission', '/calendarView', 403, { error: { code: 'ErrorAccessDenied' } }, 'access_revoked'],
    ['no calendar', '/calendarView', 404, { error: { code: 'ErrorItemNotFound' } }, 'no_calendar'],
  ])('%s', async (_, where, status, body, problem) => {
    microsoft.put(main, 'one', at(DAY, 9))
    microsoft.put(main, 'two', at(DAY, 10))
    const id = await connect()
    microsoft.remove(main, 'one')
    microsoft.intercept = (path) => (path === where ? { status, body: body as string } : undefined)
    await readLater()
    expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem })
    expect(await starts()).toEqual(['11-24 09:00', '11-24 10:00'])
    microsoft.intercept = undefined
    await readLater(60)
    expect(await listed(rest, id)).toMatchObject({ state: 'read' })
    expect(await starts()).toEqual(['11-24 10:00'])
  })
})

test('[calendars at Microsoft] an event that cannot be understood is counted, and keeps its former time', async () => {
  microsoft.put(main, 'one', at(DAY, 9))
  microsoft.put(main, 'two', at(DAY, 10))
  const id = await connect()
  microsoft.intercept = (path, url) => {
    if (path !== '/calendarView' || url.searchParams.has('from')) return undefined
    return { status: 200, body: { value: [{ id: 'one', start: { dateTime: 'soon', timeZone: 'UTC' }, end: {} }] } }
  }
  microsoft.put(main, 'three', at(DAY, 11))
  await readLater()
  expect(await starts()).toEqual(['11-24 09:00'])
  await db.updateTable('calendar_sources').set({ whole_read_at: null }).execute()
  await readLater()
  expect(await listed(rest, id)).toMatchObject({ unread_events: 1 })
})

describe('[calendars at Microsoft] the access', () => {
  test('[cal.diy 7564] that a person revokes is reported, and connecting again goes on without a gap', async () => {
    microsoft.put(main, 'one', at(DAY, 9))
    const id = await connect()
    microsoft.revoke(ANN)
    await readLater()
    expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'access_revoked' })
    expect(await starts()).toEqual(['11-24 09:00'])
    expect(await connect()).toBe(id)
    expect(await listed(rest, id)).toMatchObject({ state: 'read' })
  })

  test('is stored anew with each token that Microsoft sends, because each one expires', async () => {
    const id = await connect()
    const tokenOf = async () => {
      const row = await db.selectFrom('calendar_sources').select('address').where('id', '=', id).executeTakeFirst()
      return JSON.parse(unseal(calendarKey, row?.address ?? Buffer.alloc(0))).refreshToken
    }
    const first = await tokenOf()
    for (let day = 0; day < 3; day++) {
      microsoft.expireAllBut(await tokenOf())
      await readLater()
      expect(await listed(rest, id)).toMatchObject({ state: 'read' })
    }
    expect(await tokenOf()).toBe(microsoft.newestToken(ANN))
    expect(await tokenOf()).not.toBe(first)
  })

  test('with an expired secret of the app is reported as a fault of the app', async () => {
    const id = await connect()
    microsoft.app.client_secret = 'renewed'
    await readLater()
    expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'app_refused' })
    microsoft.app.client_secret = APP.client_secret
    await readLater()
    expect(await listed(rest, id)).toMatchObject({ state: 'read' })
  })

  test('waits as long as Microsoft says after too many calls', async () => {
    const id = await connect()
    microsoft.intercept = (path) =>
      path === '/me/calendars' ? { status: 429, body: '', headers: { 'retry-after': '7200' } } : undefined
    await readLater()
    expect(Date.parse((await listed(rest, id)).next_read_at) - shop.time.now.getTime()).toBe(120 * MINUTE)
  })
})

describe('[calendars at Microsoft] a subscription', () => {
  async function deliver(): Promise<number[]> {
    const statuses = []
    for (const notice of microsoft.notices.splice(0)) statuses.push((await shop.inject(notice)).statusCode)
    await readDueCalendars(shop.runtime)
    return statuses
  }

  test('is validated, reports a change, and leads to a read at once', async () => {
    await connect()
    expect(microsoft.subscriptions()).toMatchObject([
      { notificationUrl: 'https://salon.example/calendar-notices/microsoft' },
    ])
    microsoft.put(main, 'one', at(DAY, 9))
    expect(await deliver()).toEqual([202])
    expect(await starts()).toEqual(['11-24 09:00'])
    expect(await callsOf(readLater)).toEqual(QUIET)
  })

  test('[activepieces PR 13425] is renewed before it ends, and made anew if Microsoft has lost it', async () => {
    await connect()
    const [first] = microsoft.subscriptions()
    const end = first?.expires ?? 0
    await readLater(2 * 24 * 60)
    expect(microsoft.subscriptions()).toMatchObject([{ id: first?.id, expires: end }])
    await readLater(8 * 60)
    expect(microsoft.subscriptions()).toMatchObject([{ id: first?.id, expires: expect.any(Number) }])
    expect(microsoft.subscriptions()[0]?.expires).toBeGreaterThan(end)
    await readLater(3 * 24 * 60)
    const ids = microsoft.subscriptions().map(({ id }) => id)
    expect(ids).toHaveLength(2)
    microsoft.put(main, 'one', at('2026-12-24', 9))
    expect(await deliver()).toEqual([202])
    expect(await starts()).toEqual(['12-24 09:00'])
  })

  test('that Microsoft refuses leaves the read every ten minutes', async () => {
    microsoft.intercept = (path) => (path === '/subscriptions' ? { status: 400, body: {} } : undefined)
    microsoft.put(main, 'one', at(DAY, 9))
    const id = await connect()
    expect(await listed(rest, id)).toMatchObject({ state: 'read', busy_soon: 1 })
    expect(await callsOf(readLater)).toEqual(QUIET)
  })

  test('is believed only with its own secret, and its validation is only repeated as a text', async () => {
    await connect()
    microsoft.put(main, 'one', at(DAY, 9))
    const [notice] = microsoft.notices.splice(0)
    if (!notice) throw new Error('There is no notice.')
    const [{ clientState = '' } = {}] = notice.payload.value
    const send = async (payload: unknown) => (await shop.inject({ ...notice, payload: payload as string })).statusCode
    for (const forged of ['', 'x', clientState.split('.')[0], `${clientState}x`, `x${clientState}`])
      expect(await send({ value: [{ clientState: forged }] })).toBe(400)
    for (const payload of [{}, { value: 'x' }, { value: [] }, { value: [null] }, 'not JSON'])
      expect(await send(payload)).toBe(400)
    expect(await callsOf(() => readDueCalendars(shop.runtime))).toEqual([])
    expect(await send({ value: [{ clientState: 'x' }, { clientState }] })).toBe(202)
    const { url } = notice
    const script = await shop.inject({
      method: 'POST',
      url: `${url}?validationToken=${encodeURIComponent('<script>alert(1)</script>')}`,
    })
    expect([script.statusCode, script.headers['content-type'], script.headers['x-content-type-options']]).toEqual([
      ...[200, 'text/plain; charset=utf-8', 'nosniff'],
    ])
    expect((await shop.inject({ method: 'POST', url: `${url}?validationToken=${'x'.repeat(2_000)}` })).statusCode).toBe(
      400,
    )
    expect((await shop.inject({ method: 'GET', url })).statusCode).toBe(405)
  })
})

test('[calendars at Microsoft] random edits, with small pages and lost positions, end with both equal', async () => {
  const random = randomOf(53)
  const calendars = [main, microsoft.makeCalendar(ANN, 'Work')]
  await connect()
  for (let edit = 0; edit < 60; edit++) {
    const [calendar, id] = [calendars[random(2)] ?? main, `e${random(7)}`]
    const day = `2026-11-${23 + random(6)}`
    const what = random(5)
    const isThere = microsoft.has(calendar, id)
    if (what === 0 && isThere) microsoft.remove(calendar, id)
    else if (what === 1 && isThere && microsoft.isSeries(calendar, id))
      microsoft.putOccurrence(calendar, id, random(4), random(2) === 0 ? 'deleted' : at(day, 8 + random(10)))
    else microsoft.put(calendar, id, at(day, 8 + random(10), random(2) === 0 ? { times: 4 } : {}))
    microsoft.pageSize = 1 + random(4)
    if (random(15) === 0) microsoft.loseState(calendar)
    if (random(3) === 0) await readLater()
  }
  await readLater()
  const read = await stored()
  await db.updateTable('calendar_sources').set({ whole_read_at: null }).execute()
  await readLater()
  expect(await stored()).toEqual(read)
  expect(read.length).toBeGreaterThan(5)
  expect((await verify(db, shop.time.now)).findings.listed).toEqual([])
})

/** Numbers below a limit that look random and are the same in each run. */
function randomOf(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}
