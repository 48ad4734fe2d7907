import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

const { app } = await serverWithAllInterfaces(businessWith([service('svc_one')]))
const usual = { ...app.server }
// The same limits, in the time a test has.
Object.assign(app.server, { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 50 })
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

/** Opens a connection, lets the client do as it does, and tells what came back by the end of the connection. */
async function conversation(client: (socket: Socket) => unknown) {
  const socket = connect(port, '127.0.0.1')
  const began = performance.now()
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.on('close', resolve))
  await once(socket, 'connect')
  client(socket)
  await closed
  const [head = '', body = ''] = Buffer.concat(received).toString().split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body, sent: socket.bytesWritten, took: performance.now() - began }
}

/** On a connection of its own, which does not stay. */
async function expectServed() {
  const text = 'GET /usp/v1/services/svc_one HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  expect((await conversation((socket) => socket.write(text))).status).toBe(200)
}

/** Goes on writing for as long as there is somebody to read. */
async function keepWriting(socket: Socket, text: string, pause: number) {
  while (!socket.closed) {
    if (!socket.write(text)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
    await setTimeout(pause)
  }
}

const post = (length: string) =>
  `POST /usp/v1/services/list HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`
const MEBIBYTE = 1024 * 1024

describe('[LIM-021] a body above the limit gives 413 without being read to the end', () => {
  test('when its length is announced', async () => {
    const answer = await conversation((socket) => socket.write(`${post(`Content-Length: ${5000 * MEBIBYTE}`)}{"quer`))
    expect(answer.status).toBe(413)
    expect(answer.head).toContain('application/problem+json')
    expect(JSON.parse(answer.body).code).toBe('content_too_large')
  })

  test('when it is not', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    const answer = await conversation((socket) => {
      socket.write(post('Transfer-Encoding: chunked'))
      return keepWriting(socket, chunk, 1)
    })
    expect(answer.status).toBe(413)
    expect(answer.sent).toBeLessThan(20 * MEBIBYTE)
  })
})

describe('[LIM-023] what is excessive gets a 4xx', () => {
  const expectRefused = async (request: string) => {
    const { status, head } = await conversation((socket) => socket.write(request))
    expect([400, 404, 414, 431]).toContain(status)
    expect(head).toContain('application/problem+json')
    await expectServed()
  }
  const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`

  test.each([10_000, 20_000, 200_000])('a URL of %i characters', (length) =>
    expectRefused(get(`/usp/v1/services/${'x'.repeat(length)}/y`)),
  )
  test.each([20_000, 200_000])('a header of %i characters', (length) =>
    expectRefused(get('/usp/v1/services/svc_one', `X-Long: ${'x'.repeat(length)}\r\n`)),
  )
  test('a thousand headers', () =>
    expectRefused(
      get('/usp/v1/services/svc_one', Array.from({ length: 1000 }, (_, n) => `X-${n}: ${'x'.repeat(20)}\r\n`).join('')),
    ))
})

describe('[LIM-024] who is too slow is cut off, and the connection freed', () => {
  const open = () => new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))
  const expectCutOff = async (client: (socket: Socket) => unknown) => {
    const { status, took } = await conversation(client)
    expect(status).toBe(408)
    expect(took).toBeLessThan(4000)
    await expect.poll(open).toBe(0)
  }

  test('with the usual limits in seconds, not minutes', () => {
    expect(usual).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000, timeout: 60_000 })
    expect(usual).toMatchObject({ connectionsCheckingInterval: 5000 })
  })

  test('a client that says nothing', () => expectCutOff(() => {}))

  test('a client whose headers trickle in', () =>
    expectCutOff((socket) => {
      socket.write('GET /healthz HTTP/1.1\r\nX-Slow: ')
      return keepWriting(socket, 'x', 20)
    }))

  test('a client whose body trickles in', () =>
    expectCutOff((socket) => {
      socket.write(post('Content-Length: 100000'))
      return keepWriting(socket, ' ', 20)
    }))

  test('a client that never sends its body', () => expectCutOff((socket) => socket.write(post('Content-Length: 100'))))

  test('meanwhile others are served', async () => {
    const slow = Array.from({ length: 50 }, () => conversation(() => {}))
    await expectServed()
    await Promise.all(slow)
  })
})

describe('[no single request stalls the server] requests that come in one piece', () => {
  const one = 'GET /usp/v1/services/svc_one HTTP/1.1\r\nHost: x\r\n\r\n'
  const last = one.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
  const answersTo = async (text: string) => {
    const { head, body } = await conversation((socket) => socket.write(text))
    return (head + body).match(/HTTP\/1.1 200/g)?.length ?? 0
  }

  test('are answered while they are few', async () => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', (text: string) => (received += text))
    socket.write(one.repeat(7) + last)
    await once(socket, 'close')
    expect(received.match(/HTTP\/1.1 200/g)).toHaveLength(8)
  })

  test('end the connection where they are many, and are not worked on', async () => {
    const before = process.threadCpuUsage()
    expect(await answersTo(one.repeat(1000))).toBeLessThan(17)
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(200)
    await expectServed()
  })

  test('one after the other may be any number', async () => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    for (let count = 0; count < 40; count++) {
      socket.write(one)
      expect(String(await once(socket, 'data'))).toContain('200 OK')
    }
    socket.destroy()
  })

  test('are worked on one after the other: of answers that nobody reads a connection has one', async () => {
    const path = '/docs/api/static/swagger-ui-bundle.js'
    const answers: ServerResponse[] = []
    app.server.on('request', (_, answer) => answers.push(answer))
    const socket = connect(port, '127.0.0.1').pause()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(16))
    await expect.poll(() => answers.length).toBe(16)
    await setTimeout(200)
    expect(answers.filter(({ headersSent, closed }) => headersSent && !closed)).toHaveLength(1)

    let bytes = 0
    socket.on('data', ({ length }: Buffer) => (bytes += length)).resume()
    await expect.poll(() => answers.every(({ closed }) => closed), { timeout: 10_000 }).toBe(true)
    expect(bytes).toBeGreaterThan(16 * MEBIBYTE)
    socket.destroy()
  })
})
