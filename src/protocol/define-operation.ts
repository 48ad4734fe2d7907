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
 * Whether a call reads, creates, updates or removes data of the business. The HTTP status, the MCP tool annotations and
 * the transaction of the call depend on this effect.
 */
export type Effect = 'read' | 'create' | 'update' | 'remove'
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * The TypeScript types of one operation. A script generates `input` and `output` from the JSON Schemas of the
 * operation.
 */
export interface OperationTypes {
  input: object
  output: object
  prepared?: unknown
  /** Names and types of dependencies that only this operation needs, in addition to its context. */
  needs?: object
}

type Needs<T extends OperationTypes> = T extends { needs: infer Named } ? Named : unknown

export interface ObjectSchema extends Schema {
  type: 'object'
  properties: Record<string, Schema>
  required?: readonly string[]
}

/**
 * One operation of the server, such as "create a booking". Its REST route, MCP tool, API documents and access tests all
 * come from this object.
 */
export type Operation<T extends OperationTypes = OperationTypes> = ReadOperation<T> | ChangeOperation<T>

export interface ReadOperation<T extends OperationTypes = OperationTypes> extends Description<T> {
  effect: 'read'
  /**
   * Whether a standby database (a read-only copy) may answer the call. Set it only if the server bases no decision on
   * the answer. A standby answers only if it has every change that the server has confirmed to a caller.
   */
  fromStandby?: true
  handle(context: Context<T['input']> & Needs<T>): Promise<Result<T['output']>>
}

export interface ChangeOperation<T extends OperationTypes = OperationTypes> extends Description<T> {
  effect: Exclude<Effect, 'read'>
  /**
   * Gets information for the change before the unit of work (transaction) begins, because this can take seconds. The
   * server skips this function if it already has a stored answer for the call.
   */
  prepare?(context: PrepareContext<T['input']> & Needs<T>): Promise<T['prepared']>
  handle(context: ChangeContext<T['input']> & Needs<T>, prepared: T['prepared']): Promise<Result<T['output']>>
  /** Changes the text of a business refusal. The refusal can come from `handle`, or from the database at the commit. */
  rewordRefusal?(refusal: BusinessRefusal): BusinessRefusal
  /**
   * Work after the commit and before the answer. If it fails, the server logs the error and sends the same answer.
   * Therefore another mechanism, such as a background worker, must complete the work.
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
  /** Additional capabilities (named parts of the protocol) that the server offers if it has this operation. */
  declares?: Capability | readonly Capability[]
  /** The protocol whose answer format this operation uses. The default is USP (Universal Scheduling Protocol). */
  protocol?: 'ucp'
  access: Access
  /**
   * The lowest staff role that may call the operation. By default, the role `viewer` may read, and the role `staff` may
   * change data.
   */
  role?: Role
  /** The rate limit for calls of this operation. By default, the capability of the operation determines the limit. */
  limit?: 'holds'
  /**
   * Returns the hold (a reserved time), booking or waitlist entry that the call concerns. Only operations with the
   * access class `privileged_scoped` have this function.
   */
  resource?(input: T['input']): Resource
  /** Whether a call must have an idempotency key always or only over REST. By default, the key is optional. */
  needsKey?: 'always' | 'over REST'
  /**
   * Whether the input contains a secret that a person chose, such as a password. The server then stores only a keyed
   * fingerprint of the call, so that nobody can guess the secret from the database.
   */
  hasSecretInput?: true
  input: ObjectSchema
  output: ObjectSchema
  /** Whether an unknown id in the request body leads to a 404 answer. If true, the API document lists this answer. */
  mayMiss?: true
  /** Paths of input properties that the protocol defines but this operation ignores, such as `$.context.intent`. */
  ignores?(input: T['input']): readonly string[]
  /**
   * For reads that callers may cache: the lifetime of the answer in seconds, and the part of the answer that determines
   * the ETag.
   */
  cache?: Cache<T>
  /** Whether the answer of a successful call has no content. REST then answers 204. */
  silent?: true
  /**
   * Lists the people in the answer of a change by their bookings or waitlist entries, such as `booking bkg_1`. When the
   * server erases the data of one of these people, it also clears the stored answer.
   */
  people?(output: T['output']): readonly string[]
  summary(output: Result<T['output']>): string
}

export interface Cache<T extends OperationTypes> {
  seconds: number
  identity(output: T['output']): unknown
}

/** The result of an operation. If the property `[STATUS]` is present, it replaces the usual HTTP status. */
export type Result<Output = object> = Output & { messages?: Message[]; [STATUS]?: number; [UNSETTLED]?: true }
export const STATUS = Symbol('status')
/**
 * Marks an answer whose outcome is not final yet. The server does not store the answer, so that a retry gets the final
 * outcome.
 */
export const UNSETTLED = Symbol('unsettled')

/** An object for which the server can issue an access secret (credential): a hold, a booking or a waitlist entry. */
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
   * The revision of the object that the caller last read. The server refuses the change if the stored revision differs.
   */
  ifMatch: string | undefined
  /**
   * Identifies the request. With it, an operation recognizes a retry even if the first attempt left no stored reply.
   */
  request: RequestIdentity
  peer: Peer
  agent: Agent | undefined
}

interface RequestIdentity {
  /** Returns the idempotency key of the call, or undefined if the caller sent none. */
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
 * A form that a visitor submitted on a page. Two submissions with the same key and content are duplicates. The server
 * does not compare the input of the call, because the first submission can change this input. The server does not store
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
  /** The parameter `_meta` of an MCP tool call. */
  meta: unknown
  headers: IncomingHttpHeaders
  /**
   * The platform profile and the idempotency key from the argument `meta` of a tool of the Universal Commerce Protocol
   * (UCP). They have the same effect as the HTTP headers for the profile and the key.
   */
  named?: { profile?: unknown; key?: unknown }
  /** The HTTP request of the call. Absent if the caller uses MCP over standard input. */
  http?: { method: string; target: string; body: Buffer }
  peer: Peer
  /**
   * The secret of a browser session on the booking pages. Only code of this server sets this property, never the
   * caller.
   */
  visitor?: string
  /**
   * The AI assistant and the person who authorized it. Code of this server sets this property after it has verified
   * their identities.
   */
  assistant?: Assistant
  /**
   * The staff member who signed in to the browser session. Only code of this server sets this property, never the
   * caller.
   */
  staff?: { id: string; role: Role }
  locale?: string
  /**
   * Digest of the form that the visitor submitted, or of the assistant's request. It shows whether a call is a
   * duplicate.
   */
  sentForm?: string
  /**
   * The submitted form that caused the call, if the call comes from a page. The key of the form replaces the
   * idempotency key.
   */
  submission?: Submission
  /** The checks before the operation set this property and the following properties, in this order. */
  deployment?: Deployment
  agent?: Agent
  caller?: Caller
  answerHeaders: Record<string, string>
}

interface Route {
  method: Method
  path: string
  parameters: string[]
  /**
   * Whether the request body contains the input properties that are not in the path. Otherwise, the query string
   * contains them.
   */
  inBody: boolean
}

/**
 * Defines an operation. Operations of the staff pages refuse unknown input properties, because these are probably
 * mistakes. Protocol operations accept unknown properties and report them as ignored.
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
