import type { ValidateFunction } from 'ajv'

/**
 * The validators of all schemas, by the digest of the schema. The map is empty in the sources. In the npm package, it
 * contains the validators that `npm run build` compiled (`scripts/compile-validators.ts`), so that the server starts
 * faster and needs less memory.
 */
export const prebuiltValidators: ReadonlyMap<string, ValidateFunction> = new Map()
