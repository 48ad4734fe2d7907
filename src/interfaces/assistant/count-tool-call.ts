import { countInMinute, headersOf } from '../../core/limits/rate-limits.ts'
import { assistantAt } from '../../pipeline/visitor.ts'
import type { McpContext } from '../mcp/mcp-context.ts'
import { type AssistantDependencies, ToolError } from './tool.ts'

/** Limits tool calls a minute, by account or by network. Each call counts once, even if it runs several operations. */
export async function countToolCall(
  { peer, assistant, answerHeaders }: Pick<McpContext, 'peer' | 'assistant' | 'answerHeaders'>,
  means: AssistantDependencies,
): Promise<void> {
  const { network, limits, reportLimit } = await assistantAt(peer.address, assistant, means)
  const allowance = await countInMinute(means.db, `tools ${network}`, limits.calls, means.clock())
  Object.assign(answerHeaders, headersOf(allowance))
  if (allowance.remaining >= 0) return
  reportLimit('calls')
  const { limit, reset } = allowance
  answerHeaders['retry-after'] = String(reset)
  const whose = assistant ? '' : ' from your network, which others may share'
  throw new ToolError(`More than ${limit} calls in a minute${whose}. Try again in ${reset} seconds.`, {
    retry_after: reset,
  })
}
