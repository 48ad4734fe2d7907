import type { RawBuilder } from 'kysely'
import { canonical } from '../../../protocol/json.ts'
import { fittingPage } from '../../../protocol/limit-page-size.ts'
import type { Context } from '../../../protocol/operation.ts'
import { type ExpandedQuery, limitSearches, ranksOf } from './expanded-query.ts'

export const PAGE = { usual: 20, most: 100 }
/** Seconds that the cursor of a search is valid. Clients read the pages of a list within minutes. */
const CURSOR_SECONDS = 60 * 60

interface PageRequest {
  pagination?: { cursor?: string | null; limit?: number }
}

interface Found {
  position: [rank: number, ...others: unknown[]]
}

interface Step<Row extends Found> {
  expanded: ExpandedQuery | undefined
  after: Row['position'] | undefined
  limit: number
}

/**
 * Reads a page of results, part by part, best matches first. The server reads one row more than it shows, to find out
 * whether there are more results.
 */
export async function pageOf<Row extends Found, Result>(
  operation: string,
  { input: { pagination = {}, ...criteria }, db, cursors, now }: Context<PageRequest>,
  parts: (ExpandedQuery | undefined)[],
  { search, toResult }: { search(step: Step<Row>): RawBuilder<Row>; toResult(row: Row): Result },
) {
  const scope = canonical([operation, criteria])
  const limit = Math.min(pagination.limit ?? PAGE.usual, PAGE.most)
  const start = pagination.cursor
    ? (cursors.open(scope, pagination.cursor, now, CURSOR_SECONDS) as Row['position'])
    : undefined
  const found: Row[] = []
  for (const expanded of parts) {
    const { best, least } = ranksOf(expanded)
    if (found.length > limit || (start && start[0] > least)) continue
    const after = start && start[0] >= best ? start : undefined
    const step = search({ expanded, after, limit: limit + 1 - found.length })
    const { rows } = await limitSearches(() => step.execute(db))
    found.push(...rows)
  }
  const { page, end } = fittingPage(found, limit, toResult)
  return {
    page,
    pagination: { cursor: end ? cursors.seal(scope, end.position, now) : null, has_more: end !== undefined },
  }
}
