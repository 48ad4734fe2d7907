import type { ValidateFunction } from 'ajv'

/**
 * The validators of all schemas, by the digest of the schema. The map is empty in the sources. The build replaces this
 * file by the validators that it compiled (`scripts/compile-validators.ts`). A built server therefore starts faster.
 */
export const prebuiltValidators: ReadonlyMap<string, ValidateFunction> = new Map()
