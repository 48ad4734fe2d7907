/**
 * Providers of calendars in a separate process, as if they ran on another machine: calendar files at addresses, accounts
 * at Google, and hostile calendars. Each calendar has 500 events. A hundred of them repeat every week.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pass } from 'node:timers/promises'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'

const [SINGLE, WEEKLY] = [400, 100]
const HOUR = 3_600_000
const WEEK = 7 * 24 * HOUR
const WEEKS = 60
const DAYS = 390
/** The first event begins tomorrow at this instant. */
const BASE = Math.ceil(Date.now() / (24 * HOUR)) * 24 * HOUR

/** What the benchmark tells this process. */
export type Order = { change: number[] } | { push: number }

/** A change of a calendar at Google, with the notice about it. */
export interface Push {
  address: string
  headers: Record<string, string>
  /** The new start of the changed event. */
  start: number
}

/** The number of changes of each calendar so far. A change moves its first event. */
const versions = new Map<number, number>()
const versionOf = (calendar: number) => versions.get(calendar) ?? 0

interface CalendarEvent {
  uid: string
  start: number
  isWeekly: boolean
}

const startOf = (calendar: number, nth: number) =>
  BASE + ((nth * 7 + calendar) % DAYS) * 24 * HOUR + ((nth % 20) * HOUR) / 2

const eventsOf = (calendar: number): CalendarEvent[] =>
  Array.from({ length: SINGLE + WEEKLY }, (_, nth) => {
    const isWeekly = nth >= SINGLE
    const moved = nth === 0 ? versionOf(calendar) * HOUR : 0
    const start = isWeekly
      ? BASE - WEEK + (nth % 7) * 24 * HOUR + ((nth % 40) * HOUR) / 4
      : startOf(calendar, nth) + moved
    return { uid: `${calendar}-${nth}@example.com`, start, isWeekly }
  })

const utc = (instant: number) => new Date(instant).toISOString().replace(/[-:]|\.\d+/g, '')

function fileOf(calendar: number): string {
  const events = eventsOf(calendar).map(
    ({ uid, start, isWeekly }) => `BEGIN:VEVENT\r
UID:${uid}\r
DTSTAMP:20261101T000000Z\r
DTSTART:${utc(start)}\r
DTEND:${utc(start + HOUR)}\r
${isWeekly ? 'RRULE:FREQ=WEEKLY\r\n' : ''}SUMMARY:An appointment of a person with another person\r
DESCRIPTION:A text of usual length\\, which the server does not store.\r
END:VEVENT\r
`,
  )
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\n${events.join('')}END:VCALENDAR\r\n`
}

const googleTime = (instant: number) => ({ dateTime: new Date(instant).toISOString().replace('.000', '') })

const googleEvent = ({ uid, start, isWeekly }: CalendarEvent, number?: number) => {
  const id = uid.replace(/[-@.]/g, '')
  const from = start + (number ?? 0) * WEEK
  return {
    id: number === undefined ? id : `${id}_${utc(from)}`,
    status: 'confirmed',
    iCalUID: uid,
    ...(isWeekly && (number === undefined ? { recurrence: ['RRULE:FREQ=WEEKLY'] } : { recurringEventId: id })),
    start: googleTime(from),
    end: googleTime(from + HOUR),
  }
}

/** All single events and all repetitions. */
const instancesOf = (calendar: number) =>
  eventsOf(calendar).flatMap((event) =>
    event.isWeekly ? Array.from({ length: WEEKS }, (_, number) => googleEvent(event, number)) : [googleEvent(event)],
  )

/** The open channels: the calendar, and the headers of a notice. */
const channels = new Map<number, { address: string; headers: Record<string, string> }>()

type Json = Record<string, unknown>

function listEvents(calendar: number, query: URLSearchParams): Json {
  const token = query.get('syncToken')
  const nextSyncToken = String(versionOf(calendar))
  if (token !== null) {
    const [first] = eventsOf(calendar)
    return { items: token === nextSyncToken || !first ? [] : [googleEvent(first)], nextSyncToken }
  }
  if (query.get('singleEvents') !== 'true') return { nextSyncToken }
  const [from, most] = [Number(query.get('pageToken') ?? 0), Number(query.get('maxResults'))]
  const all = instancesOf(calendar)
  return {
    items: all.slice(from, from + most),
    ...(from + most < all.length && { nextPageToken: String(from + most) }),
  }
}

function google(path: string, query: URLSearchParams, account: number, body: string): Json {
  if (path === '/users/me/calendarList')
    return {
      items: [{ id: `calendar-${account}`, summary: `Calendar ${account}`, primary: true, accessRole: 'owner' }],
    }
  if (!path.endsWith('/watch')) return listEvents(account, query)
  const { id, address, token } = JSON.parse(body)
  const headers = { 'x-goog-channel-id': id, 'x-goog-channel-token': token, 'x-goog-resource-state': 'exists' }
  channels.set(account, { address, headers })
  return { id, resourceId: 'resource', expiration: String(Date.now() + WEEK) }
}

const calendarOf = (...events: string[]) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//EN\r\n${events.join('')}END:VCALENDAR\r\n`
const eventOf = (nth: number, rule: string) =>
  `BEGIN:VEVENT\r\nUID:${nth}\r\nDTSTART:20200101T080000Z\r\nDURATION:PT1M\r\n${rule}\r\nEND:VEVENT\r\n`
const RULES = [
  'RRULE:FREQ=SECONDLY',
  'RRULE:FREQ=SECONDLY;INTERVAL=999983;BYMONTH=2;BYMONTHDAY=30',
  'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'RRULE:FREQ=DAILY;COUNT=1000000000',
  'RRULE:FREQ=MINUTELY;BYHOUR=1,2,3,4,5;BYSECOND=0,1,2,3,4,5,6,7,8,9',
  'RRULE:FREQ=YEARLY;BYWEEKNO=53;BYYEARDAY=366;BYDAY=MO;BYSETPOS=-366',
]

/** Calendars that ask for more than any calendar may have. */
const HOSTILE: Record<string, (response: ServerResponse) => Promise<unknown>> = {
  async large(response) {
    const piece = eventOf(1, 'X-A:1').repeat(10_000)
    for (let sent = 0; sent < 100e6 && !response.destroyed; sent += piece.length)
      if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')])
    response.end()
  },
  rules: async (response) =>
    response.end(
      calendarOf(...Array.from({ length: 20_000 }, (_, nth) => eventOf(nth, RULES[nth % RULES.length] ?? ''))),
    ),
  events: async (response) =>
    response.end(`BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\nEND:VEVENT\r\n'.repeat(370_000)}END:VCALENDAR\r\n`),
  async drip(response) {
    for (;;) {
      response.write('BEGIN:VCALENDAR\r\n')
      await pass(200)
      if (response.destroyed) return
    }
  },
}

async function serve(request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url ?? '', 'https://127.0.0.1')
  const body = await text(request)
  const [, kind, name = ''] = /^\/(file|hostile)\/(\w+)$/.exec(pathname) ?? []
  if (kind === 'hostile') return HOSTILE[name]?.(response.writeHead(200, { 'content-type': 'text/calendar' }))
  if (kind === 'file') {
    const etag = `"${versionOf(Number(name))}"`
    if (request.headers['if-none-match'] === etag) return response.writeHead(304).end()
    return response.writeHead(200, { 'content-type': 'text/calendar', etag }).end(fileOf(Number(name)))
  }
  const json = (document: Json) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
  if (pathname === '/token')
    return json({ access_token: new URLSearchParams(body).get('refresh_token'), expires_in: 3599 })
  const account = Number(/^Bearer account-(\d+)$/.exec(request.headers.authorization ?? '')?.[1])
  return json(google(pathname.replace('/calendar/v3', ''), searchParams, account, body))
}

const server = createServer(loopbackCertificate(), (request, response) => {
  serve(request, response).catch(() => response.destroy())
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', (order: Order) => {
  for (const one of 'push' in order ? [order.push] : order.change) versions.set(one, versionOf(one) + 1)
  if ('push' in order)
    process.send?.({ ...channels.get(order.push), start: eventsOf(order.push)[0]?.start ?? 0 } satisfies Partial<Push>)
})
process.once('disconnect', () => process.exit())
