import { type RawBuilder, sql } from 'kysely'
import type { ExpandedQuery } from './expanded-query.ts'
import { isWholeWorld, mayLieIn, type SearchCircle } from './search-circle.ts'

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
