import { gzipSync } from 'node:zlib'
import { check } from '../checks/check.ts'
import { expectTrue, inCase } from '../run/expectations.ts'
import type { Pace } from './pace.ts'
import { sendRaw } from './raw-connection.ts'
import { expectStillServes } from './still-serves.ts'

/** Milliseconds. A server may wait for a slow client as long as this. */
const MAX_SLOW_MS = 150_000
const MAX_ANSWER_MS = 20_000
const only = { only: 'rest' } as const
const restOnly = { ...only, isAlone: true } as const

/** The parts of a request that never ends, one byte each. */
function* endless(start: string, byte: string): Generator<string> {
  yield start
  for (;;) yield byte
}

export const hostileConnectionAttacks = (pace: Pace) => [
  check(
    'LIM-024',
    'The server closes the connection of a client that sends its request too slowly',
    async (c) => {
      const endpoint = c.target.endpoint('rest')
      const { host, pathname } = new URL(endpoint)
      const line = `POST ${pathname}/services/list HTTP/1.1\r\nHost: ${host}\r\n`
      const body = `${line}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`
      const slow = { 'slow headers': endless(`${line}X-Slow: `, 'a'), 'a slow body': endless(body, ' ') }
      await Promise.all(
        Object.entries(slow).map(async ([name, parts]) => {
          const answer = await sendRaw(endpoint, parts, { limit: MAX_SLOW_MS, pause: 2_000 })
          inCase(name, () => expectTrue(answer.isClosed, `a closed connection within ${MAX_SLOW_MS} ms`, 'an open one'))
        }),
      )
      await expectStillServes(c)
    },
    only,
  ),
  check(
    'LIM-023',
    'The server refuses a request with excessive headers, and goes on',
    async (c) => {
      const endpoint = c.target.endpoint('rest')
      const { host, pathname } = new URL(endpoint)
      const line = `GET ${pathname}/services/feed HTTP/1.1\r\nHost: ${host}\r\n`
      const floods = {
        'a header of a megabyte': `${line}X-Long: ${'a'.repeat(2 ** 20)}\r\n\r\n`,
        'twenty thousand headers': `${line}${'X-Many: a\r\n'.repeat(20_000)}\r\n`,
      }
      for (const [name, request] of Object.entries(floods)) {
        await pace()
        const { status, isClosed } = await sendRaw(endpoint, [request], { limit: MAX_ANSWER_MS })
        const isRefused = status === undefined ? isClosed : status >= 400 && status < 500
        inCase(name, () => expectTrue(isRefused, 'a status 4xx, or a closed connection', `HTTP ${status ?? 'none'}`))
      }
      await expectStillServes(c)
    },
    only,
  ),
  check(
    'ERR-077',
    'The server refuses a request whose length is ambiguous',
    async (c) => {
      const endpoint = c.target.endpoint('rest')
      const { host, pathname } = new URL(endpoint)
      const line = `POST ${pathname}/services/list HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`
      const hidden = `GET ${pathname}/services/feed?limit=1 HTTP/1.1\r\nHost: ${host}\r\n\r\n`
      const ambiguous = {
        'two kinds of length': `${line}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
        'two lengths': `${line}Content-Length: 2\r\nContent-Length: ${hidden.length}\r\n\r\n{}${hidden}`,
        'a disguised encoding': `${line}Content-Length: 2\r\nTransfer-Encoding : chunked\r\n\r\n{}${hidden}`,
        'a negative length': `${line}Content-Length: -2\r\n\r\n{}`,
      }
      for (const [name, request] of Object.entries(ambiguous)) {
        await pace()
        const { status, text } = await sendRaw(endpoint, [request], { limit: 3_000 })
        const answers = text.match(/^HTTP\/1\.1 \d{3} /gm)?.length ?? 0
        inCase(name, () => {
          expectTrue(status === undefined || (status >= 400 && status < 500), 'a status 4xx', `HTTP ${status}`)
          expectTrue(answers <= 1, 'no answer to the hidden request', `${answers} answers`)
        })
      }
      await expectStillServes(c)
    },
    only,
  ),
  check(
    'LIM-021',
    'A small compressed body with much content costs the server nothing',
    async (c) => {
      const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20, ' '))
      const endpoint = c.target.endpoint('rest')
      const { host, pathname } = new URL(endpoint)
      const line = `POST ${pathname}/services/list HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`
      const headers = `${line}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\nConnection: close\r\n\r\n`
      const { status, milliseconds } = await sendRaw(endpoint, [headers, bomb], { limit: MAX_ANSWER_MS })
      expectTrue(status === undefined || (status >= 400 && status < 500), 'a status 4xx', `HTTP ${status}`)
      expectTrue(milliseconds < 5_000, 'a refusal within 5 s', `${Math.round(milliseconds)} ms`)
      await expectStillServes(c)
    },
    restOnly,
  ),
]
