import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Writable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { EncryptedBytes, skipEmptyWrites } from '../../src/infra/net/limit-tls-handshake-bytes.ts'

const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => void server.close())

/** As much as is read in one go, less than which several may have in one turn. */
const SENT = Buffer.from(Array.from({ length: 60_000 }, (_, n) => n % 251))

/** Bytes that were handed over, to all, in the turn that is. */
let inTurn = 0
let mostInTurn = 0

async function handedOver(socket: Socket, isHandshakeOver: boolean): Promise<Buffer> {
  const bytes = new EncryptedBytes(socket)
  if (isHandshakeOver) bytes.endHandshake()
  const parts: Buffer[] = []
  bytes.on('data', (part: Buffer) => {
    parts.push(part)
    inTurn += part.length
    mostInTurn = Math.max(mostInTurn, inTurn)
  })
  await once(bytes, 'close')
  return Buffer.concat(parts)
}

/** What is handed over of each of so many clients that send all of this and hang up. */
async function received(clients: number, isHandshakeOver: boolean): Promise<Buffer[]> {
  const { port } = server.address() as AddressInfo
  const { promise, resolve } = Promise.withResolvers<Promise<Buffer>[]>()
  const all: Promise<Buffer>[] = []
  const accept = (socket: Socket) => all.push(handedOver(socket, isHandshakeOver)) === clients && resolve(all)
  server.on('connection', accept)
  for (let n = 0; n < clients; n++)
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .end(SENT)
  const parts = await Promise.all(await promise)
  server.off('connection', accept)
  return parts
}

test('all that many send before they hang up is handed over, in its order', async () => {
  const parts = await received(20, true)
  expect(parts.filter((part) => !part.equals(SENT))).toEqual([])
})

test('of a handshake no more than ten kilobytes are', async () => {
  expect(await received(1, false)).toEqual([SENT.subarray(0, 10 * 1024)])
})

test('[no single request stalls the server] of all handshakes together no more than that is handed over in a turn', async () => {
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  const accept = (socket: Socket) => sockets.push(socket)
  server.on('connection', accept)
  for (let n = 0; n < 20; n++)
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .end(SENT)
  await expect.poll(() => sockets.filter(({ readableLength }) => readableLength > 10 * 1024).length).toBe(20)
  server.off('connection', accept)
  const next = () => {
    inTurn = 0
    turn = setImmediate(next)
  }
  let turn = setImmediate(next)
  mostInTurn = 0
  await Promise.all(sockets.map((socket) => handedOver(socket, false)))
  clearImmediate(turn)
  // Some of it may be counted to the turn before.
  expect(mostInTurn).toBeLessThanOrEqual(2 * 10 * 1024)
})

test('[no single request ends the server] what is empty is not written, and whoever wrote it is called back in its turn', async () => {
  const written: string[] = []
  const done: string[] = []
  const socket = new Writable({
    write: (chunk, _, next) => setImmediate(next, void written.push(String(chunk))),
    writev: (chunks, next) => setImmediate(next, void written.push(chunks.map(({ chunk }) => String(chunk)).join('+'))),
  })
  skipEmptyWrites(socket)
  for (const text of ['', 'one', '', '', 'two', '']) socket.write(text, () => done.push(text))
  await new Promise<void>((finished) => socket.end('', finished))
  expect(written).toEqual(['one', '++two++'])
  expect(done).toEqual(['', 'one', '', '', 'two', ''])
})

test('[no single request ends the server] empty writes alone are not written either, however many wait together', async () => {
  const written: string[] = []
  const socket = new Writable({
    write: (chunk, _, next) => next(void written.push(String(chunk))),
    writev: (chunks, next) => next(void written.push(`${chunks.length}`)),
  })
  skipEmptyWrites(socket)
  socket.cork()
  for (let write = 0; write < 2; write++) socket.write('')
  await new Promise<void>((finished) => socket.end(finished))
  expect(written).toEqual([])
})
