import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { liveDesks } from '../../../src/interfaces/desk/live-updates.ts'
import { businessWith, service } from '../../support/definitions.ts'
import { buyer } from '../../support/desk.ts'
import { deskSalon } from './receptionist.ts'

const desk = await deskSalon()
const { shop, signedIn, booked, platform } = desk
const url = await listening(desk)

/** Where its desks are told. */
async function listening({ shop }: typeof desk): Promise<string> {
  const app = await shop.whole()
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/desk/live`
}

/** A browser that comes again says by it which it had. */
const TOLD = /^id: \d+-[0-9a-f]{32}\ndata: new$/

/** What comes, one after the other, however it was cut on its way. */
function paragraphs({ body }: Response) {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async () => {
    while (!text.includes('\n\n')) text += (await reader?.read())?.value ?? '\n\n'
    const [first = '', ...rest] = text.split('\n\n')
    text = rest.join('\n\n')
    return first
  }
}

test('[an open desk] is told within a second of what somebody else did, by whichever way', async () => {
  const jo = await signedIn('viewer')
  const headers = { cookie: `usp_desk=${jo.jar.get('usp_desk /')?.value}` }
  const aborted = new AbortController()
  const answer = await fetch(url, { headers, signal: aborted.signal })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const told = paragraphs(answer)
  expect(await told()).toMatch(/^retry:/)
  // Whoever comes may have a page that is older than the last that was done.
  expect(await told()).toMatch(TOLD)
  const waits: number[] = []
  for (let time = 0; time < 3; time++) {
    const { booking } = await booked('svc_auto')
    const done = performance.now()
    expect(await told()).toMatch(TOLD)
    waits.push(performance.now() - done)
    await platform.cancel(booking.id)
    await told()
  }
  // A machine that is busy with others makes some of them late.
  expect(Math.min(...waits)).toBeLessThan(1_000)
  aborted.abort()
  await pass(200)
  // Who leaves is how it ends, and nothing that went wrong.
  expect(shop.logged.filter((line) => line.includes('"aborted":true'))).toEqual([])
})

test('[an open desk] whose page is as new as what was done last is not told to be read again, until something else is done', async () => {
  const jo = await signedIn('viewer')
  const newest = () => jo.open('/desk').then(({ body }) => /data-newest="([^"]+)"/.exec(body)?.[1] ?? '')
  const cookie = `usp_desk=${jo.jar.get('usp_desk /')?.value}`
  const aborted = new AbortController()
  const come = async (seen: string, headers = {}) =>
    paragraphs(await fetch(`${url}?seen=${seen}`, { headers: { cookie, ...headers }, signal: aborted.signal }))
  const seen = await newest()
  const [told, again] = [await come(seen), await come('long-ago', { 'last-event-id': seen })]
  const late = await come('long-ago')
  for (const one of [told, again, late]) expect(await one()).toMatch(/^retry:/)
  // Whoever had another page is told, and by then the first could have been.
  expect(await late()).toContain(`id: ${seen}\n`)
  await booked('svc_auto')
  const next = await told()
  expect(next).toMatch(TOLD)
  expect(next).not.toContain(seen)
  expect(await again()).toBe(next)
  aborted.abort()
})

test('[an open desk] is told at once of an offer that is about to end, though nobody did anything', async () => {
  const yoga = service('svc_yoga', {
    type: 'group',
    capacity: { max: 1, waitlist: true },
    waitlist: { offer_window: 'PT90M' },
    sessions: [{ days: ['tuesday', 'wednesday'], starts: '16:00' }],
  })
  const studio = await deskSalon({}, businessWith([yoga]))
  const [full] = await studio.platform.slots('svc_yoga')
  const { booking } = (await studio.platform.book(full)).data
  await studio.platform.call('usp_waitlist_join', { service_id: 'svc_yoga', slot_id: full?.id, buyer })
  await studio.platform.cancel(booking.id)
  const jo = await studio.signedIn('viewer')
  const waiting = async () => /data-inbox="(\d+)"/.exec((await jo.open('/desk')).body)?.[1]
  expect(await waiting()).toBe('0')
  const aborted = new AbortController()
  const headers = { cookie: `usp_desk=${jo.jar.get('usp_desk /')?.value}` }
  const told = paragraphs(await fetch(await listening(studio), { headers, signal: aborted.signal }))
  expect([await told(), await told()]).toEqual([expect.stringMatching(/^retry:/), expect.stringMatching(TOLD)])
  studio.shop.minutesLater(31)
  expect(await told()).toMatch(TOLD)
  expect(await waiting()).toBe('1')
  aborted.abort()
})

test('[an open desk] finds room, however many hung up before they were let in', async () => {
  const jo = await signedIn('viewer')
  const cookie = `usp_desk=${jo.jar.get('usp_desk /')?.value}`
  const hungUp = Array.from({ length: 300 }, async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`GET /desk/live HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`, () => socket.destroy())
    await once(socket, 'close')
  })
  await Promise.all(hungUp)
  const aborted = new AbortController()
  await expect.poll(async () => (await fetch(url, { headers: { cookie }, signal: aborted.signal })).status).toBe(200)
  aborted.abort()
})

test('[an open desk] finds room, however many somebody else has open', async () => {
  const [jo, ann] = await Promise.all([signedIn('viewer'), signedIn('viewer')])
  const aborted = new AbortController()
  const come = async ({ jar }: typeof jo) => {
    const headers = { cookie: `usp_desk=${jar.get('usp_desk /')?.value}` }
    return (await fetch(url, { headers, signal: aborted.signal })).status
  }
  const statuses: number[] = []
  for (let line = 0; line < 25; line++) statuses.push(await come(jo))
  expect(statuses).toEqual([...Array(20).fill(200), ...Array(5).fill(503)])
  expect(await come(ann)).toBe(200)
  aborted.abort()
})

test('[an open desk] finds room among two hundred of ten people, and one more only once others have left', async () => {
  const people = await Promise.all(Array.from({ length: 11 }, () => signedIn('viewer')))
  const aborted = new AbortController()
  const come = async ({ jar }: (typeof people)[number], { signal } = aborted) => {
    const headers = { cookie: `usp_desk=${jar.get('usp_desk /')?.value}` }
    return (await fetch(url, { headers, signal })).status
  }
  const [last, ...others] = people
  const statuses = await Promise.all(others.flatMap((one) => Array.from({ length: 20 }, () => come(one))))
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect(last && (await come(last))).toBe(503)
  aborted.abort()
  const later = new AbortController()
  await expect.poll(() => last && come(last, later)).toBe(200)
  later.abort()
})

/** Without a socket nothing that it is told goes on, as where a browser reads nothing. */
const unreadLine = () => new ServerResponse(new IncomingMessage(new Socket()))

test.each(['its time', 'the server'])(
  '[an open desk] that is not read is told nothing more once %s is over: the line has ended, though not for its browser',
  async (what) => {
    const scope = fastify()
    const live = liveDesks(scope, shop.runtime)
    const [unread, failed] = [unreadLine(), vi.fn()]
    unread.on('error', failed)
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    live.add(unread, { staffId: 'jo', seen: undefined })
    if (what === 'its time') vi.advanceTimersByTime(5 * 60_000)
    vi.useRealTimers()
    if (what === 'the server') await scope.close()
    expect(unread.writableEnded).toBe(true)
    const other = unreadLine()
    live.add(other, { staffId: 'jo', seen: undefined })
    for (let change = 0; change < 2; change++) {
      const before = other.writableLength
      await booked('svc_auto')
      await expect.poll(() => other.writableLength).toBeGreaterThan(before)
    }
    expect(failed).not.toHaveBeenCalled()
    other.destroy()
  },
)

test('[an open desk] is nobody’s who is not signed in, and ends with the server', async () => {
  expect((await fetch(url)).status).toBe(204)
  const jo = await signedIn('viewer')
  const answer = await fetch(url, { headers: { cookie: `usp_desk=${jo.jar.get('usp_desk /')?.value}` } })
  const begun = performance.now()
  const ended = answer.text()
  await (await shop.whole()).close()
  await ended
  expect(performance.now() - begun).toBeLessThan(3_000)
})
