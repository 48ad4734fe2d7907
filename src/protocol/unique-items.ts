import type { Ajv2020 } from 'ajv/dist/2020.js'
import { canonical } from './canonical.ts'

/** Ajv's own keyword compares each item with all others, even when there are too many items. This one takes linear time. */
export function addUniqueItems(ajv: Ajv2020) {
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isWanted: boolean, items: unknown[]) => !isWanted || new Set(items.map(canonical)).size === items.length,
    error: { message: 'must NOT have duplicate items' },
  })
}
