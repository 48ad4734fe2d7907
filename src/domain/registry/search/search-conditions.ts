import { type RawBuilder, sql } from 'kysely'
import type { RangeMatchMode } from '../../../protocol/types.generated.ts'
import type { ExpandedQuery } from './expand-search-words.ts'
import { isLocal, isWholeWorld, mayLieIn, type SearchCircle } from './search-circle.ts'

/**
 * The criteria that searches for businesses and searches for services share. A search without words matches every name,
 * and a search without a circle on the map matches every location.
 */
export interface Search {
  expanded: ExpandedQuery | undefined
  circle: SearchCircle | undefined
  verticals: string[]
  categories: string[]
  limit: number
}

type Condition = RawBuilder<unknown> | false | undefined

export const allOf = (...conditions: Condition[]): RawBuilder<boolean> =>
  sql.join([sql`true`, ...conditions.filter((one) => one !== undefined && one !== false)], sql` and `)

export const metresTo = (circle: SearchCircle | undefined, points: RawBuilder<unknown>): RawBuilder<unknown> =>
  circle
    ? sql`select min(metres_between(${circle.lat}, ${circle.lng}, point[1], point[0])) as metres
        from unnest(${points}) as point`
    : sql`select 0 as metres`

/**
 * Makes an SQL condition that is true if a location lies in the circle of the search. The condition first uses an index
 * to find the locations in the boxes around the circle. Then it compares the exact distance. A worldwide search accepts
 * every location.
 */
export const liesWithin = (circle: SearchCircle, place: RawBuilder<unknown>): RawBuilder<unknown> =>
  isWholeWorld(circle)
    ? sql`${place} is not null`
    : sql`(${sql.join(mayLieIn(circle, place, '<@'), sql` or `)}) and ${isNear(circle)}`

export const isNear = ({ metres }: SearchCircle): RawBuilder<boolean> => sql`metres <= ${metres}::double precision`

/**
 * Makes one SQL condition for each box around the circle of a search. Each indexed area meets at most one of these
 * conditions, so each condition can be a separate query. For a single query with both boxes, PostgreSQL would scan the
 * whole index.
 */
export function areasOf(circle: SearchCircle | undefined): RawBuilder<unknown>[] {
  if (circle === undefined) return [sql`true`]
  if (isWholeWorld(circle)) return [sql`area is not null`]
  const boxes = mayLieIn(circle, sql`area`, '&&')
  return boxes.map((box, nth) => allOf(box, ...boxes.slice(0, nth).map((other) => sql`not ${other}`)))
}

/**
 * A search near a location with at most this many categories uses the index of areas. That index compares each category
 * with all services in the circle. With more categories, the separate index of categories is faster.
 */
const MAX_LOCAL_CATEGORIES = 8

/**
 * Makes an SQL condition that is true if a service has one of the categories. A search near a location uses the index
 * of areas, which also contains the categories. Worldwide searches, and searches for many categories, use a separate
 * index.
 */
export const hasCategory = (categories: string[], circle: SearchCircle | undefined): RawBuilder<boolean> =>
  isLocal(circle) && categories.length <= MAX_LOCAL_CATEGORIES
    ? sql`array_to_tsvector(array_replace(category_ids, '', ' ')) @@ ${anyOf(categories)}::tsquery
        and ${isOverlap(categories)}`
    : sql`category_ids && ${categories}::text[]`

/**
 * Makes an SQL condition that is true if a service has one of the categories. The condition calls the function
 * `arrayoverlap`, because with the operator `&&` PostgreSQL would also read the separate index of categories.
 */
const isOverlap = (categories: string[]) => sql`arrayoverlap(category_ids, ${categories}::text[])`

const anyOf = (categories: string[]) => categories.map(lexeme).join(' | ')

/**
 * Converts a category id to a lexeme (a search word of PostgreSQL). A lexeme cannot be empty, so a space stands for an
 * empty id.
 */
const lexeme = (category: string) => `'${category === '' ? ' ' : category.replaceAll(/['\\]/g, '$&$&')}'`

/** The lowest and the highest value that a search filter accepts. An undefined value means no limit on that side. */
interface Bounds {
  low: number | undefined
  high: number | undefined
  match: RangeMatchMode | undefined
}

type Column = RawBuilder<unknown>

/**
 * Makes an SQL condition that compares a value range of a service, such as its prices, with the limits of a search
 * filter. A service with an unknown range does not match.
 */
export function fitsBounds(from: Column, to: Column, { low, high, match = 'overlap' }: Bounds): RawBuilder<boolean> {
  return sql`(${from} is not null and ${compared[match](from, to, low, high)})`
}

const atLeast = (column: Column, bound: number | undefined) =>
  bound === undefined ? sql`true` : sql`${column} >= ${bound}::numeric`
const atMost = (column: Column, bound: number | undefined) =>
  bound === undefined ? sql`true` : sql`${column} <= ${bound}::numeric`

/**
 * Whether a search filter has no limit on one side. The range of a service is always finite, so it can never contain or
 * equal such a filter.
 */
const isOpen = (low: number | undefined, high: number | undefined) => low === undefined || high === undefined

const compared: Record<RangeMatchMode, (from: Column, to: Column, low?: number, high?: number) => Column> = {
  overlap: (from, to, low, high) => sql`${atLeast(to, low)} and ${atMost(from, high)}`,
  contained: (from, to, low, high) => sql`${atLeast(from, low)} and ${atMost(to, high)}`,
  contains: (from, to, low, high) =>
    isOpen(low, high) ? sql`false` : sql`${atMost(from, low)} and ${atLeast(to, high)}`,
  equals: (from, to, low, high) =>
    isOpen(low, high) ? sql`false` : sql`${from} = ${low}::numeric and ${to} = ${high}::numeric`,
}
