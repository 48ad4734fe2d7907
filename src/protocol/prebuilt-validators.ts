import type { ValidateFunction } from 'ajv'

/**
 * Validators of all schemas, by the digest of the schema. The map is empty in the sources. The build
 * (`scripts/compile-validators.ts`) replaces this file by compiled validators, so that a built server starts faster.
 */
export const prebuiltValidators: ReadonlyMap<string, ValidateFunction> = new Map()
