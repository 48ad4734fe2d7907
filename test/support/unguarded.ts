import { guarded, open } from '../../src/interfaces/http/guards.ts'

export const unguarded = guarded('other', open('a test'))
