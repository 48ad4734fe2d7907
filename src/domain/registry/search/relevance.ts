import { type RawBuilder, sql } from 'kysely'
import { type ExpandedQuery, LEVELS, ranksOf } from './expand-search-words.ts'
import { isWholeWorld, type SearchCircle } from './search-circle.ts'

/**
 * A search near a location divides its circle on the map into an inner and an outer ring. The relevance of a result
 * depends on its ring and on its match with the search words. Availability decides the order only between results of
 * equal relevance.
 */
export type Ring = 'inner' | 'outer'

export const RINGS = 2
/** The radius of the inner ring in meters, if a search near a location states no radius. */
const INNER_OF_WORLD = 50_000

export const innerMetres = (circle: SearchCircle): number => (isWholeWorld(circle) ? INNER_OF_WORLD : circle.metres / 2)

/**
 * One of the SQL queries of a search, with the best and the worst rank of its results. A search can consist of several
 * SQL queries.
 */
export interface SearchPart {
  expanded: ExpandedQuery | undefined
  /** The ring around the searched location that this query covers. Undefined means both rings. */
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

/** Makes an SQL expression for the rank of a result by relevance. 0 is the best rank. */
export function relevanceRank(
  level: RawBuilder<number>,
  { ring, circle }: { ring: Ring | undefined; circle: SearchCircle | undefined },
): RawBuilder<number> {
  if (!circle || ring === 'inner') return sql`(${level}) * ${sql.lit(RINGS)}`
  if (ring === 'outer') return sql`(${level}) * ${sql.lit(RINGS)} + 1`
  return sql`(${level}) * ${sql.lit(RINGS)} + (metres > ${innerMetres(circle)}::double precision)::integer`
}

/** Converts a rank to a relevance: 1 for the best rank, and a value between 0 and 1 for all other ranks. */
export const relevanceOf = (rank: number): number => 1 - rank / (LEVELS.length * RINGS)
