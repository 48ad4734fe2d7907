import { Mismatch } from '../run/mismatch.ts'
import { type ErrorNumbers, errorNumbers, type UsualError } from './error-numbers.ts'

export type Members = Record<string, unknown>

export interface Message {
  type?: unknown
  code?: unknown
  content?: unknown
  severity?: unknown
  path?: unknown
}

/** The error in an answer. The form is the same for REST (Problem Details) and MCP (JSON-RPC). */
export interface ProtocolError {
  code: string | undefined
  /** The HTTP status over REST, or the JSON-RPC error number over MCP. */
  number: number
  members: Members
}

/** The answer to one call. The class hides the differences between REST and MCP. */
export class Answer {
  readonly binding: 'rest' | 'mcp'
  readonly status: number
  readonly headers: Record<string, string>
  readonly text: string
  /** The parsed body, or undefined if the body is not JSON. */
  readonly json: unknown

  constructor(binding: 'rest' | 'mcp', answer: { status: number; headers: Record<string, string>; body: string }) {
    this.binding = binding
    this.status = answer.status
    this.headers = answer.headers
    this.text = answer.body
    this.json = parse(dataOfStream(answer.headers['content-type'], answer.body))
  }

  /**
   * The members of the result: the body over REST, or `structuredContent` over MCP. Undefined if the answer is an
   * error.
   */
  get result(): Members | undefined {
    if (this.binding === 'rest') return this.status < 300 ? asMembers(this.json) : undefined
    return asMembers(asMembers(asMembers(this.json)?.result)?.structuredContent)
  }

  get error(): ProtocolError | undefined {
    if (this.binding === 'rest') {
      if (this.status < 300) return undefined
      const members = asMembers(this.json) ?? {}
      return { code: codeOf(members), number: this.status, members }
    }
    const error = asMembers(asMembers(this.json)?.error)
    if (!error) return undefined
    const members = asMembers(error.data) ?? {}
    return { code: codeOf(members), number: Number(error.code), members }
  }

  get messages(): Message[] {
    const messages = this.result?.messages
    return Array.isArray(messages) ? messages.map((message) => asMembers(message) ?? {}) : []
  }

  /** The first error message in the result. A business sends such a message if one of its rules forbids the call. */
  get refusal(): Message | undefined {
    return this.messages.find(({ type }) => type === 'error')
  }

  /** Returns the members of the result. Throws if the server refused the call. */
  success(): Members {
    const { result, refusal, error } = this
    if (result === undefined || refusal) {
      const found = refusal?.code ?? error?.code ?? error?.number ?? `HTTP ${this.status} without a result`
      throw new Mismatch('a successful answer', `a refusal: ${found}`)
    }
    return result
  }

  /** Requires that a rule of the business forbids the call: HTTP 200, and an error message with one of these codes. */
  refusedWith(...codes: string[]): Message {
    const { refusal, error } = this
    const isRefusal = refusal && typeof refusal.code === 'string' && codes.includes(refusal.code)
    if (!isRefusal || (this.binding === 'rest' && this.status !== 200))
      throw new Mismatch(
        `HTTP 200 with an error message ${codes.join(' or ')}`,
        refusal
          ? `HTTP ${this.status} with the error message ${refusal.code}`
          : error
            ? `the protocol error ${error.number} ${error.code ?? 'without a code'}`
            : `HTTP ${this.status} without an error message`,
      )
    return refusal
  }

  /** Requires a protocol error with this code, and with the HTTP status or JSON-RPC number that belongs to the code. */
  failsWith(code: UsualError): ProtocolError
  failsWith(code: string, numbers: ErrorNumbers): ProtocolError
  failsWith(code: string, numbers: ErrorNumbers = errorNumbers[code as UsualError]): ProtocolError {
    const wanted = [numbers[this.binding]].flat()
    const { error } = this
    if (!error || error.code !== code || !wanted.includes(error.number))
      throw new Mismatch(
        `the protocol error ${wanted.join(' or ')} with the code ${code}`,
        error
          ? `${error.number} with ${error.code === undefined ? 'no code' : `the code ${error.code}`}`
          : `HTTP ${this.status} ${this.refusal ? `with the message ${this.refusal.code}` : 'with a result'}`,
      )
    return error
  }
}

export const asMembers = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined

const PROBLEM_TYPE = /^https:\/\/usp-protocol\.dev\/errors\/([a-z0-9-]+)$/

/** Returns the error code: the member `code`, or the last part of the problem type. */
function codeOf({ code, type }: Members): string | undefined {
  if (typeof code === 'string') return code
  return typeof type === 'string' ? PROBLEM_TYPE.exec(type)?.[1]?.replaceAll('-', '_') : undefined
}

/** Returns the JSON text of an answer. An MCP server may send this text as the last event of an event stream. */
function dataOfStream(contentType: string | undefined, body: string): string {
  if (!contentType?.startsWith('text/event-stream')) return body
  const data = body.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  return data.at(-1)?.slice('data:'.length) ?? ''
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
