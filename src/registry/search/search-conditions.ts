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
export const liesWithin = (
  circle: SearchCircle,
  column: RawBuilder<unknown>,
  operator: '<@' | '&&',
): RawBuilder<unknown> =>
  isWholeWorld(circle)
    ? sql`${column} is not null`
    : sql`${mayLieIn(circle, column, operator)} and metres <= ${circle.metres}::double precision`
