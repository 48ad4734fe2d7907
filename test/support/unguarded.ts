import { guarded, open } from '../../src/interfaces/http/guards.ts'

/** Of a route that a test adds. */
export const unguarded = guarded('other', open('a test'))
