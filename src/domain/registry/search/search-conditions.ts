import { type RawBuilder, sql } from 'kysely'
import type { ExpandedQuery } from './expanded-query.ts'
import { isWholeWorld, mayLieIn, type SearchCircle } from './search-circle.ts'

/** What both searches look for; without words or a circle everywhere and under any name. */
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

/** From the middle to the nearest of the points. */
export const metresTo = (circle: SearchCircle | undefined, points: RawBuilder<unknown>): RawBuilder<unknown> =>
  circle
    ? sql`select min(metres_between(${circle.lat}, ${circle.lng}, point[1], point[0])) as metres
        from unnest(${points}) as point`
    : sql`select 0 as metres`

/** An index tells what may lie within, and the distance what does; around the world lies what is anywhere. */
export const liesWithin = (circle: SearchCircle, place: RawBuilder<unknown>): RawBuilder<unknown> =>
  isWholeWorld(circle)
    ? sql`${place} is not null`
    : sql`(${sql.join(mayLieIn(circle, place, '<@'), sql` or `)}) and ${isNear(circle)}`

export const isNear = ({ metres }: SearchCircle): RawBuilder<boolean> => sql`metres <= ${metres}::double precision`

/**
 * Which areas an index can tell to be near, in parts that have nothing in common: an index that goes by days knows one
 * box, and for either of two would be read from end to end.
 */
export function areasOf(circle: SearchCircle | undefined): RawBuilder<unknown>[] {
  if (circle === undefined) return [sql`true`]
  if (isWholeWorld(circle)) return [sql`area is not null`]
  const boxes = mayLieIn(circle, sql`area`, '&&')
  return boxes.map((box, nth) => allOf(box, ...boxes.slice(0, nth).map((other) => sql`not ${other}`)))
}
