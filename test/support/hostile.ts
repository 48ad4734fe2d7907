import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'

/** The behavior of a host on a connection. `reset` aborts the connection with a RST. */
type Conduct = (socket: Socket, reset: () => void) => unknown

/** Writes the same text without end, while the other side reads it. */
const withoutEnd = (text: string) => (socket: Socket) => {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  }
  socket.on('drain', more)
  more()
}
const says = (text: string) => (socket: Socket) => socket.write(text)
const afterRequest =
  (conduct: Conduct): Conduct =>
  (socket, reset) =>
    socket.once('data', () => conduct(socket, reset))
const trickles = (first: string, next: string) => (socket: Socket) => {
  socket.write(first)
  const timer = setInterval(() => socket.write(next), 50)
  socket.on('close', () => clearInterval(timer))
}
const OK = 'HTTP/1.1 200 OK\r\n'

const beforeTls: Record<string, Conduct> = {
  'resets at once': (_, reset) => reset(),
  'closes at once': (socket) => socket.end(),
  'says nothing': () => {},
  'resets after the greeting': afterRequest((_, reset) => reset()),
  'answers in plaintext': says(`${OK}\r\n`),
  'sends noise': withoutEnd('\0\xff\x16\x03\x01'.repeat(1000)),
  'sends an alert': (socket) => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, 40])),
  'sends half a record': (socket) => socket.write(Buffer.from([0x16, 3, 3, 0x40, 0, 2])),
}

const withinTls: Record<string, Conduct> = {
  'resets instead of answering': (_, reset) => reset(),
  'ends instead of answering': (socket) => socket.end(),
  'resets after the request': afterRequest((_, reset) => reset()),
  'never answers': () => {},
  'answers noise': withoutEnd('\0\xff'.repeat(4_000)),
  'answers before it is asked': (socket) => socket.end(`${OK}content-length: 2\r\n\r\n{}`),
  'answers twice': afterRequest(says(`${OK}content-length: 2\r\n\r\n{}${OK}content-length: 2\r\n\r\n{}`)),
  'has a header without end': afterRequest((socket) => {
    socket.write(`${OK}x: `)
    withoutEnd('a'.repeat(10_000))(socket)
  }),
  'has headers without end': afterRequest((socket) => {
    socket.write(OK)
    withoutEnd('a: b\r\n'.repeat(1_000))(socket)
  }),
  'trickles headers': afterRequest(trickles(OK, 'a: b\r\n')),
  'sends interim answers without end': afterRequest(
    withoutEnd('HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'.repeat(100)),
  ),
  'changes the protocol': afterRequest(
    says('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nhello'),
  ),
  'speaks HTTP/2': withoutEnd('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'),
  'trickles a body': afterRequest(trickles(`${OK}\r\n`, ' ')),
  'has a body without end': afterRequest((socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`)
    withoutEnd('1\r\na\r\n'.repeat(1_000))(socket)
  }),
  'breaks off its body': afterRequest((socket, reset) => socket.write(`${OK}content-length: 100\r\n\r\n{`, reset)),
  'breaks off a body without length': afterRequest((socket, reset) => socket.write(`${OK}\r\n{}`, reset)),
  'has a chunk that is none': afterRequest(says(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`)),
  'tells two lengths': afterRequest(says(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\n{}`)),
  'has trailers without end': afterRequest((socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`)
    withoutEnd('a: b\r\n'.repeat(1_000))(socket)
  }),
}

/** The https addresses of hostile hosts on loopback, by their misbehavior. */
export async function hostileAddresses(): Promise<Record<string, string>> {
  const secureContext = createSecureContext(loopbackCertificate())
  const found: Record<string, string> = {}
  for (const [what, conduct] of Object.entries(beforeTls))
    found[what] = await host((socket) => conduct(socket, () => socket.resetAndDestroy()))
  for (const [what, conduct] of Object.entries(withinTls))
    found[what] = await host((socket) => {
      const secure = new TLSSocket(socket, { isServer: true, secureContext })
      secure.on('error', () => {}).on('secure', () => conduct(secure, () => socket.resetAndDestroy()))
    })
  return found
}

async function host(connected: (socket: Socket) => void): Promise<string> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    connected(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
