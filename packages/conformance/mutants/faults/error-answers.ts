import { asMembers, type Members } from '../../caller/answer.ts'
import type { RawAnswer, SeenCall } from '../fault.ts'

const USP = { version: '2026-08-20' }

export function jsonOf(body: string): Members {
  try {
    return asMembers(JSON.parse(body)) ?? {}
  } catch {
    return {}
  }
}

/** The code of a refusal, over either binding. */
export function codeOf({ body }: RawAnswer): unknown {
  const json = jsonOf(body)
  return asMembers(asMembers(json.error)?.data)?.code ?? json.code
}

/** Whether the answer refuses a call because it names something that is not there, over either binding. */
export const isNotFound = (answer: RawAnswer) => String(codeOf(answer)).endsWith('not_found')

/** The success that a server gives which forgot to refuse the call. */
export function success({ body }: RawAnswer, { binding }: SeenCall, members: Members = {}): RawAnswer {
  const result = { usp: USP, ...members }
  const content = [{ type: 'text', text: 'Done.' }]
  const message = { jsonrpc: '2.0', id: jsonOf(body).id ?? null, result: { content, structuredContent: result } }
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(binding === 'mcp' ? message : result),
  }
}

/** The same refusal with another code, and another status on REST. */
export function withCode(answer: RawAnswer, { binding }: SeenCall, code: string, status: number): RawAnswer {
  const json = jsonOf(answer.body)
  if (binding === 'rest') return { ...answer, status, body: JSON.stringify({ ...json, code, status }) }
  const error = asMembers(json.error)
  const data = { ...asMembers(error?.data), code }
  return { ...answer, body: JSON.stringify({ ...json, error: { ...error, data } }) }
}

export const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value : [])
