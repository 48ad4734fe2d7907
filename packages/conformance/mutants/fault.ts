import type { Members } from '../caller/answer.ts'
import type { Binding } from '../caller/caller.ts'
import type { OperationName } from '../caller/operations.ts'

/** A call that passes through the proxy. The form is the same for REST and MCP. */
export interface SeenCall {
  binding: Binding
  /** The operation of the call. Undefined for other requests, such as a request for the profile. */
  operation: OperationName | undefined
  method: string
  path: string
  headers: Record<string, string>
  /** The members that the caller sent in the body, in the query and in the path. */
  input: Members
}

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** One fault of a server. The proxy simulates the fault: it changes requests and answers. */
export interface Fault {
  /** A sentence that says what the faulty server does. */
  name: string
  /** The rules, or families of rules, whose checks run against the fault. The option `--only` uses the same names. */
  only: string[]
  /** The address of a bug report in another project. The fault repeats this bug. */
  seenAt?: string
  /** The operations that the fault affects. The default is all operations. */
  operations?: OperationName[]
  /** Changes the headers of a request before the server sees them. */
  headers?: (headers: Record<string, string>, call: SeenCall) => Record<string, string>
  /** Answers instead of the server. If the function returns undefined, the server answers. */
  instead?: (call: SeenCall, memory: Memory) => RawAnswer | undefined | Promise<RawAnswer | undefined>
  /** Changes the members of a result: the REST body, or `structuredContent` over MCP. Error answers have no result. */
  result?: (result: Members, call: SeenCall, memory: Memory) => Members | undefined
  /** Changes the status, the headers and the body of an answer. */
  answer?: (answer: RawAnswer, call: SeenCall, memory: Memory) => RawAnswer | undefined
}

/** The memory of a planted fault. A fault can store values here in one call, and read them in a later call. */
export type Memory = Map<string, unknown>
