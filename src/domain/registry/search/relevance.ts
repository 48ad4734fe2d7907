import { type RawBuilder, sql } from 'kysely'
import { type ExpandedQuery, LEVELS, ranksOf } from './expanded-query.ts'
import { isWholeWorld, type SearchCircle } from './search-circle.ts'

/**
 * A ring is a part of the searched circle. The relevance of a result depends on the match level of its words and on its
 * ring. Availability orders only results with equal relevance.
 */
export type Ring = 'inner' | 'outer'

const RINGS = 2
/** The radius of the inner ring in meters, if a search near a place names no radius. */
const INNER_OF_WORLD = 50_000

export const innerMetres = (circle: SearchCircle): number => (isWholeWorld(circle) ? INNER_OF_WORLD : circle.metres / 2)

/** One query of a search, with the best and the worst relevance of its results. */
export interface SearchPart {
  expanded: ExpandedQuery | undefined
  /** The ring of the results. Undefined means both rings. */
  ring: Ring | undefined
  ranks: { best: number; least: number }
}

export function searchPart(expanded: ExpandedQuery | undefined, ring: Ring | undefined): SearchPart {
  const { best, least } = ranksOf(expanded)
  return {
    expanded,
    ring,
    ranks: { best: best * RINGS + (ring === 'outer' ? 1 : 0), least: least * RINGS + (ring === 'inner' ? 0 : 1) },
  }
}

/** The rank of a result as a number, as SQL. 0 is the best rank. */
export function relevanceRank(
  level: RawBuilder<number>,
  { ring, circle }: { ring: Ring | undefined; circle: SearchCircle | undefined },
): RawBuilder<number> {
  if (!circle || ring === 'inner') return sql`(${level}) * ${sql.lit(RINGS)}`
  if (ring === 'outer') return sql`(${level}) * ${sql.lit(RINGS)} + 1`
  return sql`(${level}) * ${sql.lit(RINGS)} + (metres > ${innerMetres(circle)}::double precision)::integer`
}

/** The relevance of a rank: 1 for the best rank, and above 0 for all other ranks. */
export const relevanceOf = (rank: number): number => 1 - rank / (LEVELS.length * RINGS)
