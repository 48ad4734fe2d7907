import type { CheckContext } from '../run/check-context.ts'
import { expectTrue } from '../run/expectations.ts'

/** Milliseconds. An attacked server must answer others within this time. */
const MAX_ANSWER_MS = 3_000

/** Requires that the server answers an ordinary call at once. */
export async function expectStillServes(c: CheckContext): Promise<void> {
  const start = performance.now()
  ;(await c.anonymous.call('listServices', { pagination: { limit: 1 } })).success()
  const milliseconds = Math.round(performance.now() - start)
  expectTrue(milliseconds < MAX_ANSWER_MS, `an answer within ${MAX_ANSWER_MS} ms`, `an answer after ${milliseconds} ms`)
}
