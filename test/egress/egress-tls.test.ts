import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createSecureContext, createServer as createSecureServer, TLSSocket } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { callOutside } from '../../src/core/egress/call-external-url.ts'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import { readConfig } from '../../src/infra/config/read-config.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { slowness } from '../support/slowness.ts'
import { costlyChain, keyChanges } from '../support/tls-attacks.ts'

/** Milliseconds of processor time. */
const AT_MOST = 100

const config = readConfig({})
const call = (url: string) => callOutside(url, { timeout: 10_000, mostBytes: 1_024 }, config)
const UNREACHABLE = expect.objectContaining({ reason: 'unreachable' })

async function addressOf(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
/** What it says is never read: nobody vouches for it. */
const showing = (certificates: number) => addressOf(createSecureServer(costlyChain(certificates)))

test('[no answer stalls the server] a host that shows seventy costly certificates is hung up on, and none is verified', async () => {
  const url = await showing(70)
  const longest = longestTurn()
  await expect(call(url)).rejects.toMatchObject({
    reason: 'unreachable',
    message: 'sent more than 10 KB of certificates',
  })
  expect(longest()).toBeLessThan(AT_MOST * slowness())
})

test('[no answer stalls the server] twenty hosts that show as many as fit in the same moment are verified by turns', async () => {
  const url = await showing(10)
  const longest = longestTurn()
  const calls = Array.from({ length: 20 }, () => call(url).catch((error: unknown) => error))
  for (const outcome of await Promise.all(calls)) expect(outcome).toEqual(UNREACHABLE)
  expect(longest()).toBeLessThan(AT_MOST * slowness())
})

test('[no answer stalls the server] twenty thousand changes of the key instead of an answer are not made in one turn', async () => {
  let longest = () => Number.POSITIVE_INFINITY
  const secureContext = createSecureContext({ ...loopbackCertificate(), ciphers: 'TLS_AES_128_GCM_SHA256' })
  const changing = (socket: Socket) => {
    const secure = new TLSSocket(socket, { isServer: true, secureContext })
    let secret = Buffer.alloc(0)
    secure.on('keylog', (line) => {
      const [, hex] = /^SERVER_TRAFFIC_SECRET_0 \S+ (\S+)/.exec(String(line)) ?? []
      if (hex) secret = Buffer.from(hex, 'hex')
    })
    secure.once('data', () => {
      const changes = keyChanges(20_000, secret)
      longest = longestTurn()
      socket.end(changes)
    })
    secure.on('error', () => {})
  }
  await expect(call(await addressOf(createServer(changing)))).rejects.toEqual(UNREACHABLE)
  expect(longest()).toBeLessThan(AT_MOST * slowness())
})

/** Key exchanges in which the host chooses how large a number the other side reckons with: of 9,984 bits for half a second. */
const CHOSEN_BY_HOST = [0x33, 0x39, 0x67, 0x6b, 0x9e, 0x9f, 0xa2, 0xa3, 0xc09e, 0xc09f, 0xc0a2, 0xc0a3, 0xccaa]

test('[no answer stalls the server] no host is offered to choose how large a number is reckoned with', async () => {
  const greeted = Promise.withResolvers<Buffer>()
  const url = await addressOf(
    createServer((socket) =>
      socket.once('data', (greeting) => {
        greeted.resolve(greeting)
        socket.destroy()
      }),
    ),
  )
  await expect(call(url)).rejects.toEqual(UNREACHABLE)
  const greeting = await greeted.promise
  // Behind what leads a record and a message, a version and 32 bytes by chance, and the name of a session.
  const at = 44 + greeting.readUInt8(43)
  const suites = Array.from({ length: greeting.readUInt16BE(at) / 2 }, (_, nth) =>
    greeting.readUInt16BE(at + 2 + 2 * nth),
  )
  expect(suites).toContain(0x1301)
  expect(suites.filter((suite) => CHOSEN_BY_HOST.includes(suite))).toEqual([])
})
