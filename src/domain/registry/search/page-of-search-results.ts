import type { RawBuilder } from 'kysely'
import { mapWithYields } from '../../../infra/util/yield-to-event-loop.ts'
import type { Context } from '../../../protocol/define-operation.ts'
import { fittingPage } from '../../../protocol/limit-page-size.ts'
import { cursorExpired } from '../../../protocol/page-cursors.ts'
import { canonical } from '../../../protocol/parse-json-safely.ts'
import { limitSearches } from './expand-search-words.ts'
import type { IndexState } from './search-index-state.ts'

export const PAGE = { usual: 20, most: 100 }
/** A search cursor is valid for this many seconds. Clients usually read all pages of a search within minutes. */
const CURSOR_SECONDS = 60 * 60

interface PageRequest {
  pagination?: { cursor?: string | null; limit?: number }
}

interface Found {
  position: [rank: number, ...others: unknown[]]
}

/**
 * One of the SQL queries of a search, with the best and the worst rank of its results. A search can consist of several
 * SQL queries.
 */
interface Part {
  ranks: { best: number; least: number }
}

/** The values that are the same for all pages of one search. The search cursor contains these values. */
interface Sequence {
  /**
   * The instant when the server made the first page, in milliseconds since 1970. Later pages rank their results for the
   * same instant.
   */
  at: number
  state: IndexState
}

interface Step<Row extends Found, SpecificPart extends Part> {
  part: SpecificPart
  after: Row['position'] | undefined
  limit: number
  /** The instant when the server made the first page of the search, in milliseconds since 1970. */
  at: number
  /** The state of the search index at the first page. Later pages show the same state. Undefined for the first page. */
  state: IndexState | undefined
}

/**
 * A search result together with the state of the search index. A search without results returns a single row that
 * contains only the state.
 */
type RowWithState<Row> = Partial<Row> & { state: IndexState }

interface Reader<Row extends Found, SpecificPart extends Part, Result> {
  search(step: Step<Row, SpecificPart>): RawBuilder<RowWithState<Row>>
  toResult(row: Row, at: number): Result
}

/**
 * Reads a page of search results. The function runs the queries of the search one after the other, best matches first.
 * It reads one row more than the page shows, to find out whether another page follows.
 */
export async function pageOf<Row extends Found, SpecificPart extends Part, Result>(
  operation: string,
  { input: { pagination = {}, ...criteria }, db, cursors, now }: Context<PageRequest>,
  parts: SpecificPart[],
  { search, toResult }: Reader<Row, SpecificPart, Result>,
) {
  const scope = canonical([`${operation} 2`, criteria])
  const limit = Math.min(pagination.limit ?? PAGE.usual, PAGE.most)
  const opened = pagination.cursor
    ? (cursors.open(scope, pagination.cursor, now, CURSOR_SECONDS) as [Sequence, Row['position']])
    : undefined
  const [sequence, start] = opened ?? []
  const at = sequence?.at ?? now.getTime()
  if (now.getTime() - at > CURSOR_SECONDS * 1000) throw cursorExpired()
  let state = sequence?.state
  const found: Row[] = []
  for (const part of parts) {
    const { best, least } = part.ranks
    if (found.length > limit || (start && start[0] > least)) continue
    const after = start && start[0] >= best ? start : undefined
    const step = search({ part, after, limit: limit + 1 - found.length, at, state })
    const { rows } = await limitSearches(() => step.execute(db))
    state ??= rows[0]?.state
    found.push(...rows.filter(isFound))
  }
  const results = await mapWithYields(found, (row) => ({ position: row.position, result: toResult(row, at) }))
  const { page, end } = fittingPage(results, limit, ({ result }) => result)
  const cursor = end && state ? cursors.seal(scope, [{ at, state }, end.position], now) : null
  return { page, pagination: { cursor, has_more: cursor !== null } }
}

const isFound = <Row extends Found>(row: RowWithState<Row>): row is RowWithState<Row> & Row => row.position !== null
