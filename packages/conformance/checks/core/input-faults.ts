import type { Answer } from '../../caller/answer.ts'
import { expectTrue } from '../../run/expectations.ts'

/** Requires that the server refuses an input without a required member, and that the refusal names the member. */
export function expectMissing(answer: Answer, member: string): void {
  const { members } = answer.failsWith('invalid_request', { rest: 400, mcp: -32600 })
  expectNamed(members, member)
}

/** Requires that the server refuses an input with a wrong value, and that the refusal names the member, if given. */
export function expectInvalid(answer: Answer, member?: string): void {
  const { members } = answer.failsWith('validation_error', { rest: 422, mcp: -32602 })
  if (member !== undefined) expectNamed(members, member)
}

export function expectCursorRefused(answer: Answer): void {
  answer.failsWith('cursor_expired', { rest: 400, mcp: -32602 })
}

function expectNamed(members: object, member: string): void {
  expectTrue(JSON.stringify(members).includes(member), `a refusal that names ${member}`, members)
}
