import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import { mayLearnPassword } from '../../src/domain/busy-times/caldav/caldav-account.ts'
import { MultistatusError, readMultistatus } from '../../src/domain/busy-times/caldav/multistatus.ts'
import { readDueCalendars } from '../../src/domain/busy-times/source-worker.ts'
import { calendarOf } from './calendar-text.ts'
import { connectedShop, hour } from './connected-shop.ts'

type Handler = (request: IncomingMessage, body: string, response: ServerResponse) => unknown

/** A server whose answers the test chooses. */
async function serverOf(handler: { current: Handler }) {
  const requests: { authorization: string | undefined; url: string }[] = []
  const server = createServer(loopbackCertificate(), async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    requests.push({ authorization: request.headers.authorization, url: request.url ?? '' })
    response.on('error', () => {})
    await handler.current(request, body, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const NAMESPACES = 'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"'
const multistatus = (...responses: string[]) => `<d:multistatus ${NAMESPACES}>${responses.join('')}</d:multistatus>`
const found = (href: string, properties: string) =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`
const isCalendar = '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>'
const data = (name: string, from: number) =>
  found(`/cal/${name}.ics`, `<c:calendar-data>${calendarOf(...hour(name, '2026-11-24', from))}</c:calendar-data>`)

/** A calendar with one event, which is read whole each time, because the server has no tokens. */
const good: Handler = (request, _, response) =>
  response
    .writeHead(207, { 'content-type': 'application/xml' })
    .end(multistatus(request.method === 'REPORT' ? data('one', 11) : found('/cal/', isCalendar)))

const handler = { current: good }
const [on, server, other] = await Promise.all([
  connectedShop(),
  serverOf(handler),
  serverOf({ current: (_, __, response) => response.end() }),
])
const { shop, rest, stored, listed, readLater, clear } = on
beforeEach(async () => {
  handler.current = good
  other.requests.length = 0
  await clear()
})

async function connect() {
  const caldav = { user: 'ann', password: 'secret' }
  const input = { resource_id: 'staff_ann', address: `${server.address}/cal/`, caldav }
  const { data: answer } = await rest.call('usp_business_connected_calendars_connect', input, { as: shop.staff })
  await readDueCalendars(shop.runtime)
  return answer.source.id as string
}

const reports =
  (answer: (response: ServerResponse) => unknown): Handler =>
  (request, body, response) =>
    request.method === 'REPORT' ? answer(response) : good(request, body, response)
const lists =
  (answer: (response: ServerResponse) => unknown): Handler =>
  (request, body, response) =>
    request.method === 'PROPFIND' ? answer(response) : good(request, body, response)
const xml = (text: string) => (response: ServerResponse) =>
  response.writeHead(207, { 'content-type': 'application/xml' }).end(text)

async function endless(response: ServerResponse, piece: string): Promise<void> {
  response.writeHead(207, { 'content-type': 'application/xml' })
  response.write(`<d:multistatus ${NAMESPACES}>`)
  while (!response.destroyed)
    if (!response.write(piece.repeat(1_000))) await Promise.race([once(response, 'drain'), once(response, 'close')])
}

const bomb = `<!DOCTYPE d:multistatus [<!ENTITY a "${'x'.repeat(1_000)}">${Array.from(
  { length: 9 },
  (_, nth) => `<!ENTITY ${'abcdefghij'[nth + 1]} "${`&${'abcdefghij'[nth]};`.repeat(10)}">`,
).join('')}]><d:multistatus ${NAMESPACES}><d:response><d:href>&j;</d:href></d:response></d:multistatus>`

const cases: [what: string, handler: Handler, problem: string][] = [
  ['endless events', reports((response) => endless(response, data('x', 12))), 'too_large'],
  ['an endless list of calendars', lists((response) => endless(response, found('/x/', isCalendar))), 'too_large'],
  ['100 MB', reports((response) => endless(response, 'x'.repeat(100_000))), 'too_large'],
  ['entities that expand, as events', reports(xml(bomb)), 'not_calendar'],
  ['entities that expand, as calendars', lists(xml(bomb)), 'not_calendar'],
  ['a deep document', reports(xml(`<d:multistatus ${NAMESPACES}>${'<a>'.repeat(1_000_000)}`)), 'truncated'],
  [
    'a million attributes',
    reports(
      xml(`<d:multistatus ${NAMESPACES}><a ${Array.from({ length: 500_000 }, (_, nth) => `a${nth}=""`).join(' ')}/>`),
    ),
    'truncated',
  ],
  ['a web page with the status of a list', lists(xml('<html><body>Sign in</body></html>')), 'not_calendar'],
  ['a web page instead of events', reports((response) => response.end('<html>Sign in</html>')), 'refused'],
  [
    'bytes that are no text',
    reports((response) => response.writeHead(207).end(Buffer.alloc(1_000, 0xff))),
    'not_calendar',
  ],
  [
    'an event that it cannot read itself',
    reports(xml(multistatus(data('one', 11), found('/cal/two.ics', '')))),
    'truncated',
  ],
  ['a fault', reports((response) => response.writeHead(500).end()), 'unreachable'],
  [
    'a redirect into a private network',
    lists((response) => response.writeHead(302, { location: 'https://10.0.0.1/cal/' }).end()),
    'other_host',
  ],
  ['redirects without end', lists((response) => response.writeHead(302, { location: '/again' }).end()), 'no_calendar'],
  [
    'a redirect to another host',
    lists((response) => response.writeHead(307, { location: `${other.address}/cal/` }).end()),
    'other_host',
  ],
  ['calendars of another host', lists(xml(multistatus(found(`${other.address}/cal/`, isCalendar)))), 'other_host'],
  ['a calendar without an address', lists(xml(multistatus(found('', isCalendar)))), 'not_calendar'],
  [
    'too many calendars',
    lists(xml(multistatus(...Array.from({ length: 101 }, (_, nth) => found(`/${nth}/`, isCalendar))))),
    'too_large',
  ],
]

test.each(cases)(
  '[a CalDAV account] of a hostile server with %s is reported, and the times stay',
  async (_, hostile, problem) => {
    const id = await connect()
    const before = await stored()
    expect(before).toHaveLength(1)
    handler.current = hostile
    const begun = performance.now()
    await readLater(60)
    expect(performance.now() - begun).toBeLessThan(25_000)
    expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem })
    expect(await stored()).toEqual(before)
    // The other host never learns the password.
    expect(other.requests).toEqual([])
    handler.current = good
    await readLater(60)
    expect(await listed(rest, id)).toMatchObject({ state: 'read' })
  },
)

test('[a CalDAV account] whose server names a principal or a home at another host sends it nothing', async () => {
  for (const property of ['<d:current-user-principal>', '<c:calendar-home-set>']) {
    const href = `${property}<d:href>${other.address}/ann/</d:href>${property.replace('<', '</')}`
    handler.current = lists(xml(multistatus(found('/cal/', href))))
    const id = await connect()
    expect(await listed(rest, id)).toMatchObject({ state: 'failing', problem: 'other_host' })
    expect(other.requests).toEqual([])
    await clear()
  }
})

test('[a CalDAV account] whose server drips delays no other calendar', async () => {
  handler.current = async (_, __, response) => {
    response.writeHead(207)
    for (let piece = 0; piece < 300 && !response.destroyed; piece++) {
      response.write(' ')
      await pass(100)
    }
    response.end()
  }
  const caldav = { user: 'ann', password: 'secret' }
  const input = { resource_id: 'staff_ann', address: `${server.address}/cal/`, caldav }
  await rest.call('usp_business_connected_calendars_connect', input, { as: shop.staff })
  const reading = readDueCalendars(shop.runtime)
  await pass(500)
  const { source } = await on.busy(rest, hour('dentist', '2026-11-24', 15))
  expect(await listed(rest, source.id)).toMatchObject({ state: 'read', busy_soon: 1 })
  await clear()
  handler.current = good
  await reading
}, 90_000)

test.each([
  ['https://caldav.example/dav/', 'https://caldav.example', true],
  ['https://caldav.example/dav/', 'https://caldav.example:8443', false],
  ['https://caldav.example/dav/', 'https://evil.example', false],
  ['https://caldav.icloud.com/', 'https://p42-caldav.icloud.com', true],
  ['https://caldav.icloud.com/', 'https://p42-caldav.icloud.com.evil.example', false],
  ['https://caldav.icloud.com/', 'https://p42-caldav.icloud.com:8443', false],
  ['https://caldav.example/', 'https://p42-caldav.icloud.com', false],
])('[a CalDAV account] at %s may send its password to %s: %s', (address, origin, may) => {
  expect(mayLearnPassword(origin, { address })).toBe(may)
})

test.each([
  ['nothing', '', false],
  ['another document', '<a/>', false],
  ['a document in another namespace', '<multistatus/>', false],
  ['a document type', `<!DOCTYPE a><d:multistatus xmlns:d="DAV:"/>`, false],
  ['an unknown entity', `<d:multistatus xmlns:d="DAV:">&nope;</d:multistatus>`, true],
  ['no end', `<d:multistatus xmlns:d="DAV:"><d:response>`, true],
  ['a second document', `<d:multistatus xmlns:d="DAV:"/><a/>`, true],
])('[a CalDAV account] a list with %s is refused', (_, text, isBegun) => {
  let error: unknown
  try {
    readMultistatus(Buffer.from(text), () => {}, 100)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(MultistatusError)
  expect(error).toMatchObject({ isBegun })
})
