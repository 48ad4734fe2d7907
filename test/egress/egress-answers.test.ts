import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { callOutside } from '../../src/core/egress/call-external-url.ts'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import { readConfig } from '../../src/infra/config/read-config.ts'
import { hostileAddresses } from '../support/hostile.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { freePort } from '../support/process.ts'
import { slowness } from '../support/slowness.ts'

const config = readConfig({})
const KIB = 1_024
const request = { timeout: 2_000, mostBytes: 256 * KIB }
const reason = (reason: string) => expect.objectContaining({ reason })

async function site(answer: RequestListener, certificate = loopbackCertificate()) {
  const server = createServer(certificate, answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test.each([301, 302, 303, 307, 308])('[PRO-053] a %i is handed back and its target never contacted', async (status) => {
  let contacted = 0
  const target = await site((_, response) => {
    contacted++
    response.end()
  })
  const url = await site((_, response) => response.writeHead(status, { location: target }).end())
  expect((await callOutside(url, request, config)).status).toBe(status)
  expect(contacted).toBe(0)
})

test('[PRO-058] [PRO-057] a body of up to the bound is read whole, whether its length is told or not', async () => {
  for (const size of [0, 1, 128 * KIB, 256 * KIB])
    for (const told of [true, false]) {
      const url = await site((_, response) => {
        if (told) response.setHeader('content-length', size)
        else response.flushHeaders()
        response.end(Buffer.alloc(size, 'x'))
      })
      expect((await callOutside(url, request, config)).body.length).toBe(size)
    }
})

test('[PRO-057] one byte above the bound is refused', async () => {
  const url = await site((_, response) => response.end(Buffer.alloc(256 * KIB + 1)))
  await expect(callOutside(url, request, config)).rejects.toEqual(reason('oversized'))
})

test('[no answer stalls the server] a body in thousands of chunks of a byte is cut off, one in lines is read', async () => {
  const chunked = (size: number, count: number) =>
    site(async (_, response) => {
      for (let sent = 0; sent < count && !response.destroyed; sent++) response.write(Buffer.alloc(size, 'x'))
      response.end()
    })
  await expect(callOutside(await chunked(1, 20_000), request, config)).rejects.toEqual(reason('oversized'))
  for (const [size, count] of [
    [1, 500],
    [300, 800],
  ] as const)
    expect((await callOutside(await chunked(size, count), request, config)).body).toHaveLength(size * count)
})

test('[no answer stalls the server] many that come in the same moment, all in chunks of a byte, are read by turns', async () => {
  const answers: (() => void)[] = []
  const url = await site((_, response) => {
    response.flushHeaders()
    answers.push(() => response.socket?.write('1\r\nx\r\n'.repeat(2_700)))
  })
  const calls = Array.from({ length: 64 }, () => callOutside(url, { ...request, timeout: 5_000 }, config).catch(String))
  while (answers.length < calls.length) await pass(5)
  for (const answer of answers) answer()
  const turn = longestTurn()
  const outcomes = await Promise.all(calls)
  expect(turn()).toBeLessThan(60 * slowness())
  expect(new Set(outcomes)).toEqual(new Set(['Error: answered in too many pieces']))
})

test('[no single request] answers that end in the same moment are handed over one in a turn', async () => {
  const lastBytes: (() => void)[] = []
  const url = await site((_, response) => {
    response.write(Buffer.alloc(64 * KIB, 'x'))
    lastBytes.push(() => response.end('x'))
  })
  const turns: number[] = []
  let turn = 0
  const count = () => {
    turn++
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  const calls = Array.from({ length: 16 }, async () => {
    await callOutside(url, request, config)
    turns.push(turn)
  })
  while (lastBytes.length < calls.length) await pass(5)
  for (const end of lastBytes) end()
  await Promise.all(calls)
  clearImmediate(counting)
  expect(new Set(turns).size).toBe(calls.length)
})

test('[PRO-057] a body without end is cut off while it is read', async () => {
  let sent = 0
  const url = await site((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * KIB))) sent += 64 * KIB
    }
    response.on('drain', more)
    more()
  })
  await expect(callOutside(url, request, config)).rejects.toEqual(reason('oversized'))
  expect(sent).toBeLessThan(32 * KIB * KIB)
})

test('[PRO-056] a host that stalls or trickles is given up when the time is over', async () => {
  const stalls: RequestListener[] = [
    () => {},
    (_, response) => response.flushHeaders(),
    (_, response) => void response.write('{'),
    (_, response) => {
      const trickle = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(trickle))
    },
  ]
  for (const stall of stalls) {
    const begun = performance.now()
    await expect(callOutside(await site(stall), { ...request, timeout: 300 }, config)).rejects.toEqual(
      reason('unreachable'),
    )
    expect(performance.now() - begun).toBeLessThan(1_500)
  }
})

test('[PRO-054] an answer that ends before its told length counts as none', async () => {
  const url = await site((_, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('{"usp":', () => response.destroy())
  })
  await expect(callOutside(url, request, config)).rejects.toEqual(reason('unreachable'))
})

test('[PRO-054] [PRO-056] whatever else a host does is no answer, not even when it breaks off what would do as one', async () => {
  const expected: Record<string, unknown> = {
    'answers before it is asked': { body: '{}' },
    'answers twice': { body: '{}' },
    'has a body without end': { reason: 'oversized' },
  }
  const outcomes = Object.entries(await hostileAddresses()).map(async ([what, url]) => {
    // Whoever does answer is waited for, however busy the machine is.
    const timeout = what in expected ? 30_000 : 3_000
    const told = await callOutside(url, { ...request, timeout }, config).then(
      ({ body }) => ({ body: body.toString() }),
      ({ reason }) => ({ reason }),
    )
    return [what, told]
  })
  const all = Object.fromEntries(await Promise.all(outcomes))
  expect(all).toEqual(
    Object.fromEntries(Object.keys(all).map((what) => [what, expected[what] ?? { reason: 'unreachable' }])),
  )
})

test('[PRO-054] a refused connection and one that is dropped are unreachable', async () => {
  const refused = `https://127.0.0.1:${await freePort()}/`
  const dropped = await site((incoming) => incoming.socket.destroy())
  for (const url of [refused, dropped])
    await expect(callOutside(url, request, config)).rejects.toEqual(reason('unreachable'))
})

test('[PRO-054] a certificate that nobody vouches for is not trusted', async () => {
  let asked = 0
  const url = await site((_, response) => {
    asked++
    response.end()
  }, selfSigned())
  await expect(callOutside(url, request, config)).rejects.toEqual(reason('unreachable'))
  expect(asked).toBe(0)
})

test('[PRO-054] a status of any kind is handed back for the caller to judge', async () => {
  for (const status of [204, 404, 500, 503]) {
    const url = await site((_, response) => response.writeHead(status).end())
    expect((await callOutside(url, request, config)).status).toBe(status)
  }
})

test('[PRO-046] [PRO-047] the guard is the same for what is sent: a body goes out by https to allowed addresses alone', async () => {
  const received: string[] = []
  const url = await site(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    received.push(`${incoming.method} ${Buffer.concat(chunks)}`)
    response.end()
  })
  const sent = { ...request, method: 'POST' as const, body: Buffer.from('event') }
  await callOutside(url, sent, config)
  expect(received).toEqual(['POST event'])
  for (const forbidden of [url.replace('https', 'http'), 'https://10.0.0.1/', 'https://169.254.169.254/'])
    await expect(callOutside(forbidden, sent, config)).rejects.toEqual(reason('forbidden'))
  await expect(callOutside(url, sent, { ...config, mode: 'production' })).rejects.toEqual(reason('forbidden'))
  expect(received).toHaveLength(1)
})

function selfSigned() {
  const folder = mkdtempSync(join(tmpdir(), 'usp-test-certificate-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', cert, ...subject], { stdio: 'ignore' })
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
