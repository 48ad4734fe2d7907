import type { Ajv2020 } from 'ajv/dist/2020.js'
import { canonical } from './canonical.ts'

/** Ajv compares each item with every other, and does so before it looks whether there are too many. */
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
