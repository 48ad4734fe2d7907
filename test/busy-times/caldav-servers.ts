import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, request as sendPlain } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import { pythonWith } from '../support/python.ts'
import { calendarOf } from './calendar-text.ts'

export const USER = 'ann'
export const PASSWORD = 'täglich: 7 Uhr'

interface Kind {
  name: string
  python: string | undefined
  /** The folder of the user's calendars. */
  home: string
  arguments(folder: string, port: number): string[]
}

export const kinds: Kind[] = [
  {
    name: 'Radicale',
    python: pythonWith('radicale'),
    home: `/${USER}`,
    arguments(folder, port) {
      writeFileSync(join(folder, 'users'), `${USER}:${PASSWORD}\n`)
      writeFileSync(
        join(folder, 'config'),
        `[server]\nhosts = 127.0.0.1:${port}\n[auth]\ntype = htpasswd\nhtpasswd_filename = ${join(folder, 'users')}
htpasswd_encryption = plain\ndelay = 0\n[storage]\nfilesystem_folder = ${join(folder, 'data')}\n[rights]\ntype = owner_only\n`,
      )
      return ['-m', 'radicale', '--config', join(folder, 'config')]
    },
  },
  {
    name: 'Xandikos',
    python: pythonWith('xandikos'),
    home: `/${USER}/calendars`,
    arguments: (folder, port) => [
      ...['-m', 'xandikos.web', '-d', join(folder, 'data'), '--state-dir', join(folder, 'state'), '--defaults'],
      ...['--current-user-principal', `/${USER}/`, '-l', '127.0.0.1', '-p', String(port), '--no-detect-systemd'],
    ],
  },
]

export interface CaldavServer {
  address: string
  home: string
  /** The methods and kinds of reports that the server under test has got, such as `REPORT sync-collection`. */
  calls: string[]
  /** Answers instead of the server, if it returns true. */
  intercept?: ((request: IncomingMessage, body: string, response: ServerResponse) => boolean) | undefined
  makeCalendar(name: string, kind?: 'VEVENT' | 'VTODO'): Promise<void>
  removeCalendar(name: string): Promise<void>
  put(calendar: string, object: string, ...lines: string[]): Promise<void>
  remove(calendar: string, object: string): Promise<void>
  /** All objects of a calendar, as another calendar program sees them. */
  objects(calendar: string): Promise<{ path: string; text: string }[]>
  /** Replaces the object at this path. */
  edit(path: string, text: string): Promise<void>
  /** Deletes the object at this path. */
  erase(path: string): Promise<void>
  /** Kills the server, and starts it again with its data. */
  restart(): Promise<void>
}

async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address() as AddressInfo
  socket.close()
  return port
}

const AUTHORIZATION = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`

/** Runs a CalDAV server as it is, behind a proxy with TLS, which also asks for the password. */
export async function caldavServer(kind: Kind): Promise<CaldavServer> {
  const folder = mkdtempSync(join(tmpdir(), 'usp-caldav-'))
  const port = await freePort()
  const options = { env: { ...process.env, XDG_DATA_HOME: folder }, stdio: 'ignore' as const }
  const start = () => spawn(kind.python ?? 'python3', kind.arguments(folder, port), options)
  let backend: ChildProcess = start()

  const forward = (method: string, path: string, headers: object, body: string) =>
    new Promise<{ status: number; headers: object; body: Buffer }>((resolve, reject) => {
      const call = sendPlain({ host: '127.0.0.1', port, method, path, headers: { ...headers } }, async (answer) => {
        const parts = await answer.toArray()
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) })
      })
      call.on('error', reject)
      call.end(body)
    })
  const untilReady = async () => {
    for (let attempt = 0; attempt < 200; attempt++) {
      if (await forward('PROPFIND', '/', { depth: '0', authorization: AUTHORIZATION }, '').catch(() => undefined))
        return
      await pass(50)
    }
    throw new Error(`${kind.name} does not start`)
  }
  const change = async (method: string, path: string, body = '', headers: object = {}) => {
    const answer = await forward(method, path, { authorization: AUTHORIZATION, ...headers }, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`)
    return answer.body.toString()
  }

  const calls: string[] = []
  const proxy = createServer(loopbackCertificate(), async (request, response) => {
    const parts = await request.toArray().catch(() => undefined)
    // The program that called was killed.
    if (!parts) return
    const body = Buffer.concat(parts).toString()
    const [, report = ''] = request.method === 'REPORT' ? (/<\w+:(\S+) xmlns/.exec(body) ?? []) : []
    calls.push(`${request.method} ${report}`.trim())
    if (server.intercept?.(request, body, response)) return
    if (request.headers.authorization !== AUTHORIZATION) return response.writeHead(401).end()
    const { host: _, connection: __, ...headers } = request.headers
    const answer = await forward(request.method ?? '', request.url ?? '', headers, body).catch(() => undefined)
    if (!answer) return response.writeHead(502).end()
    return response.writeHead(answer.status, { ...answer.headers }).end(answer.body)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  afterAll(() => {
    backend.kill('SIGKILL')
    proxy.closeAllConnections()
    proxy.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const server: CaldavServer = {
    address: `https://127.0.0.1:${(proxy.address() as AddressInfo).port}/`,
    home: kind.home,
    calls,
    makeCalendar: async (name, component = 'VEVENT') =>
      void (await change(
        'MKCALENDAR',
        `${kind.home}/${name}/`,
        `<?xml version="1.0"?><c:mkcalendar xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:d="DAV:"><d:set><d:prop>
<d:displayname>${name}</d:displayname><c:supported-calendar-component-set><c:comp name="${component}"/></c:supported-calendar-component-set>
</d:prop></d:set></c:mkcalendar>`,
        { 'content-type': 'application/xml' },
      )),
    removeCalendar: async (name) => void (await change('DELETE', `${kind.home}/${name}/`)),
    put: (calendar, object, ...lines) => server.edit(`${kind.home}/${calendar}/${object}.ics`, calendarOf(...lines)),
    remove: (calendar, object) => server.erase(`${kind.home}/${calendar}/${object}.ics`),
    async objects(calendar) {
      const list = await change('PROPFIND', `${kind.home}/${calendar}/`, '', { depth: '1' })
      const paths = [...list.matchAll(/<(?:\w+:)?href>([^<]+\.ics)</g)].map(([, path = '']) => path)
      const found = await Promise.all(
        paths.map(async (path) => {
          const { status, body } = await forward('GET', path, { authorization: AUTHORIZATION }, '')
          if (status !== 200 && status !== 404) throw new Error(`GET ${path}: ${status} ${body}`)
          // A program that writes at the same time can delete an object between the list and this call.
          return status === 404 ? [] : [{ path, text: body.toString() }]
        }),
      )
      return found.flat()
    },
    edit: async (path, text) => void (await change('PUT', path, text, { 'content-type': 'text/calendar' })),
    erase: async (path) => void (await change('DELETE', path)),
    async restart() {
      backend.kill('SIGKILL')
      await once(backend, 'exit')
      backend = start()
      await untilReady()
    },
  }
  await untilReady()
  return server
}
