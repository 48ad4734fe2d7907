import { type RawBuilder, sql } from 'kysely'
import type { RegistryEntry } from '../../../protocol/types.generated.ts'
import type { Registration } from '../listings/registration-response.ts'
import { matchesQuery, rankOf } from './expand-search-words.ts'
import { allOf, liesWithin, metresTo, type Search } from './search-conditions.ts'

export interface BusinessSearch extends Search {
  deploymentMode: string | undefined
  after: BusinessPosition | undefined
}

export type BusinessPosition = [rank: number, metres: number, number: number]

export interface FoundBusiness extends Pick<Registration, keyof RegistryEntry> {
  position: BusinessPosition
}

/**
 * Makes the SQL query that searches for businesses. The best match comes first, then the nearest business, then the
 * earliest registration.
 */
export function businessSearch(search: BusinessSearch): RawBuilder<FoundBusiness> {
  const { expanded, circle, verticals, categories, deploymentMode, after, limit } = search
  return sql`
    select *, json_build_array(rank, metres, number) as position from (
      select r.id, profile_url, deployment_mode, name, description, verticals, categories, location, timezone, status,
        created_at, ${rankOf(expanded)} as rank, metres, number
      from registrations r cross join lateral (${metresTo(circle, sql`array[r.place]`)}) distance
      where status = 'active' and ${allOf(
        expanded && matchesQuery(expanded),
        circle && liesWithin(circle, sql`place`),
        verticals.length > 0 && sql`verticals && ${verticals}::text[]`,
        categories.length > 0 && sql`categories && ${categories}::text[]`,
        deploymentMode !== undefined && sql`deployment_mode = ${deploymentMode}`,
      )}
    ) found
    ${after ? sql`where (rank, metres, number) > (${after[0]}::integer, ${after[1]}::integer, ${after[2]}::integer)` : sql``}
    order by rank, metres, number limit ${limit}`
}
