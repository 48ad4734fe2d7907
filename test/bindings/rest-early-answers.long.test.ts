import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { connect as connectOverTls } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { issuedBy, selfSigned } from '../support/certificates.ts'
import { businessWith, service } from '../support/definitions.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

const authority = selfSigned('Authority')
const own = issuedBy(authority, 'server', 'serverAuth')
const listening = async (env: NodeJS.ProcessEnv) => {
  const { app } = await serverWithAllInterfaces(businessWith([service('svc_one')]), { env })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}
const port = await listening({})
const tlsPort = await listening({ TLS_CERT_FILE: own.certFile, TLS_KEY_FILE: own.keyFile })

const MEBIBYTE = 1024 * 1024
const body = Buffer.alloc(3 * MEBIBYTE, ' ')
const RULE = '[an answer before the end of the body is not lost in a reset]'

test.each([
  ['an operation', '/usp/v1/services/list'],
  ['the tools', '/usp/mcp'],
])(`${RULE} fetch with three mebibytes to %s finds its 413, time and again`, async (_, path) => {
  for (let count = 0; count < 20; count++) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({ code: 'content_too_large' })
  }
})

test(`${RULE} so it is with a media type that is not read at all`, async () => {
  for (let count = 0; count < 20; count++) {
    const answer = await fetch(`http://127.0.0.1:${port}/usp/v1/services/list`, {
      method: 'POST',
      headers: { 'content-type': 'application/xml' },
      body,
    })
    expect([answer.status, (await answer.json()).code]).toEqual([415, 'unsupported_media_type'])
  }
})

/** Sends with the client's own habits, and tells what it had received when the connection ended. */
async function conversation(client: (socket: Socket) => Promise<void>, isSecure = false) {
  const to = { port: isSecure ? tlsPort : port, host: '127.0.0.1', allowHalfOpen: true }
  const socket = isSecure ? connectOverTls({ ...to, ca: authority.cert }) : connect(to)
  await once(socket, isSecure ? 'secureConnect' : 'connect')
  const began = performance.now()
  const faults: string[] = []
  socket.on('error', ({ message }) => faults.push(message))
  const closed = new Promise((resolve) => socket.on('close', resolve))
  socket.on('end', () => socket.end())
  await client(socket)
  let received = ''
  socket.on('data', (chunk: Buffer) => (received += chunk))
  await closed
  return { received, faults, sent: socket.bytesWritten, took: performance.now() - began }
}

const head = (length: string) =>
  `POST /usp/v1/services/list HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`

describe(`${RULE} a client that reads only when it has sent`, () => {
  test.each([
    ['a body of known length', head(`Content-Length: ${body.length}`), body],
    ['the same over TLS', head(`Content-Length: ${body.length}`), body, true],
    [
      'a chunked body',
      head('Transfer-Encoding: chunked'),
      Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]),
    ],
  ])('%s', async (_, first, rest, isSecure = false) => {
    const { received, faults } = await conversation(async (socket) => {
      socket.write(first)
      for (let from = 0; from < rest.length; from += 0x20000) {
        if (!socket.write(rest.subarray(from, from + 0x20000))) await once(socket, 'drain')
        await setTimeout(5)
      }
      await setTimeout(100)
    }, isSecure)
    expect(faults).toEqual([])
    expect(received).toMatch(/^HTTP\/1.1 413 /)
    expect(received).toMatch(/\r\nConnection: close\r\n/i)
    expect(JSON.parse(received.split('\r\n\r\n')[1] ?? '').code).toBe('content_too_large')
  })
})

describe(`${RULE} reading on has an end`, () => {
  test('when nothing more comes', async () => {
    const { received, took } = await conversation(async (socket) => {
      socket.write(`${head(`Content-Length: ${5000 * MEBIBYTE}`)}{`)
    })
    expect(received).toMatch(/^HTTP\/1.1 413 /)
    expect(took).toBeLessThan(4000)
  })

  test('when there is no end of what comes', async () => {
    const { sent } = await conversation(async (socket) => {
      socket.write(head(`Content-Length: ${5000 * MEBIBYTE}`))
      while (socket.writable && !socket.destroyed && socket.bytesWritten < 500 * MEBIBYTE)
        if (!socket.write(body)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
      socket.destroy()
    })
    expect(sent).toBeLessThan(60 * MEBIBYTE)
  })

  test('when it trickles', async () => {
    const { took } = await conversation(async (socket) => {
      socket.write(head(`Content-Length: ${5000 * MEBIBYTE}`))
      const over = once(socket, 'close')
      const trickle = setInterval(() => socket.write(' '), 100)
      socket.resume()
      await over
      clearInterval(trickle)
    })
    expect(took).toBeGreaterThan(5_000)
    expect(took).toBeLessThan(15_000)
  })
})
