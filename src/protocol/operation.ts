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

/** The types of the input and output of an operation, which a script generates from its schemas. */
export interface OperationTypes {
  input: object
  output: object
  prepared?: unknown
  /** Names and types of further dependencies, for operations that need more than the usual context. */
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
   * Whether a standby database may answer. Set it only if no decision depends on the answer. The answer is never older
   * than the answer of the primary.
   */
  fromStandby?: true
  handle(context: Context<T['input']> & Needs<T>): Promise<Result<T['output']>>
}

export interface ChangeOperation<T extends OperationTypes = OperationTypes> extends Description<T> {
  effect: Exclude<Effect, 'read'>
  /**
   * Gets information for the change before the unit of work starts, because this may take seconds. The server skips
   * this step if the call already has a stored reply.
   */
  prepare?(context: PrepareContext<T['input']> & Needs<T>): Promise<T['prepared']>
  handle(context: ChangeContext<T['input']> & Needs<T>, prepared: T['prepared']): Promise<Result<T['output']>>
  /**
   * Further work that runs after the commit and before the answer. If the work fails, the server logs the failure and
   * sends the same answer. So another mechanism must complete the work.
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
  /** Further capabilities that the server offers if it serves this operation. */
  declares?: Capability | readonly Capability[]
  /** The protocol that defines the form of the answers. The default is USP. */
  protocol?: 'ucp'
  access: Access
  /**
   * The lowest role that may call a `business_only` operation. By default, viewers may read and staff members may
   * change data.
   */
  role?: Role
  /** The kind of calls whose limit applies to the operation. By default, the capability determines the kind. */
  limit?: 'holds'
  /** Returns the existing hold, booking or entry that a call with the access class `privileged_scoped` concerns. */
  resource?(input: T['input']): Resource
  input: ObjectSchema
  output: ObjectSchema
  /** Whether the call fails with 404 if an id in its body is unknown. */
  mayMiss?: true
  /** Paths of input members that the protocol defines but this call ignores, such as `$.context.intent`. */
  ignores?(input: T['input']): readonly string[]
  /** Only for reads that callers may cache: the lifetime, and the part of the answer that decides the ETag. */
  cache?: Cache<T>
  /** Whether a successful call returns no content. REST then answers 204. */
  silent?: true
  /**
   * Names the people in the answer of a change, such as `booking bkg_1`. When the server erases one of these people, it
   * empties the stored reply.
   */
  people?(output: T['output']): readonly string[]
  summary(output: Result<T['output']>): string
}

export interface Cache<T extends OperationTypes> {
  seconds: number
  identity(output: T['output']): unknown
}

/** The result of an operation. `[STATUS]` replaces the usual HTTP status of the operation. */
export type Result<Output = object> = Output & { messages?: Message[]; [STATUS]?: number; [UNSETTLED]?: true }
export const STATUS = Symbol('status')
/** Marks an answer whose outcome is still open. The server does not store it, so that a retry gets the outcome. */
export const UNSETTLED = Symbol('unsettled')

/** An object that can have a credential: a hold, a booking or a waitlist entry. */
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
  /** The revision that the caller expects. The server refuses the change if the stored revision differs. */
  ifMatch: string | undefined
  /** Identifies the request. With it, an operation recognizes a retry whose first attempt left no stored reply. */
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

/** The context for work before or after the operation's own unit of work. Such work can run other units of work. */
export interface PrepareContext<Input = object> extends Context<Input> {
  makeChange: RunUnitOfWork
  log: FastifyBaseLogger
}

export interface ChangeContext<Input = object> extends Context<Input> {
  /** The database connection of the operation's unit of work. */
  db: UnitOfWork
}

/**
 * A form that a visitor submitted on a page. The server recognizes a duplicate submission by the key and the content of
 * the form. The input of the call is not compared, because the first attempt may have changed it. The server stores no
 * refusals, so the visitor can submit the form again.
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
  /**
   * The platform profile and the idempotency key in `meta` of a UCP tool. They work like the headers of these names.
   */
  named?: { profile?: unknown; key?: unknown }
  /** The HTTP request of the call. A call over standard input has no HTTP request. */
  http?: { method: string; target: string; body: Buffer }
  peer: Peer
  /** The secret that identifies the visit of a browser or an assistant. Only code of this server sets this member. */
  visitor?: string
  /** The assistant and its person, verified by the assistant interface. Only code of this server sets them. */
  assistant?: Assistant
  /** The staff member at the desk, identified by the browser session. Only code of this server sets this member. */
  staff?: { id: string; role: Role }
  locale?: string
  /** Digest of the form that the visitor submitted, or of the action of the assistant. */
  sentForm?: string
  /** The form that caused the call, if the call comes from a page. The key of the form replaces the idempotency key. */
  submission?: Submission
  /** The checks set the members below, in this order. */
  deployment?: Deployment
  agent?: Agent
  caller?: Caller
  answerHeaders: Record<string, string>
}

interface Route {
  method: Method
  path: string
  parameters: string[]
  /** Whether the body contains the members that are not in the path. Otherwise the query contains them. */
  inBody: boolean
}

/**
 * Defines an operation. Desk operations are not in the protocol, so they refuse unknown input members as mistakes.
 * Operations of the protocol accept unknown members.
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
