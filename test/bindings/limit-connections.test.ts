import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import { boundConnections, connectionLimit } from '../../src/interfaces/http/limit-connections.ts'

const MOST = 20
const plain = createServer((_, response) => void response.end())
const secure = createSecureServer(loopbackCertificate(), (_, response) => void response.end())

test.each([
  ['plaintext', plain],
  ['TLS', secure],
])(
  '[no number of connections shuts others out] over %s the one that is quiet for longest makes room',
  async (how, server) => {
    boundConnections(server, MOST)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    afterAll(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const open: Socket[] = []
    const add = async () => {
      const socket = how === 'TLS' ? connectSecurely({ port, rejectUnauthorized: false }) : connect(port)
      socket.on('error', () => {}).resume()
      await once(socket, how === 'TLS' ? 'secureConnect' : 'connect')
      open.push(socket)
      return socket
    }
    const first = await add()
    for (let count = 1; count < MOST; count++) await add()
    first.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(first, 'data')
    for (let count = 0; count < MOST / 2; count++) await add()

    await expect.poll(() => open.filter(({ closed }) => !closed).length).toBe(MOST)
    expect(first.closed).toBe(false)
    expect(open.slice(1, 1 + MOST / 2).every(({ closed }) => closed)).toBe(true)
  },
)

test('[no number of connections shuts others out] files stay for the database and for what the server calls', () => {
  expect(connectionLimit({ databasePool: 10 }, 1_024)).toBe(758)
  expect(connectionLimit({ databasePool: 10 }, 1_000_000)).toBe(10_000)
  expect(connectionLimit({ databasePool: 500 }, 256)).toBe(100)
  expect(connectionLimit({ databasePool: 10 })).toBeGreaterThanOrEqual(100)
})
