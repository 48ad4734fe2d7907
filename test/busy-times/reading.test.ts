import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { reseal } from '../../src/core/keys/reencrypt-stored-secrets.ts'
import { readInProcess } from '../../src/domain/busy-times/reader/read-in-process.ts'
import { resealAddresses } from '../../src/domain/busy-times/reseal-addresses.ts'
import { readDueCalendars, startCalendarReader } from '../../src/domain/busy-times/source-worker.ts'
import { SECRET, START } from '../support/server.ts'
import { calendarOf, event } from './calendar-text.ts'
import { connectedShop, hour, salon } from './connected-shop.ts'
import { drip, flood } from './provider.ts'

const on = await connectedShop()
const { shop, provider, rest, busy, connect, readLater, listed, stored, clear } = on
beforeEach(clear)
beforeEach(() => {
  shop.time.now = START
})
const { db } = shop.runtime

const DAY = '2026-11-24'
const two = [hour('one', DAY, 11), hour('two', DAY, 13)]

/** The number of row versions that PostgreSQL has written to the table so far. */
const writes = async () => {
  const { rows } = await sql<{
    count: string
  }>`select coalesce(sum(xmin::text::bigint), 0) as count from busy_times`.execute(db)
  return rows[0]?.count
}

test('[a calendar elsewhere] is read at once, and then every ten minutes with conditional requests', async () => {
  const { published, source } = await busy(rest, ...two)
  expect(await listed(rest, source.id)).toMatchObject({ state: 'read', busy_soon: 2, host: provider.host })
  expect(published.requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' })
  await readLater(9)
  expect(published.requests).toHaveLength(1)
  const before = await writes()
  await readLater(1)
  expect(published.requests.map(({ status }) => status)).toEqual([200, 304])
  expect(await writes()).toBe(before)
})

test('[a calendar elsewhere] that answers the same without validators writes no row, and is not read anew', async () => {
  const { published, source } = await busy(rest, ...two, ['DTSTAMP:20261120T120000Z'])
  Object.assign(published, { hasValidators: false, text: published.text.replace('T120000Z', 'T121000Z') })
  const before = await writes()
  const readWhole = () =>
    db.selectFrom('calendar_sources').select('whole_read_at').where('id', '=', source.id).executeTakeFirst()
  const first = await readWhole()
  await readLater()
  expect(await readWhole()).toEqual(first)
  expect(published.requests.map(({ status }) => status)).toEqual([200, 200])
  expect(await writes()).toBe(before)
})

test('[a calendar elsewhere] writes only what changed: a new event, a moved one and a deleted one', async () => {
  const { published } = await busy(rest, ...two, hour('three', DAY, 15))
  const before = await stored()
  published.text = calendarOf(...[hour('one', DAY, 11), hour('two', DAY, 14), hour('four', DAY, 16)].flat())
  await readLater()
  const after = await stored()
  expect(after).toHaveLength(before.length)
  expect(after.filter((row) => before.includes(row))).toHaveLength(before.length - 2)
})

test('[OutlookGoogleCalendarSync 1653, 418] the deletion of one occurrence is the deletion of one occurrence', async () => {
  const series = (...more: string[]) => hour('series', DAY, 11, ['RRULE:FREQ=DAILY;COUNT=5', ...more])
  const { published, source } = await busy(rest, series())
  expect((await listed(rest, source.id)).busy_soon).toBe(5)
  const before = await stored()
  published.text = calendarOf(...series('EXDATE;TZID=America/New_York:20261126T110000'))
  await readLater()
  const after = await stored()
  expect(before.filter((row) => !after.includes(row))).toEqual([expect.stringContaining('2026-11-26')])
  expect(after.every((row) => before.includes(row))).toBe(true)
})

test('[a calendar elsewhere] a day is another time when the time zone of the business changes', async () => {
  await busy(rest, event('UID:day', `DTSTART;VALUE=DATE:${DAY.replaceAll('-', '')}`))
  expect(await stored()).toEqual([expect.stringContaining('2026-11-24 05:00:00')])
  await shop.apply({ ...salon, business: { ...salon.business, timezone: 'Europe/Berlin' } })
  await shop.runtime.business.seenBy(db)
  await readLater(0)
  expect(await stored()).toEqual([expect.stringContaining('2026-11-23 23:00:00')])
  await shop.apply(salon)
  await shop.runtime.business.seenBy(db)
})

describe('[OutlookGoogleCalendarSync 2022] a read that fails deletes nothing, and says since when and why:', () => {
  const whole = calendarOf(...two.flat())

  test.each<[string, Partial<Parameters<typeof provider.publish>[1]>, string]>([
    ['the provider is down', { status: 503 }, 'unreachable'],
    ['the provider has a fault', { status: 500, text: calendarOf() }, 'unreachable'],
    ['the address was revoked', { status: 404, text: calendarOf() }, 'refused'],
    ['access is refused', { status: 403, text: calendarOf() }, 'refused'],
    ['another status', { status: 206, text: calendarOf() }, 'refused'],
    ['a page to sign in', { text: '<!doctype html><title>Sign in</title>' }, 'not_calendar'],
    ['nothing', { text: '' }, 'not_calendar'],
    ['a calendar that is cut off', { text: whole.slice(0, -20) }, 'truncated'],
    ['one that is cut off after an event', { text: whole.slice(0, whole.indexOf('END:VEVENT') + 12) }, 'truncated'],
    [
      'a connection that breaks',
      {
        answer: async (response) => {
          response.writeHead(200, { 'content-type': 'text/calendar', 'content-length': '10000' })
          response.write(calendarOf())
          await pass(20)
          response.destroy()
        },
      },
      'unreachable',
    ],
    [
      'a redirect to an address that is not public',
      { status: 302, headers: { location: 'https://10.0.0.1/' } },
      'address_forbidden',
    ],
    ['a redirect without https', { status: 302, headers: { location: 'http://127.0.0.1/' } }, 'address_forbidden'],
    ['too many redirects', { status: 302, headers: { location: '?' } }, 'refused'],
    ['an answer of 100 MB', { answer: (response) => flood(response, 100) }, 'too_large'],
    [
      'too many events',
      {
        text: calendarOf(Array.from({ length: 30_000 }, (_, nth) => hour(`${nth}`, DAY, 11).join('\r\n')).join('\r\n')),
      },
      'too_large',
    ],
  ])('%s', async (_, fault, problem) => {
    const { published, source } = await busy(rest, ...two)
    const before = await stored()
    const start = shop.time.now
    Object.assign(published, fault)
    await readLater()
    const failing = { state: 'failing', problem, busy_soon: 2 }
    expect(await listed(rest, source.id)).toMatchObject(failing)
    expect(await stored()).toEqual(before)
    const since = (await listed(rest, source.id)).failing_since
    expect(Date.parse(since)).toBe(start.getTime() + 600_000)
    await readLater(60)
    expect(await listed(rest, source.id)).toMatchObject({ ...failing, failing_since: since })
    Object.assign(published, { text: whole, status: 200, headers: {}, hasValidators: true, answer: undefined })
    await readLater(60)
    expect(await listed(rest, source.id)).toMatchObject({ state: 'read', busy_soon: 2 })
    expect(await listed(rest, source.id)).not.toHaveProperty('problem')
    expect(await stored()).toEqual(before)
  })

  test('but a calendar that is complete and empty blocks nothing any more', async () => {
    const { published, source } = await busy(rest, ...two)
    published.text = calendarOf()
    await readLater()
    expect(await listed(rest, source.id)).toMatchObject({ state: 'read', busy_soon: 0 })
  })

  test('the pauses between the attempts grow, and the provider can ask for a longer one', async () => {
    const { published, source } = await busy(rest, ...two)
    Object.assign(published, { status: 503 })
    const pauses: number[] = []
    for (let nth = 0; nth < 7; nth++) {
      if (nth === 6) published.headers = { 'retry-after': '7200' }
      await readLater(60)
      const { next_read_at } = await listed(rest, source.id)
      pauses.push((Date.parse(next_read_at) - shop.time.now.getTime()) / 60_000)
    }
    expect(pauses).toEqual([1, 5, 10, 30, 60, 60, 120])
  })
})

test('[a calendar elsewhere] that says without being asked that nothing changed is refused', async () => {
  const source = await connect(rest, provider.publish('', { status: 304, hasValidators: false }))
  await readDueCalendars(shop.runtime)
  expect(await listed(rest, source.id)).toMatchObject({ state: 'failing', problem: 'refused' })
})

test('[a calendar elsewhere] is found after a redirect', async () => {
  const target = provider.publish(calendarOf(...two.flat()))
  const published = provider.publish('', { status: 302, headers: { location: target.address } })
  const source = await connect(rest, published)
  await readDueCalendars(shop.runtime)
  expect(await listed(rest, source.id)).toMatchObject({ state: 'read', busy_soon: 2 })
})

test.each([
  ['PT30M', 30],
  ['PT1M', 10],
  ['P1W', 60],
])('[a calendar elsewhere] that asks for a pause of %s is read after %i minutes', async (pause, minutes) => {
  const { source } = await busy(rest, [`REFRESH-INTERVAL;VALUE=DURATION:${pause}`])
  const { next_read_at } = await listed(rest, source.id)
  expect(Date.parse(next_read_at) - shop.time.now.getTime()).toBe(minutes * 60_000)
})

test('[nextcloud/server 50879] a series stays expanded, although the provider says that nothing changed', async () => {
  const { published, source } = await busy(rest, hour('series', DAY, 11, ['RRULE:FREQ=DAILY']))
  const last = async () => {
    const { rows } = await sql<{ at: Date }>`
      select max(upper(during)) as at from busy_times where source_id = ${source.id}`.execute(db)
    return rows[0]?.at.getTime() ?? 0
  }
  const before = await last()
  expect(before - shop.time.now.getTime()).toBeGreaterThan(399 * 86_400_000)
  for (let day = 0; day < 8; day++) await readLater(24 * 60)
  expect(published.requests.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(await last()).toBe(before + 7 * 86_400_000)
})

test('[cal.diy 8398, 10517, 6217] an event at nine o’clock is at nine o’clock after the clocks changed', async () => {
  const { source } = await busy(rest, hour('series', '2027-03-10', 9, ['RRULE:FREQ=DAILY;COUNT=8']))
  const { rows } = await sql<{ at: string }>`
    select to_char(lower(during) at time zone 'America/New_York', 'HH24:MI') as at from busy_times
    where source_id = ${source.id}`.execute(db)
  expect(rows.map(({ at }) => at)).toEqual(Array(8).fill('09:00'))
})

test('[cal.diy 10818] an older answer never replaces a newer one', async () => {
  const { published, source } = await busy(rest, hour('one', DAY, 11))
  const older = published.text
  const { promise: isNewerStored, resolve } = Promise.withResolvers<void>()
  published.answer = async (response) => {
    published.answer = undefined as never
    await isNewerStored
    response.writeHead(200, { 'content-type': 'text/calendar' }).end(older)
  }
  shop.minutesLater(10)
  const slow = readDueCalendars(shop.runtime)
  while (published.answer) await pass(10)
  // The lease of the slow process ends, and another one reads the calendar meanwhile.
  await sql`update calendar_sources set leased_until = now() - interval '1 second' where id = ${source.id}`.execute(db)
  published.text = calendarOf(...hour('one', DAY, 15))
  await readDueCalendars(shop.runtime)
  const newer = await stored()
  resolve()
  await slow
  expect(await stored()).toEqual(newer)
  expect(newer).toEqual([expect.stringContaining('20:00:00')])
})

test('[cal.diy 2786, 479] calendars that drip or hang delay no other calendar', async () => {
  const slow = [drip, () => pass(60_000, undefined, { ref: false })]
  for (const answer of slow) await connect(rest, provider.publish('', { answer }))
  const { address } = provider.publish(calendarOf(...hour('one', DAY, 11)))
  const worker = startCalendarReader(shop.runtime)
  const begun = performance.now()
  const { data } = await rest.call(
    'usp_business_connected_calendars_connect',
    { resource_id: 'staff_ben', address },
    { as: shop.staff },
  )
  await expect.poll(() => listed(rest, data.source.id), { timeout: 10_000 }).toMatchObject({ state: 'read' })
  expect(performance.now() - begun).toBeLessThan(10_000)
  await db
    .updateTable('calendar_sources')
    .set({ next_at: new Date('2100-01-01') })
    .execute()
  await worker.close()
}, 60_000)

test('[a calendar elsewhere] with what this server wrote itself does not stand in its own way', async () => {
  const slot = (await rest.slots('svc_cut', { resource_id: 'staff_ann' })).at(-1)
  const { booking } = (await rest.book(slot)).data
  const { source } = await busy(
    rest,
    event(`UID:${booking.id}`, 'DTSTART:20261201T150000Z', 'DURATION:PT1H'),
    event('UID:bkg_0123456789abcdef', 'DTSTART:20261201T170000Z', 'DURATION:PT1H'),
  )
  // A booking at another server of this kind blocks like anything else.
  expect((await listed(rest, source.id)).busy_soon).toBe(1)
})

test('[a calendar elsewhere] that takes too long to read is given up', async () => {
  const content = Buffer.from(calendarOf(...hour('one', DAY, 11)))
  const window = [Date.parse('2026-11-01'), Date.parse('2027-11-01')] as const
  await expect(readInProcess({ content, zone: 'UTC', window }, 1)).rejects.toThrow('too_complex')
})

test('[a secret key can be changed] and the address is sealed anew; without its key it says to connect again', async () => {
  const { published, source } = await busy(rest, hour('one', DAY, 11))
  await reseal(db, { former: SECRET, next: 'another'.repeat(10) }, [resealAddresses])
  await readLater()
  expect(await listed(rest, source.id)).toMatchObject({ state: 'failing', problem: 'address_lost', busy_soon: 1 })
  await reseal(db, { former: 'another'.repeat(10), next: SECRET }, [resealAddresses])
  await readLater(60)
  expect(await listed(rest, source.id)).toMatchObject({ state: 'read' })
  expect(published.requests.length).toBeGreaterThan(1)
})
