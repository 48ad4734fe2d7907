import type { ObjectSchema } from '../../protocol/operation.ts'
import { selfContained } from '../../protocol/schemas.ts'

/**
 * Removed from published schemas to save tokens: models do not count characters.
 * A call that breaks one of these rules gets an error that explains it.
 */
const UNPUBLISHED_KEYWORDS = new Set(['minLength', 'maxLength', 'pattern', 'anyOf', 'uniqueItems'])

/** The input schema of a tool as `tools/list` publishes it. */
export const publishedSchema = (input: ObjectSchema): { type: 'object' } => ({
  ...JSON.parse(
    JSON.stringify(selfContained(input), (name, value) => (UNPUBLISHED_KEYWORDS.has(name) ? undefined : value)),
  ),
  type: 'object',
})
