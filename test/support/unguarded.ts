import { guarded, withoutGuard } from '../../src/interfaces/http/route-guards.ts'

export const unguarded = guarded('other', withoutGuard('a test'))
