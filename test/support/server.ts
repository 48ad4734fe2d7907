import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import pino from 'pino'
import { afterAll } from 'vitest'
import { ensureSigningKey } from '../../src/core/keys/signing-keys.ts'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import { readConfig } from '../../src/infra/config/read-config.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { isUnreachable } from '../../src/infra/db/database-failures.ts'
import type { Operation } from '../../src/protocol/define-operation.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { operations as all } from '../../src/server/all-operations.ts'
import { makeRuntime, type Runtime } from '../../src/server/build-dependencies.ts'
import { buildApp, interfacesOf } from '../../src/server/build-http-app.ts'
import { expectValidRest, expectValidTool } from './contract.ts'
import { freshDatabase } from './database.ts'
import { generousLimits } from './generous-limits.ts'

export const SECRET = 'a secret key that only the tests know'

/** Each connection prepares every statement again: ten connections cost PostgreSQL a quarter more time. */
export const CONNECTIONS = 4

export const START = new Date('2026-11-20T12:00:00Z')

export interface Answer {
  status: number
  headers: Record<string, string | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  body: any
}

export interface TestServer {
  /** The app with all interfaces, opened once. A plain call opens only the interface that it needs. */
  whole(): Promise<FastifyInstance>
  runtime: Runtime
  /** The current time of the server; a test may set it. */
  time: { now: Date }
  logged: string[]
  apply(definition: BusinessDefinition): Promise<void>
  /** Sends a REST call and checks the answer against its schema. */
  rest(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  /** Calls a tool and checks the answer against its schema. The body is the whole JSON-RPC response. */
  tool(name: string, args?: object, headers?: Record<string, string>): Promise<Answer>
  raw(options: InjectOptions): Promise<Answer>
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
}

export async function testServer(
  definition?: BusinessDefinition,
  {
    operations = all,
    env = {},
    databaseUrl = '',
  }: { operations?: Operation[]; env?: NodeJS.ProcessEnv; databaseUrl?: string } = {},
): Promise<TestServer> {
  const time = { now: START }
  const logged: string[] = []
  const config = readConfig(env)
  // Closes idle connections: many test servers run at once, and PostgreSQL has a connection limit.
  const db = openDatabase(databaseUrl || (await freshDatabase()), CONNECTIONS, () => {}, { keepIdle: false })
  const { databaseReadUrl } = config
  const standby = databaseReadUrl
    ? openDatabase(databaseReadUrl, CONNECTIONS, () => {}, { isForReading: true })
    : undefined
  const runtime = makeRuntime({
    config,
    db,
    standby,
    clock: () => time.now,
    log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    secretKey: SECRET,
    operations,
    limits: generousLimits,
  })
  await retryConnecting(() => ensureSigningKey(db, SECRET, time.now))
  if (definition) await applyDefinition(db, definition, time.now)
  const { whole, appFor, close } = lazyApps(runtime)
  afterAll(async () => {
    await close()
    await Promise.all([db.destroy(), standby?.destroy()])
  })

  const inject = async (options: InjectOptions) => (await appFor(String(options.url))).inject(options)
  const raw = async (options: InjectOptions): Promise<Answer> => {
    const { statusCode, headers, body } = await inject(options)
    return { status: statusCode, headers: headers as Answer['headers'], body: parsed(body) }
  }
  return {
    whole,
    runtime,
    time,
    logged,
    inject,
    raw,
    apply: async (next) => void (await applyDefinition(db, next, time.now)),
    rest: async (method, path, body, headers = {}) => {
      const answer = await raw({
        method,
        url: path.startsWith('/.well-known') ? path : `/usp/v1${path}`,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      expectValidRest(operations, method, path, answer)
      return answer
    },
    tool: async (name, args = {}, headers = {}) => {
      const answer = await raw({
        method: 'POST',
        url: '/usp/mcp',
        headers: { 'content-type': 'application/json', ...headers },
        payload: { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args } },
      })
      expectValidTool(operations, name, answer)
      return answer
    },
  }
}

/** Retries: while many servers start at once, a connection may take longer than its timeout. */
async function retryConnecting(connect: () => Promise<unknown>, tries = 5): Promise<void> {
  try {
    await connect()
  } catch (error) {
    if (tries === 1 || !isUnreachable(error)) throw error
    await retryConnecting(connect, tries - 1)
  }
}

export async function serverWithAllInterfaces(...args: Parameters<typeof testServer>) {
  const server = await testServer(...args)
  return { ...server, app: await server.whole() }
}

/** The interfaces with routes below `/usp/v1`. */
const REST_INTERFACES = ['rest', 'bookingCalendar', 'calendarFeeds', 'notices', 'platformProfile']

/** One interface alone answers like the whole app (doors/alone.test.ts), and opens in a fraction of the time. */
function lazyApps(runtime: Runtime) {
  const opened = new Map<string, Promise<FastifyInstance>>()
  const once = (name: string, build: () => Promise<FastifyInstance>) => {
    const app = opened.get(name) ?? build()
    opened.set(name, app)
    return app
  }
  const whole = () => once('whole', () => buildApp(runtime))
  // Only the whole app serves the metrics.
  const config = { ...runtime.config, metricsAddress: { host: '127.0.0.1', port: 0 } }
  const some = (name: string, chosen: string[]) =>
    once(name, () => {
      const doors = Object.entries(interfacesOf(runtime)).filter(([door]) => chosen.includes(door))
      return buildApp({ ...runtime, config }, Object.fromEntries(doors))
    })
  return {
    whole,
    appFor(url: string) {
      if (opened.has('whole')) return whole()
      if (url.startsWith('/usp/v1/')) return some('rest', REST_INTERFACES)
      return url === '/usp/mcp' ? some('mcp', ['mcp']) : whole()
    },
    close: () => Promise.all([...opened.values()].map(async (app) => (await app).close())),
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
