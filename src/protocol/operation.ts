import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../infra/config/config.ts'
import type { Change, MakeChange } from '../infra/db/change.ts'
import type { Database } from '../infra/db/database.ts'
import type { Agent, Assistant, Caller, Peer, Role } from './caller.ts'
import type { Capability } from './capabilities.ts'
import type { CurrentBusiness } from './current-business.ts'
import type { Cursors } from './cursor.ts'
import type { Deployment } from './deployment.ts'
import type { Schema } from './schemas.ts'
import type { Tag } from './tags.ts'
import type { Message } from './types.generated.ts'

export type Access = 'public' | 'privileged_platform' | 'privileged_scoped' | 'business_only'
/** What a call does to the business's data. Tool hints, status codes and transactions follow from it. */
export type Effect = 'read' | 'create' | 'update' | 'remove'
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What an operation takes and gives; generated from its schemas. */
export interface Exchange {
  input: object
  output: object
  /** What is found out before the transaction of a change begins. */
  prepared?: unknown
  /** What it takes besides what every operation gets, by name. */
  needs?: object
}

type Needs<T extends Exchange> = T extends { needs: infer Named } ? Named : unknown

export interface ObjectSchema extends Schema {
  type: 'object'
  properties: Record<string, Schema>
  required?: readonly string[]
}

/** One thing the server can do, told once. Both bindings, their descriptions and the access tests follow from it. */
export type Operation<T extends Exchange = Exchange> = ReadOperation<T> | ChangeOperation<T>

export interface ReadOperation<T extends Exchange = Exchange> extends Description<T> {
  effect: 'read'
  /** Whether a standby may answer, as it may where nothing is decided by it; it gives nothing older than the primary would. */
  fromStandby?: true
  handle(context: Context<T['input']> & Needs<T>): Promise<Result<T['output']>>
}

export interface ChangeOperation<T extends Exchange = Exchange> extends Description<T> {
  effect: Exclude<Effect, 'read'>
  /**
   * For changes that must find out something first, which may take seconds: it runs outside the change, and not for a call
   * whose answer is known already.
   */
  prepare?(context: PrepareContext<T['input']> & Needs<T>): Promise<T['prepared']>
  handle(context: ChangeContext<T['input']> & Needs<T>, prepared: T['prepared']): Promise<Result<T['output']>>
  /**
   * For work that follows from the change and is no part of it: it runs once the change has taken effect, before the caller is
   * answered. A failure is logged and does not change the answer, so something else must complete the work then.
   */
  afterwards?(context: PrepareContext<T['input']> & Needs<T>): Promise<unknown>
}

interface Description<T extends Exchange> {
  id: string
  rest: `${Method} /${string}`
  tool: string
  title: string
  /** What an agent should know before calling it. */
  description: string
  capability: Capability
  /** A further capability that serving it amounts to. */
  declares?: Capability
  access: Access
  /** For business_only: who may at least. When left out viewers read, and the staff change. */
  role?: Role
  /** What the calls of one minute are counted as. */
  limit?: 'holds'
  /** For privileged_scoped: which existing thing the call is about. */
  resource?(input: T['input']): Resource
  input: ObjectSchema
  output: ObjectSchema
  /** Whether something that only the body names may not be there, which is a 404. */
  mayMiss?: true
  /** Paths of members that the protocol has and that change nothing here, such as `$.context.intent`, or nothing beside others. */
  ignores?(input: T['input']): readonly string[]
  /** For reads that may be kept: for how long, and what of the answer tells one state from another. */
  cache?: Cache<T>
  /** Whether success leaves nothing to tell; REST then answers without a body. */
  silent?: true
  /** For changes whose answer names people: which, as `named-people.ts` has them. Erasing them empties the kept answer. */
  people?(output: T['output']): readonly string[]
  /** The result in a sentence, as a person would say it. */
  summary(output: Result<T['output']>): string
}

export interface Cache<T extends Exchange> {
  seconds: number
  identity(output: T['output']): unknown
}

/** `[STATUS]` is for a result that is answered with another status than the operation's usual one. */
export type Result<Output = object> = Output & { messages?: Message[]; [STATUS]?: number }
export const STATUS = Symbol('status')

/** A thing that a credential may be issued for. */
export interface Resource {
  kind: 'hold' | 'booking' | 'waitlist_entry'
  id: string
}

/** What an operation may use. */
export interface Context<Input = object> {
  input: Input
  caller: Caller
  db: Database
  now: Date
  cursors: Cursors
  config: Config
  business: CurrentBusiness
  tag: Tag
  /** The revision that the caller believes to change. */
  ifMatch: string | undefined
  peer: Peer
  agent: Agent | undefined
}

/** What may be used before the change of a call begins, or after it has taken effect. Other changes can be made then. */
export interface PrepareContext<Input = object> extends Context<Input> {
  makeChange: MakeChange
}

/** What an operation may use that changes something. */
export interface ChangeContext<Input = object> extends Context<Input> {
  /** The database within the change that this call makes. */
  db: Change
}

/**
 * A form that somebody submitted on a page. A retry is the same form again, recognized by key and content: the input of a call may
 * depend on what the first attempt changed. Refusals are not kept, so the form can be submitted again once the reason is gone.
 */
export interface Submission {
  key: string
  content: string
}

/** One call as either binding hands it on. */
export interface Call {
  binding: 'rest' | 'mcp' | 'page' | 'assistant'
  operation: Operation
  input: unknown
  /** `_meta` of a tool call. */
  meta: unknown
  headers: IncomingHttpHeaders
  /** The HTTP request it came in; a session over standard input has none. */
  http?: { method: string; target: string; body: Buffer }
  peer: Peer
  /** Who calls through our own pages, or lets an assistant, by what tells visitors apart. Nobody else can say so. */
  visitor?: string
  /** The assistant that calls for somebody who lets it, as its door found out. Nobody else can say so. */
  assistant?: Assistant
  /** Who works here and calls from the desk, as the page found out by their session. Nobody else can say so. */
  staff?: { id: string; role: Role }
  /** The language that they are spoken to in, BCP 47. */
  locale?: string
  /** Digest of the form that they sent, or of what their assistant did. */
  sentForm?: string
  /** For calls of a page: the form that caused the call. It replaces the idempotency key. */
  submission?: Submission
  /** What the checks find out, in their order. */
  deployment?: Deployment
  agent?: Agent
  caller?: Caller
  /** Headers that the answer gets besides its own. */
  answerHeaders: Record<string, string>
}

/** Where an operation is reached over REST. */
interface Route {
  method: Method
  path: string
  /** The members of the input that the path names. */
  parameters: string[]
  /** Whether the others come in the body; otherwise they come in the query. */
  inBody: boolean
}

/** What only this server knows takes no name that means nothing: it is a slip. Elsewhere callers may say more than we know. */
export function defineOperation<T extends Exchange>(operation: ReadOperation<T>): ReadOperation<T>
export function defineOperation<T extends Exchange>(operation: ChangeOperation<T>): ChangeOperation<T>
export function defineOperation<T extends Exchange>(operation: Operation<T>): Operation<T>
export function defineOperation<T extends Exchange>(operation: Operation<T>): Operation<T> {
  if (!operation.rest.includes(' /business/')) return operation
  return { ...operation, input: { ...operation.input, additionalProperties: false } }
}

export function restOf({ rest }: Operation): Route {
  const [method, path = ''] = rest.split(' ')
  if (method !== 'GET' && method !== 'POST' && method !== 'PUT' && method !== 'DELETE')
    throw new Error(`No such method: ${rest}`)
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return { method, path, parameters, inBody: method === 'POST' || method === 'PUT' }
}

export const successStatus = ({ effect, silent }: Operation) => (silent ? 204 : effect === 'create' ? 201 : 200)
