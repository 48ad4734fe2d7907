import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { restRouteOf } from '../../src/protocol/define-operation.ts'
import { operations } from '../../src/server/all-operations.ts'
import type { Random } from './random.ts'

export interface Said {
  /** Of the protocol error, or of the first message. */
  code: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  data: any
}

export interface Who {
  binding: 'REST' | 'MCP'
  bearer: string
  profile?: string
}

export type Call = (tool: string, input: Record<string, unknown>) => Promise<Said>

/** How long, in milliseconds, a call is repeated until it is answered: a server is killed and starts again meanwhile, or a database is. */
const READY_TIMEOUT_MS = 180_000

/** Calls one server or another until one answers. All that any of them ever said goes to `heard`. */
export function caller(origins: readonly string[], who: Who, { pick }: Random, heard: (said: Said) => void): Call {
  const send = who.binding === 'REST' ? overRest : overMcp
  return async (tool, input) => {
    const key = randomUUID()
    for (const until = Date.now() + READY_TIMEOUT_MS; ; await setTimeout(100)) {
      const said = await send(pick(origins) ?? '', who, tool, input, key).catch(() => undefined)
      if (said) heard(said)
      if (said && said.code !== 'service_unavailable') return said
      if (Date.now() > until) throw new Error(`${tool} was not answered`)
    }
  }
}

type Send = (origin: string, who: Who, tool: string, input: Record<string, unknown>, key: string) => Promise<Said>

const operationOf = (tool: string) => {
  const operation = operations.find((one) => one.tool === tool)
  if (!operation) throw new Error(`There is no tool ${tool}`)
  return operation
}

const post = { 'content-type': 'application/json' }

const overRest: Send = async (origin, { bearer, profile }, tool, input, key) => {
  const { method, path, parameters, inBody } = restRouteOf(operationOf(tool))
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(input[name])))
  const body = Object.fromEntries(Object.entries(input).filter(([name]) => !parameters.includes(name)))
  const answer = await fetch(`${origin}/usp/v1${filled}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      'idempotency-key': key,
      ...(profile && { 'usp-agent': `profile="${profile}"` }),
      ...(inBody && post),
    },
    ...(inBody && { body: JSON.stringify(body) }),
  })
  const data = await answer.json()
  return { code: answer.status >= 400 ? data.code : data.messages?.[0]?.code, data }
}

const overMcp: Send = async (origin, { bearer, profile }, tool, input, idempotency_key) => {
  const isRead = operationOf(tool).effect === 'read'
  const _meta = { usp: { profile, ...(!isRead && { idempotency_key }) } }
  const params = { name: tool, arguments: { ...input, _meta } }
  const answer = await fetch(`${origin}/usp/mcp`, {
    method: 'POST',
    headers: { ...post, authorization: `Bearer ${bearer}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
  })
  const { result, error } = await answer.json()
  const data = error?.data ?? result?.structuredContent
  return { code: error ? (data?.code ?? 'no code') : data?.messages?.[0]?.code, data }
}
