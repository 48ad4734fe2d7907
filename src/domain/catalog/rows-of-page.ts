import { type RawBuilder, sql } from 'kysely'
import { MOST_ON_PAGE } from '../../protocol/fitting-page.ts'

/** How many rows there would have been. */
export interface Found {
  found: number
}

/**
 * The first so many of these rows, and no more than fit onto a page; the first always does. The database counts their bytes,
 * so that nothing is read which nobody is told.
 */
export const rowsOfPage = (rows: RawBuilder<unknown>, order: RawBuilder<unknown>, size: number) => sql`(
  select * from (
    select *, row_number() over by_order as place, sum(octet_length(body::text)) over by_order as bytes,
      count(*) over ()::integer as found
    from (select * from (${rows}) asked order by ${order} limit ${size + 1}) candidate
    window by_order as (order by ${order})
  ) counted
  where place = 1 or place <= ${size} and bytes <= ${MOST_ON_PAGE}
)`

/** The last row of a page, where others come after it. */
export const endOfPage = <Row extends Found>(page: readonly Row[]): Row | undefined =>
  page.length < (page[0]?.found ?? 0) ? page.at(-1) : undefined
