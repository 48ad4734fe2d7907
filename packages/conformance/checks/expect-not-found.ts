import type { Answer } from '../caller/answer.ts'
import { expectTrue } from '../run/expectations.ts'

/** Requires HTTP 404 over REST, or an error over MCP. */
export function expectNotFound(answer: Answer, what: string): void {
  const isError = answer.binding === 'rest' ? answer.status === 404 : answer.error !== undefined
  expectTrue(isError, `a not-found error for ${what}`, `HTTP ${answer.status} ${answer.error?.code ?? 'with a result'}`)
}
