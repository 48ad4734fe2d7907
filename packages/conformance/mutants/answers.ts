import { asMembers, type Members } from '../caller/answer.ts'
import type { Fault, RawAnswer, SeenCall } from './fault.ts'

const USP = { version: '2026-08-20' }

export function jsonOf(text: string): Members {
  try {
    return asMembers(JSON.parse(text)) ?? {}
  } catch {
    return {}
  }
}

export const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value : [])

/**
 * Returns the result of an answer, even if it contains an error message. Undefined for protocol errors and for invalid
 * JSON.
 */
export function resultOf({ status, body }: RawAnswer, { binding }: SeenCall): Members | undefined {
  const json = jsonOf(body)
  if (binding === 'mcp') return asMembers(asMembers(json.result)?.structuredContent)
  return status < 300 && Object.keys(json).length > 0 ? json : undefined
}

/** Replaces the answer of the server with this result. */
export function withResult(answer: RawAnswer, { binding }: SeenCall, result: Members, status = 200): RawAnswer {
  const members = { usp: USP, ...result }
  const headers = { ...answer.headers, 'content-type': 'application/json' }
  if (binding === 'rest') return { status, headers, body: JSON.stringify(members) }
  const { id = null } = jsonOf(answer.body)
  const content = [{ type: 'text', text: 'Done.' }]
  const reply = { jsonrpc: '2.0', id, result: { content, structuredContent: members } }
  return { status: 200, headers, body: JSON.stringify(reply) }
}

/**
 * Replaces a refusal with a success, as if the server forgot to refuse the call. Removes the headers of the refusal.
 */
export const success = (answer: RawAnswer, call: SeenCall, result: Members = {}): RawAnswer =>
  withResult({ ...answer, headers: {} }, call, result)

/** Replaces the answer of the server with a refusal: an error in the member `messages`. */
export function withRefusal(answer: RawAnswer, call: SeenCall, code: string): RawAnswer {
  const message = { type: 'error', code, content: 'This is not possible.', severity: 'recoverable' }
  return withResult(answer, call, { messages: [message] })
}

/** Replaces the code of a protocol error. Over REST, also replaces the HTTP status. */
export function withCode(answer: RawAnswer, { binding }: SeenCall, code: string, status: number): RawAnswer {
  const json = jsonOf(answer.body)
  if (binding === 'rest') return { ...answer, status, body: JSON.stringify({ ...json, code, status }) }
  const error = asMembers(json.error)
  const data = { ...asMembers(error?.data), code }
  return { ...answer, body: JSON.stringify({ ...json, error: { ...error, data } }) }
}

/** Returns the code of an error message or of a protocol error, over REST or MCP. */
export function codeOf(answer: RawAnswer, call: SeenCall): string | undefined {
  const message = listOf(resultOf(answer, call)?.messages).find(({ type }) => type === 'error')
  const json = jsonOf(answer.body)
  const code = message?.code ?? json.code ?? asMembers(asMembers(json.error)?.data)?.code
  return typeof code === 'string' ? code : undefined
}

/** Whether the answer is the protocol error for an unknown id. */
export const isNotFound = (answer: RawAnswer, call: SeenCall): boolean =>
  resultOf(answer, call) === undefined && codeOf(answer, call)?.endsWith('not_found') === true

/** Returns a function for `Fault.answer` that changes the business profile. */
export const withProfile =
  (change: (profile: Members) => Members | undefined) =>
  (answer: RawAnswer, { path }: SeenCall): RawAnswer | undefined => {
    if (!path.startsWith('/.well-known/usp') || answer.status !== 200) return undefined
    const changed = change(jsonOf(answer.body))
    return changed && { ...answer, body: JSON.stringify(changed) }
  }

/** Changes a member that is an object. Returns undefined without such an object, or if `change` returns undefined. */
export function withMember(
  owner: Members,
  name: string,
  change: (member: Members) => Members | undefined,
): Members | undefined {
  const member = asMembers(owner[name])
  const changed = member && change(member)
  return changed && { ...owner, [name]: changed }
}

/** Changes the booking in a result. Returns undefined if the result has no booking. */
export const withBooking = (result: Members, change: (booking: Members) => Members | undefined): Members | undefined =>
  withMember(result, 'booking', change)

/** Changes the cancellation in the booking of a result. */
export const withCancellation = (
  result: Members,
  change: (cancellation: Members, booking: Members) => Members,
): Members | undefined =>
  withBooking(result, (booking) => withMember(booking, 'cancellation', (cancellation) => change(cancellation, booking)))

/** Changes a member that is a list of objects. */
export const withItems = (owner: Members, name: string, change: (items: Members[]) => Members[]): Members => ({
  ...owner,
  [name]: change(listOf(owner[name])),
})

/** Returns the booking of a result, or an empty object. */
export const bookingOf = (result: Members | undefined): Members => asMembers(result?.booking) ?? {}

/** Returns the metadata of an MCP call (`_meta.usp`). Over REST, headers contain this data. */
const metaOf = ({ input }: SeenCall): Members => asMembers(asMembers(input._meta)?.usp) ?? {}

export const platformOf = (call: SeenCall): string => String(call.headers['usp-agent'] ?? metaOf(call).profile)

export const isConditional = (call: SeenCall): boolean => 'if-match' in call.headers || 'if_match' in metaOf(call)

export const keyOf = (call: SeenCall): string | undefined => {
  const key = call.headers['idempotency-key'] ?? metaOf(call).idempotency_key
  return typeof key === 'string' ? key : undefined
}

/**
 * Remembers the results of earlier calls. When the server later says that an id is unknown, returns the old result
 * instead.
 */
export const fromMemory = (name: string, idInInput: string): Pick<Fault, 'result' | 'answer'> => ({
  result: (result, _, memory) => {
    memory.set(String(asMembers(result[name])?.id), result)
    return undefined
  },
  answer: (answer, call, memory) => {
    const known = asMembers(memory.get(String(call.input[idInInput])))
    return known && isNotFound(answer, call) ? success(answer, call, known) : undefined
  },
})
