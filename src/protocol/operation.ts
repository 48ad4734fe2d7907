import type { IncomingHttpHeaders } from 'node:http'
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
/** The effect of a call on the business's data. Tool hints, status codes and transactions follow from it. */
export type Effect = 'read' | 'create' | 'update' | 'remove'
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The input and output of an operation. Their types are generated from its schemas. */
export interface OperationTypes {
  input: object
  output: object
  prepared?: unknown
  /** Further dependencies of the operation, by name. */
  needs?: object
}

type Needs<T extends OperationTypes> = T extends { needs: infer Named } ? Named : unknown

export interface ObjectSchema extends Schema {
  type: 'object'
  properties: Record<string, Schema>
  required?: readonly string[]
}

/** One operation of the server. Both bindings, their descriptions and the access tests are derived from it. */
export type Operation<T extends OperationTypes = OperationTypes> = ReadOperation<T> | ChangeOperation<T>

export interface ReadOperation<T extends OperationTypes = OperationTypes> extends Description<T> {
  effect: 'read'
  /**
   * Whether a standby may answer. This is allowed when no decision depends on the answer. The standby returns nothing
   * older than the primary would.
   */
  fromStandby?: true
  handle(context: Context<T['input']> & Needs<T>): Promise<Result<T['output']>>
}

export interface ChangeOperation<T extends OperationTypes = OperationTypes> extends Description<T> {
  effect: Exclude<Effect, 'read'>
  /**
   * For changes that need information first, which may take seconds. It runs outside the unit of work, and not for a call
   * that already has a stored reply.
   */
  prepare?(context: PrepareContext<T['input']> & Needs<T>): Promise<T['prepared']>
  handle(context: ChangeContext<T['input']> & Needs<T>, prepared: T['prepared']): Promise<Result<T['output']>>
  /**
   * Further work after the change. It runs after the commit and before the answer. A failure is only logged and does not
   * change the answer, so another mechanism must then complete the work.
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
  declares?: Capability
  access: Access
  /** The lowest role that may call it, only for business_only. By default viewers read and staff members change data. */
  role?: Role
  /** The family that its calls count in, when it differs from the default of its capability. */
  limit?: 'holds'
  /** The existing resource that a privileged_scoped call is about. */
  resource?(input: T['input']): Resource
  input: ObjectSchema
  output: ObjectSchema
  /** Whether the call can fail with 404 because of an id in the body. */
  mayMiss?: true
  /** Paths of protocol members without an effect in this call, such as `$.context.intent`. */
  ignores?(input: T['input']): readonly string[]
  /** For cacheable reads: the lifetime, and the part of the answer that its ETag depends on. */
  cache?: Cache<T>
  /** Whether success returns no content. REST then answers 204. */
  silent?: true
  /**
   * For changes whose answers contain people: their names as in `named-people.ts`. Erasing one of them empties the stored
   * reply.
   */
  people?(output: T['output']): readonly string[]
  summary(output: Result<T['output']>): string
}

export interface Cache<T extends OperationTypes> {
  seconds: number
  identity(output: T['output']): unknown
}

/** `[STATUS]` replaces the operation's usual HTTP status. */
export type Result<Output = object> = Output & { messages?: Message[]; [STATUS]?: number }
export const STATUS = Symbol('status')

/** A thing that the server may issue a credential for. */
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
  /** The revision that the caller expects to change. */
  ifMatch: string | undefined
  peer: Peer
  agent: Agent | undefined
}

/** The context outside the operation's own unit of work, before or after it. Other units of work are possible here. */
export interface PrepareContext<Input = object> extends Context<Input> {
  makeChange: RunUnitOfWork
}

export interface ChangeContext<Input = object> extends Context<Input> {
  /** The database connection of this call's unit of work. */
  db: UnitOfWork
}

/**
 * A form submitted on a page. The server recognizes a repeated form by key and content, because the input of the call may
 * depend on the first attempt's changes. Refusals are not stored: the form can be submitted again once the reason is gone.
 */
export interface Submission {
  key: string
  content: string
}

export interface Call {
  binding: 'rest' | 'mcp' | 'page' | 'assistant'
  operation: Operation
  input: unknown
  /** `_meta` of a tool call. */
  meta: unknown
  headers: IncomingHttpHeaders
  /** The HTTP request of the call. A call over stdio has none. */
  http?: { method: string; target: string; body: Buffer }
  peer: Peer
  /** The secret of a visitor of our own pages or of an assisted visit. Only our own code sets it. */
  visitor?: string
  /** The assistant and its person, as the assistant interface verified them. Only our own code sets it. */
  assistant?: Assistant
  /** The staff member at the desk, as the browser session shows. Only our own code sets it. */
  staff?: { id: string; role: Role }
  locale?: string
  /** Digest of the submitted form, or of the assistant's action. */
  sentForm?: string
  /** For calls of a page: the form that caused the call. It replaces the idempotency key. */
  submission?: Submission
  /** The checks set these members, in this order. */
  deployment?: Deployment
  agent?: Agent
  caller?: Caller
  answerHeaders: Record<string, string>
}

interface Route {
  method: Method
  path: string
  parameters: string[]
  /** Whether the other members are in the body; otherwise they are in the query. */
  inBody: boolean
}

/**
 * Operations of the desk are not in the protocol, so an unknown member there is a mistake and is refused. Protocol
 * operations accept unknown members.
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
