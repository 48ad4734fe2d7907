import type { Answer, Members } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import type { OperationName } from '../../caller/operations.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { Skip } from '../../run/mismatch.ts'

/**
 * Makes the same call over REST and over MCP, and returns both answers. Skips the check if the business has no MCP
 * endpoint.
 */
export async function overBoth(
  { target }: CheckContext,
  caller: Caller,
  name: OperationName,
  input: Members = {},
): Promise<[rest: Answer, mcp: Answer]> {
  if (!target.bindings.includes('mcp')) throw new Skip('The business has no MCP endpoint.')
  const rest = await caller.call(name, input, { binding: 'rest' })
  return [rest, await caller.call(name, input, { binding: 'mcp' })]
}
