import type { ObjectSchema } from '../../protocol/operation.ts'
import { selfContained } from '../../protocol/schemas.ts'

/** Models count no letters. Whoever goes beyond is told so in a sentence, and all others need not read of it. */
const UNTOLD = new Set(['minLength', 'maxLength', 'pattern', 'anyOf', 'uniqueItems'])

/** What a tool takes, as the list says it. */
export const toldSchema = (input: ObjectSchema): { type: 'object' } => ({
  ...JSON.parse(JSON.stringify(selfContained(input), (name, value) => (UNTOLD.has(name) ? undefined : value))),
  type: 'object',
})
