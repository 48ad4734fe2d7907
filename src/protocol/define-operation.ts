import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../infra/config/read-config.ts'
import type { Database } from '../infra/db/database.ts'
import type { RunUnitOfWork, UnitOfWork } from '../infra/db/unit-of-work.ts'
import type { Agent, Assistant, Caller, Peer, Role } from './caller-types.ts'
import type { Capability } from './capabilities.ts'
import type { CurrentBusiness } from './dependency-types.ts'
import type { Deployment } from './deployment-modes.ts'
import type { BusinessRefusal } from './errors.ts'
import type { Schema } from './json-schemas.ts'
import type { Tag } from './keyed-digest.ts'
import type { Cursors } from './page-cursors.ts'
import type { Message } from './types.generated.ts'

export type Access = 'public' | 'privileged_platform' | 'privileged_scoped' | 'business_only'
/**
 * Whether a call reads, creates, updates or removes data of the business. Tool hints, status codes and transactions
 * depend on this effect.
 */
export type Effect = 'read' | 'create' | 'update' | 'remove'
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The types of an operation's input and output. A script generates them from the schemas of the operation. */
export interface OperationTypes {
  input: object
  output: object
  prepared?: unknown
  /** Names and types of the services that only this operation needs, in addition to its context. */
  needs?: object
}

type Needs<T extends OperationTypes> = T extends { needs: infer Named } ? Named : unknown

export interface ObjectSchema extends Schema {
  type: 'object'
  properties: Record<string, Schema>
  required?: readonly string[]
}

/**
 * One operation of the server. The routes, tools, documents and access tests of REST and MCP all come from this object.
 */
export type Operation<T extends OperationTypes = OperationTypes> = ReadOperation<T> | ChangeOperation<T>

export interface ReadOperation<T extends OperationTypes = OperationTypes> extends Description<T> {
  effect: 'read'
  /**
   * Whether a standby database (a read-only copy) may answer the call. Set this member only if no decision depends on
   * the answer. The answer is never older than an answer of the primary database.
   */
  fromStandby?: true
  handle(context: Context<T['input']> & Needs<T>): Promise<Result<T['output']>>
}

export interface ChangeOperation<T extends OperationTypes = OperationTypes> extends Description<T> {
  effect: Exclude<Effect, 'read'>
  /**
   * Runs before the unit of work (transaction), because it can take seconds to get the information that the change
   * needs. If the call already has a stored answer, the server does not run it.
   */
  prepare?(context: PrepareContext<T['input']> & Needs<T>): Promise<T['prepared']>
  handle(context: ChangeContext<T['input']> & Needs<T>, prepared: T['prepared']): Promise<Result<T['output']>>
  /** Changes the text of a refusal. A refusal can come from `handle`, or from the database at the commit. */
  rewordRefusal?(refusal: BusinessRefusal): BusinessRefusal
  /**
   * Work that runs after the commit and before the answer. If this work fails, the server logs the error and sends the
   * same answer. Therefore another mechanism, such as a background worker, must complete the work.
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
  /** Additional capabilities that the server offers if it has this operation. */
  declares?: Capability | readonly Capability[]
  /** The protocol whose answer format this operation uses. The default is USP. */
  protocol?: 'ucp'
  access: Access
  /**
   * The lowest staff role that may call the operation. By default, the role `viewer` may read, and the role `staff` may
   * change data.
   */
  role?: Role
  /**
   * The kind of calls whose limit applies to this operation. By default, the capability of the operation determines the
   * kind.
   */
  limit?: 'holds'
  /**
   * Returns the hold (a reserved time), booking or waitlist entry that the call concerns. Only operations with the
   * access class `privileged_scoped` have this function.
   */
  resource?(input: T['input']): Resource
  /** Says when a call must have an idempotency key: always, or only over REST. By default, the key is optional. */
  needsKey?: 'always' | 'over REST'
  input: ObjectSchema
  output: ObjectSchema
  /** Whether the call answers 404 for an unknown id in its body. If true, the API document lists this answer. */
  mayMiss?: true
  /** Paths of input members that the protocol defines but this operation ignores, such as `$.context.intent`. */
  ignores?(input: T['input']): readonly string[]
  /**
   * For reads that callers may cache: the lifetime of the answer, and the part of the answer that determines the
   * version tag (ETag).
   */
  cache?: Cache<T>
  /** Whether the answer of a successful call has no content. REST then answers 204. */
  silent?: true
  /**
   * Names the people in the answer of a change by their bookings or waitlist entries, such as `booking bkg_1`. When the
   * server erases the data of one of these people, it also clears the stored answer.
   */
  people?(output: T['output']): readonly string[]
  summary(output: Result<T['output']>): string
}

export interface Cache<T extends OperationTypes> {
  seconds: number
  identity(output: T['output']): unknown
}

/** The result of an operation. If the member `[STATUS]` is present, it replaces the usual HTTP status. */
export type Result<Output = object> = Output & { messages?: Message[]; [STATUS]?: number; [UNSETTLED]?: true }
export const STATUS = Symbol('status')
/**
 * Marks an answer whose outcome is still open. The server does not store it, so that a retry gets the final outcome.
 */
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
  /**
   * The revision of the object that the caller expects. The server refuses the change if the stored revision differs.
   */
  ifMatch: string | undefined
  /** Identifies the request, so that an operation recognizes a retry even if the first attempt left no stored reply. */
  request: RequestIdentity
  peer: Peer
  agent: Agent | undefined
}

interface RequestIdentity {
  /** Returns the idempotency key. Undefined if the caller sent none. */
  key(): string | undefined
  /** Returns a digest of the operation's id and the input of the call. */
  fingerprint(): Buffer
}

/**
 * The context of the functions that run before or after the transaction of the operation. These functions may run
 * transactions of their own.
 */
export interface PrepareContext<Input = object> extends Context<Input> {
  makeChange: RunUnitOfWork
  log: FastifyBaseLogger
}

export interface ChangeContext<Input = object> extends Context<Input> {
  db: UnitOfWork
}

/**
 * A form that a visitor submitted on a page. The server recognizes a duplicate submission by the key and the content of
 * the form. It does not compare the input of the call, because the first submission can change this input. The server
 * does not store refusals, so the visitor can submit the form again.
 */
export interface Submission {
  key: string
  content: string
}

export interface Call {
  binding: 'rest' | 'mcp' | 'page' | 'assistant'
  operation: Operation
  input: unknown
  /** The parameter `_meta` of an MCP tool call. */
  meta: unknown
  headers: IncomingHttpHeaders
  /**
   * The platform profile and the idempotency key, which callers of UCP tools send in `meta`. They work like the headers
   * of the same names.
   */
  named?: { profile?: unknown; key?: unknown }
  /** The HTTP request of the call. Absent if the caller uses MCP over standard input. */
  http?: { method: string; target: string; body: Buffer }
  peer: Peer
  /** The secret of a session on the booking pages. Only code of this server sets this member. */
  visitor?: string
  /**
   * The AI assistant and its person. The assistant interface has verified both, and only code of this server sets this
   * member.
   */
  assistant?: Assistant
  /** The staff member, known from the browser session. Only code of this server sets this member. */
  staff?: { id: string; role: Role }
  locale?: string
  /** Digest of the form that the visitor submitted, or of the assistant's request. */
  sentForm?: string
  /** The form that caused the call, if the call comes from a page. Its key replaces the idempotency key. */
  submission?: Submission
  /** The checks before the operation set these members of the call, in this order. */
  deployment?: Deployment
  agent?: Agent
  caller?: Caller
  answerHeaders: Record<string, string>
}

interface Route {
  method: Method
  path: string
  parameters: string[]
  /** Whether the input members outside of the path are in the request body. Otherwise, they are in the query. */
  inBody: boolean
}

/**
 * Defines an operation. Desk operations refuse unknown input members, because they are probably mistakes. Protocol
 * operations accept unknown members, and report them as ignored.
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
