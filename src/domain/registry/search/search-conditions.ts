import { type RawBuilder, sql } from 'kysely'
import type { RangeMatchMode } from '../../../protocol/types.generated.ts'
import type { ExpandedQuery } from './expanded-query.ts'
import { isLocal, isWholeWorld, mayLieIn, type SearchCircle } from './search-circle.ts'

/** Criteria of both searches. Without words or a circle, every name or place matches. */
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
 * The index selects candidates by box, and the distance decides. A circle around the whole world only requires a place.
 */
export const liesWithin = (circle: SearchCircle, place: RawBuilder<unknown>): RawBuilder<unknown> =>
  isWholeWorld(circle)
    ? sql`${place} is not null`
    : sql`(${sql.join(mayLieIn(circle, place, '<@'), sql` or `)}) and ${isNear(circle)}`

export const isNear = ({ metres }: SearchCircle): RawBuilder<boolean> => sql`metres <= ${metres}::double precision`

/**
 * Disjoint conditions on areas, one for each box. The index on days and areas supports one box; with two it would be
 * scanned from end to end.
 */
export function areasOf(circle: SearchCircle | undefined): RawBuilder<unknown>[] {
  if (circle === undefined) return [sql`true`]
  if (isWholeWorld(circle)) return [sql`area is not null`]
  const boxes = mayLieIn(circle, sql`area`, '&&')
  return boxes.map((box, nth) => allOf(box, ...boxes.slice(0, nth).map((other) => sql`not ${other}`)))
}

/**
 * Limit for the index of areas. It compares each category with all services in the circle, so more categories are
 * slower than a global lookup.
 */
const MAX_LOCAL_CATEGORIES = 8

/**
 * Near a place, the index of areas includes the categories. Otherwise, or with many categories, they have a separate
 * index.
 */
export const hasCategory = (categories: string[], circle: SearchCircle | undefined): RawBuilder<boolean> =>
  isLocal(circle) && categories.length <= MAX_LOCAL_CATEGORIES
    ? sql`array_to_tsvector(array_replace(category_ids, '', ' ')) @@ ${anyOf(categories)}::tsquery
        and ${isOverlap(categories)}`
    : sql`category_ids && ${categories}::text[]`

/**
 * A function instead of an operator: PostgreSQL must not read the global index of categories in addition to the index
 * of areas.
 */
const isOverlap = (categories: string[]) => sql`arrayoverlap(category_ids, ${categories}::text[])`

const anyOf = (categories: string[]) => categories.map(lexeme).join(' | ')

/** A lexeme cannot be empty, so a space stands for an empty id. */
const lexeme = (category: string) => `'${category === '' ? ' ' : category.replaceAll(/['\\]/g, '$&$&')}'`

/** Bounds of a filter, both inclusive; undefined is open. */
interface Bounds {
  low: number | undefined
  high: number | undefined
  match: RangeMatchMode | undefined
}

type Column = RawBuilder<unknown>

/** Compares the range `from` to `to` of a service with the bounds. An unknown range fits no filter. */
export function fitsBounds(from: Column, to: Column, { low, high, match = 'overlap' }: Bounds): RawBuilder<boolean> {
  return sql`(${from} is not null and ${compared[match](from, to, low, high)})`
}

const atLeast = (column: Column, bound: number | undefined) =>
  bound === undefined ? sql`true` : sql`${column} >= ${bound}::numeric`
const atMost = (column: Column, bound: number | undefined) =>
  bound === undefined ? sql`true` : sql`${column} <= ${bound}::numeric`

/** No range of a service covers or equals an open side. */
const isOpen = (low: number | undefined, high: number | undefined) => low === undefined || high === undefined

const compared: Record<RangeMatchMode, (from: Column, to: Column, low?: number, high?: number) => Column> = {
  overlap: (from, to, low, high) => sql`${atLeast(to, low)} and ${atMost(from, high)}`,
  contained: (from, to, low, high) => sql`${atLeast(from, low)} and ${atMost(to, high)}`,
  contains: (from, to, low, high) =>
    isOpen(low, high) ? sql`false` : sql`${atMost(from, low)} and ${atLeast(to, high)}`,
  equals: (from, to, low, high) =>
    isOpen(low, high) ? sql`false` : sql`${from} = ${low}::numeric and ${to} = ${high}::numeric`,
}
