import { type RawBuilder, sql } from 'kysely'
import type { DesiredServiceTimePreference } from '../../../protocol/types.generated.ts'

/**
 * A period in which the buyer wants to start, from `from` to `to`, both included. Both are instants in milliseconds
 * since 1970.
 */
export interface WantedTime {
  from: number
  to: number
  /** Whether the buyer wants only the first possible start at or after `from`. */
  isMoment: boolean
}

/**
 * The end of a wanted period if the buyer states no end. This instant is later than all possible starts of a service.
 */
const OPEN_END = Date.parse('9999-12-31T23:59:59Z')

/**
 * Returns the parts of the wanted times that are in the future. If a wanted period has already begun, only the rest of
 * the period counts.
 */
export const wantedTimes = (wishes: DesiredServiceTimePreference[], now: number): WantedTime[] =>
  wishes
    .map((wish): WantedTime => {
      if ('at' in wish) return { from: Date.parse(wish.at), to: Date.parse(wish.at), isMoment: true }
      const to = 'end' in wish ? Date.parse(wish.end) : OPEN_END
      return { from: Math.max(Date.parse(wish.start), now), to, isMoment: false }
    })
    .filter(({ from, to }) => now <= from && from <= to)

/**
 * Makes an SQL query that compares the wanted times of the buyer with one row of the search index. `first` is the
 * earliest wanted start that is free, in milliseconds since 1970. `is_represented` is true if the index has a wanted
 * start, free or not. The TypeScript function `wantedIndexes` does the same calculation.
 */
export function wantedStart(times: readonly WantedTime[]): RawBuilder<unknown> {
  const [froms, tos] = [times.map(({ from }) => from), times.map(({ to }) => to)]
  const moments = times.map(({ isMoment }) => isMoment)
  return sql`
    select ruler_from + ruler_interval * lower(openings * range_agg(int8range(low, high, '[]'))) as first,
      count(*) > 0 as is_represented
    from unnest(${froms}::bigint[], ${tos}::bigint[], ${moments}::boolean[]) as wanted (from_ms, to_ms, is_moment)
    cross join lateral (
      select ceil((from_ms - ruler_from)::double precision / ruler_interval)::bigint as next,
        floor((to_ms - ruler_from)::double precision / ruler_interval)::bigint as previous
    ) found
    cross join lateral (
      select case when is_moment then next else greatest(next, 0) end as low,
        case when is_moment then next else least(previous, ruler_count - 1) end as high
    ) clipped
    where 0 <= low and low <= high and high < ruler_count`
}
