import type { Message, UspMeta } from '../../src/protocol/types.generated.ts'
import { type CallOptions, type ClientOptions, callerOf } from './caller.ts'
import { operations } from './operations.generated.ts'
import type { Route } from './route.ts'

export type { CallOptions, ClientOptions } from './caller.ts'
export { Unreachable, UspError } from './error.ts'
export { generateKey, publishedKey } from './key.ts'

/** What the business answers: what was asked for or, when it says no, `messages` that say why and nothing else. */
export type Answer<Output> = { usp: UspMeta; messages?: Message[] } & (Output | { [Member in keyof Output]?: never })

type Method<Input, Output> =
  Partial<Input> extends Input
    ? (input?: Input, options?: CallOptions) => Promise<Answer<Output>>
    : (input: Input, options?: CallOptions) => Promise<Answer<Output>>

type MethodOf<Known> = Known extends Route<infer T> ? Method<T['input'], T['output']> : never

/** One business, with a method for each of its operations. */
export type Client = { [Id in keyof typeof operations]: MethodOf<(typeof operations)[Id]> }

export function createClient(options: ClientOptions): Client {
  const call = callerOf(options)
  const methods = Object.entries(operations).map(([id, route]) => [
    id,
    (input = {}, options?: CallOptions) => call(route, input, options),
  ])
  // Which answer belongs to which method is the business's promise; it is not checked here.
  return Object.fromEntries(methods)
}
