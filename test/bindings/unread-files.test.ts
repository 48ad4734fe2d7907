import { readdirSync, readlinkSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

const MANY = 20
/** So often on each connection that what nobody reads does not fit into the buffers of the system. */
const TIMES = 3
const SCRIPT = '/docs/api/static/swagger-ui-bundle.js'

const server = await serverWithAllInterfaces(businessWith([service('svc_a')]))
await server.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = server.app.server.address() as AddressInfo
const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

/** Where the system tells. */
const openFiles = () =>
  readdirSync('/proc/self/fd').flatMap((file) => {
    try {
      return [readlinkSync(`/proc/self/fd/${file}`)]
    } catch {
      return []
    }
  })

test.runIf(process.platform === 'linux')(
  '[no number of connections shuts others out] no file is open for whoever does not read it',
  async () => {
    let asked = 0
    server.app.server.on('request', () => asked++)
    for (let count = 0; count < MANY; count++) {
      const socket = connect(port, '127.0.0.1').pause()
      sockets.push(socket)
      socket.write(`GET ${SCRIPT} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(TIMES))
    }
    await expect.poll(() => asked).toBe(MANY * TIMES)
    await pass(200)
    expect(openFiles().filter((name) => name.endsWith('/swagger-ui-bundle.js'))).toEqual([])
  },
)

test.each([SCRIPT, '/docs/api/json', '/schemas/openapi/usp-rest.json', '/assets/pages.js'])(
  '[what is the same for all] %s is sent once to whoever keeps it',
  async (url) => {
    const { status, headers, body } = await server.raw({ method: 'GET', url })
    expect([status, String(body).length > 0, headers['cache-control']]).toEqual([
      200,
      true,
      expect.stringMatching(/^public, max-age=\d+$/),
    ])
    const again = await server.raw({ method: 'GET', url, headers: { 'if-none-match': headers.etag } })
    expect([again.status, again.body]).toEqual([304, ''])
    const head = await server.raw({ method: 'HEAD', url })
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, headers['content-length'], ''])
  },
)
