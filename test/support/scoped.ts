import { hash, randomUUID } from 'node:crypto'
import canonicalize from 'canonicalize'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { renewScopedCredential } from '../../src/core/authentication/booking-scoped-credentials.ts'
import { operations as feed } from '../../src/domain/feed/operations.ts'
import type { Database } from '../../src/infra/db/database.ts'
import type { Caller } from '../../src/protocol/caller-types.ts'
import {
  type Context,
  defineOperation,
  type Effect,
  type Operation,
  type Resource,
  restRouteOf,
} from '../../src/protocol/define-operation.ts'
import { BusinessRefusal, ProtocolError } from '../../src/protocol/errors.ts'
import { shape } from '../../src/protocol/json-schemas.ts'
import type { BookingScopedCredential, BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { expectValidTool } from './contract.ts'
import { businessWith, service } from './definitions.ts'
import { jws, type Platform, type TestKey } from './platform.ts'
import { type TestServer, testServer } from './server.ts'

type Input = { booking_id: string; note?: string }
interface Thing {
  id: string
  status: string
  note: string
}

/** The fate of the next calls, after their writes. */
export const nextFailure: { next: 'none' | 'refused' | 'broken' | 'unreachable' } = { next: 'none' }
/** The lifetime of the next credentials, in milliseconds. */
export const lifetime = { next: 24 * 3_600_000 }

/** Fake resources of the three kinds that have credentials. They do not follow booking rules. */
export const scopedOperations: Operation[] = [
  ...fakeOperations('booking', 'bookings', { create: 'create', get: 'get', update: 'update', cancel: 'cancel' }),
  ...fakeOperations('waitlist_entry', 'waitlist', { create: 'join', get: 'get', update: 'accept', cancel: 'leave' }),
  ...fakeOperations('hold', 'availability', { create: 'hold', get: 'get', update: 'extend', cancel: 'release' }),
]

function fakeOperations(
  kind: Resource['kind'],
  noun: string,
  names: Record<'create' | 'get' | 'update' | 'cancel', string>,
) {
  const common = (name: string, effect: Effect) => ({
    id: `fake_${noun}_${name}`,
    tool: `usp_${noun}_${name}`,
    title: 'Throw-away',
    description: 'A throw-away of the tests.',
    capability: 'dev.usp-protocol.services.catalog' as const,
    effect,
    output: {
      type: 'object' as const,
      required: ['thing'],
      properties: { thing: { type: 'object' }, booking_scoped_credential: shape('BookingScopedCredential') },
    },
    summary: ({ thing }: { thing: Thing }) => `Thing ${thing.id} is ${thing.status}.`,
  })
  const create = defineOperation<{ input: object; output: { thing: Thing; booking_scoped_credential?: object } }>({
    ...common(names.create, 'create'),
    rest: `POST /${noun}`,
    access: 'privileged_platform',
    input: { type: 'object', properties: { note: { type: 'string' }, party_size: { type: 'integer' } } },
    async handle({ input, caller, db, now }: Context) {
      const thing: Thing = { id: `${kind}_${randomUUID()}`, status: 'active', note: String(Object(input).note ?? '') }
      await sql`insert into things values (${thing.id}, ${caller.principal}, ${caller.profile}, 'active', ${thing.note})`.execute(
        db,
      )
      const credential = await issue(db, { kind, id: thing.id }, caller, now)
      failIfPlanned()
      return { thing, ...(credential && { booking_scoped_credential: credential }) }
    },
  })
  const continuation = (name: string, effect: Effect, method: string, set?: Partial<Thing>) =>
    defineOperation<{ input: Input; output: { thing: Thing } }>({
      ...common(name, effect),
      rest: `${method as 'POST'} /${noun}/{booking_id}${method === 'POST' ? `/${name}` : ''}`,
      access: 'privileged_scoped',
      resource: ({ booking_id }) => ({ kind, id: booking_id }),
      input: {
        type: 'object',
        required: ['booking_id'],
        properties: { booking_id: { type: 'string' }, note: { type: 'string' } },
      },
      async handle({ input: { booking_id: id, note }, caller, db }: Context<Input>) {
        const found = await owned(db, id, caller)
        if (!found) throw new ProtocolError('booking_not_found', 'There is no such thing of yours.')
        if (caller.mechanism === 'booking_scoped_credential' && found.status !== 'active')
          throw new ProtocolError('authentication_required', 'The credential has ended.')
        if (effect === 'read') return { thing: found }
        const thing = { ...found, ...(note !== undefined && { note }), ...set }
        await sql`update things set status = ${thing.status}, note = ${thing.note} where id = ${id}`.execute(db)
        failIfPlanned()
        return { thing }
      },
    })
  return [
    create,
    continuation(names.get, 'read', 'GET'),
    continuation(names.update, 'update', 'PUT'),
    continuation(names.cancel, 'remove', 'POST', { status: 'ended' }),
  ]
}

const issue = (db: Database, resource: Resource, caller: Caller, now: Date) =>
  renewScopedCredential(db, resource, caller, {
    expiresAt: new Date(now.getTime() + lifetime.next),
    zone: 'America/New_York',
  })

function failIfPlanned() {
  if (nextFailure.next === 'refused') throw new BusinessRefusal('slot_unavailable', 'Somebody was faster.')
  if (nextFailure.next === 'broken') throw new Error('a fault of the server itself')
  if (nextFailure.next === 'unreachable') throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
}

async function owned(db: Database, id: string, { identities, profile }: Caller): Promise<Thing | undefined> {
  const { rows } = await sql<Thing>`
    select id, status, note from things
    where id = ${id} and principal = any(${identities}) and profile = ${profile}`.execute(db)
  return rows[0]
}

export const addThing = (
  { runtime }: TestServer,
  id: string,
  { principal, profile }: Pick<Caller, 'principal' | 'profile'>,
) => sql`insert into things values (${id}, ${principal}, ${profile}, 'active', '')`.execute(runtime.db)

export const thingCount = async ({ runtime }: TestServer): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from things`.execute(runtime.db)
  return rows[0]?.count ?? 0
}

const operations = [...feed, ...scopedOperations]

export async function scopedServer(
  more: Partial<BusinessDefinition> = {},
  options: { env?: NodeJS.ProcessEnv; databaseUrl?: string } = {},
): Promise<TestServer> {
  const server = await testServer(businessWith([service('svc_a')], more), { operations, ...options })
  await sql`create table if not exists things (id text, principal text, profile text, status text, note text)`.execute(
    server.runtime.db,
  )
  return server
}

export interface Ask {
  key?: TestKey
  credential?: string | undefined
  /** Changes to the proof. Undefined removes a member. */
  header?: object
  claims?: object
  proof?: string | undefined
  idempotencyKey?: string
  /** The profile that the call names; none when empty. */
  agent?: string
  scheme?: string
  mechanism?: string
  headers?: Record<string, string>
}

export interface Said {
  /** The HTTP status, or the JSON-RPC error code. */
  status: number | undefined
  code: string | undefined
  nonce: string | undefined
  thing: Thing
  credential: BookingScopedCredential
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  body: any
  headers: Record<string, string | undefined>
}

export interface Binding {
  name: 'REST' | 'MCP'
  call(tool: string, input: object, ask?: Ask): Promise<Said>
  proof(tool: string, input: object, ask: Ask): string
}

export const bindingsOf = (server: TestServer, platform: Pick<Platform, 'url'>): [Binding, Binding] => [
  overRest(server, platform),
  overMcp(server, platform),
]

function overRest(server: TestServer, { url }: Pick<Platform, 'url'>): Binding {
  const placed = (tool: string, { ...input }: object) => {
    const { method, path } = restRouteOf(operationOf(tool))
    const values = new Map(Object.entries(input))
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
      const value = values.get(name)
      values.delete(name)
      return encodeURIComponent(String(value))
    })
    return { method, path: `/usp/v1${filled}`, body: Object.fromEntries(values) }
  }
  const binding: Binding = {
    name: 'REST',
    proof(tool, input, ask) {
      const { method, path } = placed(tool, input)
      const own = { htm: method, htu: server.runtime.config.baseUrl + path }
      return signed('dpop+jwt', own, ask, server)
    },
    async call(tool, input, ask = {}) {
      const { method, path, body } = placed(tool, input)
      const proof = proofFor(binding, tool, input, ask)
      const { agent = url, credential, scheme = 'DPoP', idempotencyKey } = ask
      const writes = method === 'POST' || method === 'PUT'
      const answer = await server.raw({
        method,
        url: path,
        headers: {
          ...(writes && { 'content-type': 'application/json' }),
          ...(agent && { 'usp-agent': `profile="${agent}"` }),
          ...(proof !== undefined && { dpop: proof }),
          ...(credential !== undefined && { authorization: `${scheme} ${credential}` }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
          ...ask.headers,
        },
        ...(writes && { payload: JSON.stringify(body) }),
      })
      return said(answer.status, answer.body, answer.body, answer.headers)
    },
  }
  return binding
}

function overMcp(server: TestServer, { url }: Pick<Platform, 'url'>): Binding {
  const metaOf = ({ agent = url, idempotencyKey }: Ask) => ({
    ...(agent && { profile: agent }),
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
  })
  const binding: Binding = {
    name: 'MCP',
    proof(tool, input, ask) {
      const args = { ...input, _meta: { usp: metaOf(ask) } }
      const aud = `${server.runtime.config.baseUrl}/.well-known/usp`
      return signed('usp-pop+jwt', { aud, usp_m: tool, usp_p: sha256(canonicalize(args) ?? '') }, ask, server)
    },
    async call(tool, input, ask = {}) {
      const proof = proofFor(binding, tool, input, ask)
      const { credential, mechanism = credential ? 'booking_scoped_credential' : 'platform_key_pop' } = ask
      const authorization = { mechanism, credential, proof }
      const shows = proof !== undefined || credential !== undefined || ask.mechanism !== undefined
      const args = { ...input, _meta: { usp: { ...metaOf(ask), ...(shows && { authorization }) } } }
      return toolCall(server, tool, JSON.stringify(args), ask.headers)
    },
  }
  return binding
}

export async function toolCall(server: TestServer, tool: string, args: string, headers = {}): Promise<Said> {
  const answer = await server.raw({
    method: 'POST',
    url: '/usp/mcp',
    headers: { 'content-type': 'application/json', ...headers },
    payload: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${tool}","arguments":${args}}}`,
  })
  expectValidTool(operations, tool, answer)
  const { error, result } = answer.body
  return said(error?.code, error?.data ?? result.structuredContent, answer.body, answer.headers)
}

const proofFor = (binding: Binding, tool: string, input: object, ask: Ask) =>
  ask.proof ?? (ask.key && binding.proof(tool, input, ask))

function signed(typ: string, own: object, { key, credential, header, claims }: Ask, { time }: TestServer): string {
  if (!key) throw new Error('A proof needs a key')
  const alg = key.jwk.kty === 'EC' ? 'ES256' : 'EdDSA'
  const common = { iat: time.now.getTime() / 1000, jti: randomUUID(), ...(credential && { ath: sha256(credential) }) }
  return jws({ typ, alg, jwk: key.jwk, ...header }, { ...own, ...common, ...claims }, key)
}

export const sha256 = (text: string) => hash('sha256', text, 'base64url')

function operationOf(tool: string): Operation {
  const found = operations.find((operation) => operation.tool === tool)
  if (!found) throw new Error(`There is no tool ${tool}`)
  return found
}

function said(status: number | undefined, payload: Said['body'], body: Said['body'], headers: Said['headers']): Said {
  const refusal = payload.messages?.find(({ type }: { type: string }) => type === 'error')
  const { code = refusal?.code, nonce, thing, booking_scoped_credential: credential } = payload
  return { status, code, nonce, thing, credential, body, headers }
}

const unauthorized = {
  authentication_required: -32006,
  pop_proof_missing: -32001,
  pop_proof_invalid: -32001,
  pop_key_mismatch: -32001,
  pop_proof_replayed: -32001,
  proof_nonce_required: -32001,
}

/** Expects an authentication error with this code, in the form of the binding. */
export function expectRefused(
  { name }: Pick<Binding, 'name'>,
  { status, code }: Said,
  wanted: keyof typeof unauthorized,
) {
  expect([status, code]).toEqual([name === 'REST' ? 401 : unauthorized[wanted], wanted])
}

export function expectServed({ name }: Pick<Binding, 'name'>, { status, code }: Said) {
  expect([code, name === 'REST' ? Math.floor(Number(status) / 100) : status]).toEqual([
    undefined,
    name === 'REST' ? 2 : undefined,
  ])
}
