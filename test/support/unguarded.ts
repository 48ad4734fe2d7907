import { guarded, open } from '../../src/interfaces/http/guards.ts'

/** The guard for a route that a test adds. */
export const unguarded = guarded('other', open('a test'))
