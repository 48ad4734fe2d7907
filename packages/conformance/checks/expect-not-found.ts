import type { Answer } from '../caller/answer.ts'
import { expectTrue } from '../run/expectations.ts'

/** Requires a 404 over REST, and an error over MCP. */
export function expectNotFound(answer: Answer, what: string): void {
  const isError = answer.binding === 'rest' ? answer.status === 404 : answer.error !== undefined
  expectTrue(isError, `${what} not to be found`, `HTTP ${answer.status} ${answer.error?.code ?? 'with a result'}`)
}
