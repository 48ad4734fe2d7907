import type { Members } from '../caller/answer.ts'
import type { Binding } from '../caller/caller.ts'
import type { OperationName } from '../caller/operations.ts'

/** A call that passes through the proxy, in the same form for both bindings. */
export interface SeenCall {
  binding: Binding
  /** Undefined for requests that are no operation, such as the one for the profile. */
  operation: OperationName | undefined
  method: string
  path: string
  headers: Record<string, string>
  /** The members that the caller sent: the body, the query and the ids in the path. */
  input: Members
}

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** One thing that a server does wrong. The proxy does it in the name of the server. */
export interface Fault {
  /** What the faulty server does, as a sentence. */
  name: string
  /** The rules or families whose checks run against the fault, as in the option `--only`. */
  only: string[]
  /** The bug in another project that the fault repeats, as an address. */
  seenAt?: string
  /** Only calls of these operations meet the fault. Without it, all do. */
  operations?: OperationName[]
  /** Changes the headers of the request before the server gets it, for what the server shall not notice. */
  headers?: (headers: Record<string, string>, call: SeenCall) => Record<string, string>
  /** Answers without the server. Undefined: the server answers. */
  instead?: (call: SeenCall, memory: Memory) => RawAnswer | undefined
  /** Changes the members of a result: the REST body, or `structuredContent`. Error answers have none. */
  result?: (result: Members, call: SeenCall, memory: Memory) => Members | undefined
  /** Changes the answer as it is on the wire. */
  answer?: (answer: RawAnswer, call: SeenCall, memory: Memory) => RawAnswer | undefined
}

/** What a fault remembers between calls. */
export type Memory = Map<string, unknown>
