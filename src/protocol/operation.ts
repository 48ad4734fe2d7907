import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../infra/config/config.ts'
import type { Database } from '../infra/db/database.ts'
import type { RunUnitOfWork, UnitOfWork } from '../infra/db/unit-of-work.ts'
import type { Agent, Assistant, Caller, Peer, Role } from './caller.ts'
import type { Capability } from './capabilities.ts'
import type { Cursors } from './cursor.ts'
import type { CurrentBusiness } from './dependencies.ts'
import type { Deployment } from './deployment.ts'
import type { Schema } from './schemas.ts'
import type { Tag } from './tags.ts'
import type { Message } from './types.generated.ts'

export type Access = 'public' | 'privileged_platform' | 'privileged_scoped' | 'business_only'
/** The effect of a call on the data of the business. Tool hints, status codes and transactions depend on the effect. */
export type Effect = 'read' | 'create' | 'update' | 'remove'
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The input and output of an operation. Their types are generated from the schemas of the operation. */
export interface OperationTypes {
  input: object
  output: object
  prepared?: unknown
  /** Dependencies that only some operations have, by name. */
  needs?: object
}

type Needs<T extends OperationTypes> = T extends { needs: infer Named } ? Named : unknown

export interface ObjectSchema extends Schema {
  type: 'object'
  properties: Record<string, Schema>
  required?: readonly string[]
}

/**
 * One operation of the server. The routes, tools, documents and access tests of both bindings are derived from this
 * object.
 */
export type Operation<T extends OperationTypes = OperationTypes> = ReadOperation<T> | ChangeOperation<T>

export interface ReadOperation<T extends OperationTypes = OperationTypes> extends Description<T> {
  effect: 'read'
  /**
   * Whether a standby may answer, which is allowed if no decision depends on the answer. The answer is never older than
   * an answer of the primary would be.
   */
  fromStandby?: true
  handle(context: Context<T['input']> & Needs<T>): Promise<Result<T['output']>>
}

export interface ChangeOperation<T extends OperationTypes = OperationTypes> extends Description<T> {
  effect: Exclude<Effect, 'read'>
  /**
   * Gets information that the change needs, which may take seconds. It runs outside the unit of work, and never for a
   * call that already has a stored reply.
   */
  prepare?(context: PrepareContext<T['input']> & Needs<T>): Promise<T['prepared']>
  handle(context: ChangeContext<T['input']> & Needs<T>, prepared: T['prepared']): Promise<Result<T['output']>>
  /**
   * Further work after the change. It runs after the commit and before the answer. A failure is only logged and does
   * not change the answer, so another mechanism must then complete the work.
   */
  afterwards?(context: PrepareContext<T['input']> & Needs<T>): Promise<unknown>
}

interface Description<T extends OperationTypes> {
  id: string
  rest: `${Method} /${string}`
  tool: string
  title: string
  description: string
  capability: Capability
  /** Further capabilities that are offered with this operation. */
  declares?: Capability | readonly Capability[]
  /** The protocol whose form the answers have. By default this is USP. */
  protocol?: 'ucp'
  access: Access
  /**
   * The lowest role that may call the operation, only for `business_only`. By default, viewers may read and staff
   * members may change data.
   */
  role?: Role
  /** The family of calls whose limit applies, if it differs from the default of the capability. */
  limit?: 'holds'
  /** The existing hold, booking or entry that a call with the access class `privileged_scoped` is about. */
  resource?(input: T['input']): Resource
  input: ObjectSchema
  output: ObjectSchema
  /** Whether the call can fail with 404 because of an id in its body. */
  mayMiss?: true
  /** Paths of the members in the protocol that have no effect in this call, such as `$.context.intent`. */
  ignores?(input: T['input']): readonly string[]
  /** Only for reads that may be cached: the lifetime, and the part of the answer that decides its ETag. */
  cache?: Cache<T>
  /** Whether a successful call returns no content. REST then answers 204. */
  silent?: true
  /**
   * Names the people in the answer of a change, as in `named-people.ts`. If one of them is erased, the server empties
   * the stored reply.
   */
  people?(output: T['output']): readonly string[]
  summary(output: Result<T['output']>): string
}

export interface Cache<T extends OperationTypes> {
  seconds: number
  identity(output: T['output']): unknown
}

/** `[STATUS]` replaces the operation's usual HTTP status. */
export type Result<Output = object> = Output & { messages?: Message[]; [STATUS]?: number; [UNSETTLED]?: true }
export const STATUS = Symbol('status')
/** Marks an answer about work whose outcome is still open. The server does not store it: a retry gets the outcome. */
export const UNSETTLED = Symbol('unsettled')

/** An object for which the server may issue a credential. */
export interface Resource {
  kind: 'hold' | 'booking' | 'waitlist_entry'
  id: string
}

export interface Context<Input = object> {
  input: Input
  caller: Caller
  db: Database
  now: Date
  cursors: Cursors
  config: Config
  business: CurrentBusiness
  tag: Tag
  /** The revision that the caller expects the booking or entry to have. A change of another revision is refused. */
  ifMatch: string | undefined
  /** Identifies the request, so that an operation can recognize a retry whose first attempt left no stored reply. */
  request: RequestIdentity
  peer: Peer
  agent: Agent | undefined
}

interface RequestIdentity {
  /** The idempotency key; undefined if the caller sent none. */
  key(): string | undefined
  /** Digest of the operation and its input. */
  fingerprint(): Buffer
}

/** The context outside the operation's own unit of work, before or after it. Other units of work are possible here. */
export interface PrepareContext<Input = object> extends Context<Input> {
  makeChange: RunUnitOfWork
  log: FastifyBaseLogger
}

export interface ChangeContext<Input = object> extends Context<Input> {
  /** The database connection of the unit of work in which the operation runs. */
  db: UnitOfWork
}

/**
 * A form that a visitor submitted on a page. The server recognizes a repeated form by its key and content, and not by
 * the input of the call, which may depend on changes of the first attempt. Refusals are not stored: the visitor can
 * submit the form again when the reason is gone.
 */
export interface Submission {
  key: string
  content: string
}

export interface Call {
  binding: 'rest' | 'mcp' | 'page' | 'assistant'
  operation: Operation
  input: unknown
  /** The parameter `_meta` of a tool call. */
  meta: unknown
  headers: IncomingHttpHeaders
  /** The platform and the idempotency key in `meta` of a UCP tool. They count like the headers of these names. */
  named?: { profile?: unknown; key?: unknown }
  /** The HTTP request of the call. A call over standard input has no HTTP request. */
  http?: { method: string; target: string; body: Buffer }
  peer: Peer
  /** The secret of a visit on the pages or of a visit that an assistant started. Only code of this server sets it. */
  visitor?: string
  /** The assistant and its person, which the assistant interface has verified. Only code of this server sets it. */
  assistant?: Assistant
  /** The staff member at the desk, whom the browser session identifies. Only code of this server sets it. */
  staff?: { id: string; role: Role }
  locale?: string
  /** Digest of the submitted form, or of the action of the assistant. */
  sentForm?: string
  /** The form that caused the call, for calls from a page. It replaces the idempotency key. */
  submission?: Submission
  /** The checks set the following members, in this order. */
  deployment?: Deployment
  agent?: Agent
  caller?: Caller
  answerHeaders: Record<string, string>
}

interface Route {
  method: Method
  path: string
  parameters: string[]
  /** Whether the other members are in the body. Otherwise they are in the query. */
  inBody: boolean
}

/**
 * Defines an operation. The operations of the desk are not in the protocol, so an unknown member in their input is a
 * mistake and is refused. Operations of the protocol accept unknown members.
 */
export function defineOperation<T extends OperationTypes>(operation: ReadOperation<T>): ReadOperation<T>
export function defineOperation<T extends OperationTypes>(operation: ChangeOperation<T>): ChangeOperation<T>
export function defineOperation<T extends OperationTypes>(operation: Operation<T>): Operation<T>
export function defineOperation<T extends OperationTypes>(operation: Operation<T>): Operation<T> {
  if (!operation.rest.includes(' /business/')) return operation
  return { ...operation, input: { ...operation.input, additionalProperties: false } }
}

export function restRouteOf({ rest }: Operation): Route {
  const [method, path = ''] = rest.split(' ')
  if (method !== 'GET' && method !== 'POST' && method !== 'PUT' && method !== 'DELETE')
    throw new Error(`No such method: ${rest}`)
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return { method, path, parameters, inBody: method === 'POST' || method === 'PUT' }
}

export const successStatus = ({ effect, silent }: Operation) => (silent ? 204 : effect === 'create' ? 201 : 200)
