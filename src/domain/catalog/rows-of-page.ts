import { type RawBuilder, sql } from 'kysely'
import { MOST_PAGE_CHARACTERS } from '../../protocol/fitting-page.ts'

/** Number of rows without the byte limit of the page. */
export interface FoundCount {
  found: number
}

/**
 * The first rows up to the byte limit of a page, but at least one. PostgreSQL counts the bytes, so the server does not read
 * rows that it will not return.
 */
export const rowsOfPage = (rows: RawBuilder<unknown>, order: RawBuilder<unknown>, size: number) => sql`(
  select * from (
    select *, row_number() over by_order as place, sum(octet_length(body::text)) over by_order as bytes,
      count(*) over ()::integer as found
    from (select * from (${rows}) asked order by ${order} limit ${size + 1}) candidate
    window by_order as (order by ${order})
  ) counted
  where place = 1 or place <= ${size} and bytes <= ${MOST_PAGE_CHARACTERS}
)`

export const endOfPage = <Row extends FoundCount>(page: readonly Row[]): Row | undefined =>
  page.length < (page[0]?.found ?? 0) ? page.at(-1) : undefined
