import { guarded, withoutGuard } from '../../src/interfaces/http/guards.ts'

export const unguarded = guarded('other', withoutGuard('a test'))
