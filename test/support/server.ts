import type { FastifyInstance, InjectOptions } from 'fastify'
import pino from 'pino'
import { afterAll } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { openDatabase } from '../../src/db/database.ts'
import { applyDefinition } from '../../src/definition/apply-definition.ts'
import { ensureSigningKey } from '../../src/keys/signing-keys.ts'
import { operations as all } from '../../src/operations.ts'
import type { Operation } from '../../src/protocol/operation.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { makeRuntime, type Runtime } from '../../src/runtime.ts'
import { expectValidRest, expectValidTool } from './contract.ts'
import { freshDatabase } from './database.ts'
import { plenty } from './plenty.ts'

export const SECRET = 'a secret key that only the tests know'

export const START = new Date('2026-11-20T12:00:00Z')

export interface Answer {
  status: number
  headers: Record<string, string | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  body: any
}

export interface TestServer {
  app: FastifyInstance
  runtime: Runtime
  /** What the clock says; a test may set it. */
  time: { now: Date }
  /** The lines of the log. */
  logged: string[]
  apply(definition: BusinessDefinition): Promise<void>
  /** Sends a REST call and checks the answer against its schema. */
  rest(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  /** Calls a tool and checks the answer against its schema; the body is the whole JSON-RPC response. */
  tool(name: string, args?: object, headers?: Record<string, string>): Promise<Answer>
  raw(options: InjectOptions): Promise<Answer>
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
  // There are more servers at once than PostgreSQL has room for, were each to keep all that it ever needed.
  const db = openDatabase(databaseUrl || (await freshDatabase()), 10, () => {}, { keepIdle: false })
  const runtime = makeRuntime({
    config,
    db,
    clock: () => time.now,
    log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    secretKey: SECRET,
    operations,
    limits: plenty,
  })
  await ensureSigningKey(db, SECRET, time.now)
  if (definition) await applyDefinition(db, definition, time.now)
  const app = await buildApp(runtime)
  afterAll(async () => {
    await app.close()
    await db.destroy()
  })

  const raw = async (options: InjectOptions): Promise<Answer> => {
    const { statusCode, headers, body } = await app.inject(options)
    return { status: statusCode, headers: headers as Answer['headers'], body: parsed(body) }
  }
  return {
    app,
    runtime,
    time,
    logged,
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

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
