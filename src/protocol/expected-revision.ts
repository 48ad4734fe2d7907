import { asRecord } from '../infra/util/object-members.ts'
import type { Call } from './define-operation.ts'

/**
 * Returns the revision of the object that the caller last read. REST callers send it in the header `If-Match`, with or
 * without quotes. MCP callers send it in `_meta.usp.if_match` of the tool call.
 */
export function preconditionOf({ binding, headers, meta }: Call): string | undefined {
  const value: unknown = binding === 'mcp' ? asRecord(asRecord(meta).usp).if_match : headers['if-match']
  if (value === undefined) return undefined
  return String(value)
}

/**
 * Whether the value of `If-Match` contains this revision or `*`, which allows any revision. The value can list several
 * revisions (RFC 9110).
 */
export const isRevisionAllowed = (ifMatch: string | undefined, revision: string): boolean =>
  ifMatch === undefined || ifMatch.split(',').some((one) => ['*', revision].includes(unquoted(one.trim())))

const unquoted = (tag: string) => tag.replace(/^(?:W\/)?"(.*)"$/, '$1')
