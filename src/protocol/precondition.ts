import { asRecord } from '../infra/util/object-members.ts'
import type { Call } from './operation.ts'

/**
 * The revision that a change expects. REST sends it in the header `If-Match`, with or without quotes; MCP sends it as
 * `_meta.usp.if_match` of a tool call.
 */
export function preconditionOf({ binding, headers, meta }: Call): string | undefined {
  const value: unknown = binding === 'mcp' ? asRecord(asRecord(meta).usp).if_match : headers['if-match']
  if (value === undefined) return undefined
  return String(value)
}

/** Whether the header `If-Match` allows this revision. A list in the header contains alternatives, as in RFC 9110. */
export const isRevisionAllowed = (ifMatch: string | undefined, revision: string): boolean =>
  ifMatch === undefined || ifMatch.split(',').some((one) => ['*', revision].includes(unquoted(one.trim())))

const unquoted = (tag: string) => tag.replace(/^(?:W\/)?"(.*)"$/, '$1')
