import { asMembers, type Members } from '../caller/answer.ts'
import type { Memory, RawAnswer, SeenCall } from './fault.ts'

/** Replaces what the server answers by a result. */
export function withResult(answer: RawAnswer, { binding }: SeenCall, result: Members, status = 200): RawAnswer {
  const headers = { ...answer.headers, 'content-type': 'application/json' }
  if (binding === 'rest') return { status, headers, body: JSON.stringify(result) }
  const content = [{ type: 'text', text: 'Done.' }]
  const { id } = membersOf(answer)
  return {
    status: 200,
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id, result: { content, structuredContent: result } }),
  }
}

/** Replaces what the server answers by a refusal in `messages`. */
export function withRefusal(answer: RawAnswer, call: SeenCall, code: string): RawAnswer {
  const message = { type: 'error', code, content: 'This is not possible.', severity: 'recoverable' }
  return withResult(answer, call, { usp: { version: '2026-08-20' }, messages: [message] })
}

/** The result of an answer, also one that has an error message. Undefined for a protocol error. */
export function resultOf(answer: RawAnswer, { binding }: SeenCall): Members | undefined {
  const members = membersOf(answer)
  if (binding === 'rest') return answer.status < 300 ? members : undefined
  return asMembers(asMembers(members.result)?.structuredContent)
}

/** The code of an error message or of a protocol error, over either binding. */
export function codeOf(answer: RawAnswer, call: SeenCall): string | undefined {
  const messages = resultOf(answer, call)?.messages
  const message = Array.isArray(messages) ? messages.map(asMembers).find((one) => one?.type === 'error') : undefined
  const members = membersOf(answer)
  const code = message?.code ?? members.code ?? asMembers(asMembers(members.error)?.data)?.code
  return typeof code === 'string' ? code : undefined
}

/** The booking of a result, without an error message. */
export const bookingOf = (result: Members | undefined): Members => asMembers(result?.booking) ?? {}

/** Changes the booking of a result that has one. */
export function withBooking(result: Members, change: (booking: Members) => Members | undefined): Members | undefined {
  const booking = asMembers(result.booking)
  const changed = booking && change(booking)
  return changed && { ...result, booking: changed }
}

/** The members that MCP has in `_meta.usp` and REST in headers. */
const metaOf = ({ input }: SeenCall): Members => asMembers(asMembers(input._meta)?.usp) ?? {}

export const platformOf = (call: SeenCall): string => String(call.headers['usp-agent'] ?? metaOf(call).profile)

export const isConditional = (call: SeenCall): boolean => 'if-match' in call.headers || 'if_match' in metaOf(call)

export const keyOf = (call: SeenCall): string | undefined => {
  const key = call.headers['idempotency-key'] ?? metaOf(call).idempotency_key
  return typeof key === 'string' ? key : undefined
}

/** Remembers the members under a key, and returns what was remembered before. */
export function recall(memory: Memory, key: string, members: Members): Members | undefined {
  const before = asMembers(memory.get(key))
  memory.set(key, members)
  return before
}

function membersOf({ body }: RawAnswer): Members {
  try {
    return asMembers(JSON.parse(body)) ?? {}
  } catch {
    return {}
  }
}
