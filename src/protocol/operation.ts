import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { Capability } from './capabilities.ts'
import type { Cursors } from './cursor.ts'
import type { Schema } from './schemas.ts'
import type { Message } from './types.generated.ts'

export type Access = 'public' | 'privileged_platform' | 'privileged_scoped' | 'business_only'
/** What a call does to the business's data. Tool hints, status codes and transactions follow from it. */
export type Effect = 'read' | 'create' | 'update' | 'remove'
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What an operation takes and gives; generated from its schemas. */
export interface Exchange {
  input: object
  output: object
}

export interface ObjectSchema extends Schema {
  type: 'object'
  properties: Record<string, Schema>
  required?: readonly string[]
}

/** One thing the server can do, told once. Both bindings, their descriptions and the access tests follow from it. */
export interface Operation<T extends Exchange = Exchange> {
  id: string
  rest: `${Method} /${string}`
  tool: string
  title: string
  /** What an agent should know before calling it. */
  description: string
  capability: Capability
  access: Access
  effect: Effect
  input: ObjectSchema
  output: ObjectSchema
  /** For reads that may be kept: for how long, and what of the answer tells one state from another. */
  cache?: Cache<T>
  /** The result in a sentence, as a person would say it. */
  summary(output: T['output']): string
  handle(context: Context<T['input']>): Promise<Result<T['output']>>
}

export interface Cache<T extends Exchange> {
  seconds: number
  identity(output: T['output']): unknown
}

export type Result<Output = object> = Output & { messages?: Message[] }

/** What an operation may use. */
export interface Context<Input = object> {
  input: Input
  db: Database
  now: Date
  cursors: Cursors
  config: Config
}

/** One call as either binding hands it on. */
export interface Call {
  binding: 'rest' | 'mcp'
  operation: Operation
  input: unknown
  /** `_meta` of a tool call. */
  meta: unknown
  headers: IncomingHttpHeaders
}

export const defineOperation = <T extends Exchange>(operation: Operation<T>): Operation<T> => operation

export function restOf({ rest }: Operation): { method: Method; path: string; parameters: string[] } {
  const [method, path = ''] = rest.split(' ')
  if (method !== 'GET' && method !== 'POST' && method !== 'PUT' && method !== 'DELETE')
    throw new Error(`No such method: ${rest}`)
  return { method, path, parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name) }
}

export const successStatus = ({ effect }: Operation) => (effect === 'create' ? 201 : 200)
