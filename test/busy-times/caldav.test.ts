import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { readDueCalendars } from '../../src/domain/busy-times/source-worker.ts'
import { START } from '../support/server.ts'
import { caldavServer, kinds, PASSWORD, USER } from './caldav-servers.ts'
import { connectedShop, hour } from './connected-shop.ts'

const DAY = '2026-11-24'

describe.each(kinds)('[a CalDAV account] at $name', (kind) => {
  describe.skipIf(kind.python === undefined)(`(needs Python with ${kind.name.toLowerCase()})`, async () => {
    const [on, server] = kind.python ? await Promise.all([connectedShop(), caldavServer(kind)]) : []
    if (!on || !server) return test('is not installed', () => {})
    const { shop, rest, mcp, clear, readLater, listed } = on
    const { db } = shop.runtime
    let nth = 0
    let [work, home] = ['', '']
    beforeEach(async () => {
      await clear()
      shop.time.now = START
      server.intercept = undefined
      await Promise.all([work, home].filter(Boolean).map((name) => server.removeCalendar(name)))
      nth++
      ;[work, home] = [`work${nth}`, `home${nth}`]
      for (const name of [work, home]) await server.makeCalendar(name)
    })
    const call = (tool: string, input: Record<string, unknown>, desk = rest) =>
      desk.call(`usp_business_connected_calendars_${tool}`, input, { as: shop.staff })
    const connect = async (more: object = {}, desk = rest) => {
      const { caldav = {}, ...others } = Object(more)
      const account = { user: USER, password: PASSWORD, ...caldav }
      const input = { resource_id: 'staff_ann', address: server.address, caldav: account, ...others }
      const { source } = (await call('connect', input, desk)).data
      await readDueCalendars(shop.runtime)
      return source.id as string
    }
    const spans = async () => {
      const { rows } = await sql<{ span: string }>`
        select to_char(lower(during) at time zone 'America/New_York', 'MM-DD HH24') as span from busy_times order by 1`.execute(
        db,
      )
      return rows.map(({ span }) => span)
    }
    const callsOf = async (action: () => Promise<unknown>) => {
      server.calls.length = 0
      await action()
      return [...server.calls]
    }

    test.each([['REST'], ['MCP']])(
      'over %s, the address of the server leads to all calendars, and a later one too',
      async (binding) => {
        await server.put(work, 'one', ...hour('one', DAY, 9))
        await server.put(home, 'two', ...hour('two', DAY, 10))
        const desk = binding === 'REST' ? rest : mcp
        const id = await connect({}, desk)
        expect(await listed(desk, id)).toMatchObject({ kind: 'caldav', state: 'read', busy_soon: 2 })
        expect(await spans()).toEqual(['11-24 09', '11-24 10'])
        await server.makeCalendar(`later${nth}`)
        await server.put(`later${nth}`, 'three', ...hour('three', DAY, 11))
        await readLater()
        expect(await spans()).toEqual(['11-24 09', '11-24 10', '11-24 11'])
        await server.removeCalendar(`later${nth}`)
        await readLater()
        expect(await spans()).toEqual(['11-24 09', '11-24 10'])
      },
    )

    test('only chosen calendars block time, and a chosen one that is gone is reported', async () => {
      await server.put(work, 'one', ...hour('one', DAY, 9))
      await server.put(home, 'two', ...hour('two', DAY, 10))
      const id = await connect({ caldav: { calendars: [home.toUpperCase()] } })
      expect(await spans()).toEqual(['11-24 10'])
      await server.removeCalendar(home)
      await readLater()
      expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'no_calendar' })
      expect(await spans()).toEqual(['11-24 10'])
      home = ''
    })

    test('the address of one calendar is this calendar', async () => {
      await server.put(work, 'one', ...hour('one', DAY, 9))
      await server.put(home, 'two', ...hour('two', DAY, 10))
      await connect({ address: `${server.address}${server.home.slice(1)}/${work}/` })
      expect(await spans()).toEqual(['11-24 09'])
      await server.put(work, 'three', ...hour('three', DAY, 12))
      await readLater()
      expect(await spans()).toEqual(['11-24 09', '11-24 12'])
    })

    test('without changes it is one call, and with changes only the changed events are read', async () => {
      for (const one of [9, 10, 11, 12]) await server.put(work, `e${one}`, ...hour(`e${one}`, DAY, one))
      await server.put(home, 'series', ...hour('series', DAY, 14, ['RRULE:FREQ=DAILY;COUNT=3']))
      await connect()
      expect(await callsOf(readLater)).toEqual(['PROPFIND'])
      const before = await on.stored()
      await server.put(work, 'e9', ...hour('e9', DAY, 8))
      await server.put(work, 'e13', ...hour('e13', DAY, 13))
      await server.remove(work, 'e10')
      await server.put(
        home,
        'series',
        ...hour('series', DAY, 14, ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;TZID=America/New_York:20261125T140000']),
      )
      const calls = await callsOf(readLater)
      expect(calls[0]).toBe('PROPFIND')
      expect(calls.slice(1).toSorted()).toEqual([
        'REPORT calendar-multiget',
        'REPORT calendar-multiget',
        'REPORT sync-collection',
        'REPORT sync-collection',
      ])
      expect(await spans()).toEqual(['11-24 08', '11-24 11', '11-24 12', '11-24 13', '11-24 14', '11-26 14'])
      const after = await on.stored()
      expect(before.filter((row) => after.includes(row))).toHaveLength(4)
      expect(await callsOf(readLater)).toEqual(['PROPFIND'])
    })

    test('a lost sync token leads to a whole read, and nothing in between is missed', async () => {
      await server.put(work, 'one', ...hour('one', DAY, 9))
      await server.put(work, 'two', ...hour('two', DAY, 10))
      await connect()
      await server.put(work, 'three', ...hour('three', DAY, 11))
      await server.remove(work, 'two')
      server.intercept = (_, body, response) => {
        if (!body.includes('sync-collection')) return false
        response.writeHead(403, { 'content-type': 'application/xml' })
        response.end('<?xml version="1.0"?><error xmlns="DAV:"><valid-sync-token/></error>')
        return true
      }
      expect(await callsOf(readLater)).toContain('REPORT calendar-query')
      expect(await spans()).toEqual(['11-24 09', '11-24 11'])
      server.intercept = undefined
      await server.remove(work, 'one')
      expect(await callsOf(readLater)).not.toContain('REPORT calendar-query')
      expect(await spans()).toEqual(['11-24 11'])
    })

    test('an answer that is cut off, or lacks an event, deletes nothing', async () => {
      await server.put(work, 'one', ...hour('one', DAY, 9))
      await server.put(work, 'two', ...hour('two', DAY, 10))
      const id = await connect()
      await server.put(work, 'two', ...hour('two', DAY, 12))
      const answers = [
        '<d:multistatus xmlns:d="DAV:"><d:response><d:href>/x</d:href>',
        '<d:multistatus xmlns:d="DAV:"/>',
        '<html><body>Please sign in</body></html>',
      ]
      for (const text of answers) {
        server.intercept = (_, body, response) => {
          if (!/calendar-(multiget|query)/.test(body)) return false
          response.writeHead(207, { 'content-type': 'application/xml' }).end(text)
          return true
        }
        await readLater(60)
        expect(await listed(rest, id)).toMatchObject({ state: 'failing' })
        expect(await spans()).toEqual(['11-24 09', '11-24 10'])
      }
      server.intercept = undefined
      await readLater(60)
      expect(await listed(rest, id)).toMatchObject({ state: 'read' })
      expect(await spans()).toEqual(['11-24 09', '11-24 12'])
    })

    test('an event that cannot be understood any more keeps its former time', async () => {
      await server.put(work, 'one', ...hour('one', DAY, 9))
      await connect()
      await server.put(work, 'one', ...hour('one', DAY, 11))
      server.intercept = (_, body, response) => {
        if (!body.includes('calendar-multiget')) return false
        const [, href] = /<d:href>([^<]+)</.exec(body) ?? []
        response.writeHead(207).end(`<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response>
<d:href>${href}</d:href><d:propstat><d:prop><c:calendar-data>BEGIN:VCALENDAR</c:calendar-data></d:prop>
<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`)
        return true
      }
      await readLater()
      expect(await spans()).toEqual(['11-24 09'])
    })

    test('a changed password is reported, and the times stay', async () => {
      await server.put(work, 'one', ...hour('one', DAY, 9))
      const id = await connect()
      server.intercept = (_, __, response) => response.writeHead(401).end() !== undefined
      await readLater()
      expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'password_refused' })
      expect(await spans()).toEqual(['11-24 09'])
      server.intercept = undefined
      const wrong = await connect({ resource_id: 'staff_ben', caldav: { password: 'wrong' } })
      expect(await listed(rest, wrong)).toMatchObject({ state: 'failing', problem: 'password_refused' })
    })

    test('no answer, no row and no entry of the log contains the password, and connecting the account again changes it', async () => {
      const id = await connect()
      const { rows } = await sql<{ row: string }>`
        select s::text as row from calendar_sources s union all select c::text from changes c
        union all select encode(reply, 'escape') from replies`.execute(db)
      const answers = JSON.stringify([await listed(rest, id), await listed(mcp, id)])
      for (const text of [answers, ...rows.map(({ row }) => row)]) expect(text).not.toMatch(/täglich|7 Uhr/)
      const again = { resource_id: 'staff_ann', address: server.address, caldav: { user: USER, password: 'other' } }
      expect((await call('connect', again)).data.source.id).toBe(id)
      await readDueCalendars(shop.runtime)
      expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'password_refused' })
      expect((await call('list', {})).data.sources).toHaveLength(1)
      const right = { ...again, caldav: { user: USER, password: PASSWORD, calendars: [work] }, name: 'Mine' }
      expect((await call('connect', right, mcp)).data.source).toMatchObject({ id, name: 'Mine' })
      await readDueCalendars(shop.runtime)
      expect(await listed(rest, id)).toMatchObject({ state: 'read' })
    })

    test('random edits, and a server that is killed in between, end with both equal', async () => {
      const random = randomOf(53)
      const events = new Map<string, [calendar: string, from: number]>()
      await connect()
      for (let edit = 0; edit < 40; edit++) {
        const [name, calendar] = [`e${random(8)}`, random(2) === 0 ? work : home]
        const [known] = events.get(name) ?? []
        if (known !== undefined && random(3) === 0) {
          await server.remove(known, name)
          events.delete(name)
        } else {
          const from = 8 + random(12)
          await server.put(known ?? calendar, name, ...hour(name, DAY, from))
          events.set(name, [known ?? calendar, from])
        }
        if (random(4) === 0) await readLater()
        if (edit === 20) await server.restart()
      }
      await readLater()
      const expected = [...events.values()].map(([, from]) => `11-24 ${String(from).padStart(2, '0')}`).toSorted()
      expect(await spans()).toEqual(expected)
      expect((await verify(db, shop.time.now)).findings.listed).toEqual([])
    })
  })
})

/** Numbers below a limit that look random and are the same in each run. */
function randomOf(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}
