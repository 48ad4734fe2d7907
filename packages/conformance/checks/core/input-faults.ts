import type { Answer } from '../../caller/answer.ts'
import { expectTrue } from '../../run/expectations.ts'

/** Requires that the server refuses an input without a required member. The refusal must name the member. */
export function expectMissing(answer: Answer, member: string): void {
  const { members } = answer.failsWith('invalid_request')
  expectNamed(members, member)
}

/**
 * Requires that the server refuses an input with an invalid value. If `member` has a value, the refusal must name this
 * member.
 */
export function expectInvalid(answer: Answer, member?: string): void {
  const { members } = answer.failsWith('validation_error')
  if (member !== undefined) expectNamed(members, member)
}

/** Requires that the server refuses an input. The server may call the input incomplete or invalid. */
export function expectMissingOrInvalid({ error }: Answer, input: string): void {
  const isRefused = error?.code === 'invalid_request' || error?.code === 'validation_error'
  expectTrue(isRefused, `a refusal of ${input} with invalid_request or validation_error`, error?.code)
}

export function expectCursorRefused(answer: Answer): void {
  answer.failsWith('cursor_expired', { rest: 400, mcp: -32602 })
}

function expectNamed(members: object, member: string): void {
  expectTrue(JSON.stringify(members).includes(member), `a refusal that names ${member}`, members)
}
