import { type RawBuilder, sql } from 'kysely'

/** The state of the search index at the first page of a search. All later pages of the search show the same state. */
export interface IndexState {
  version: number
  /** The largest service number in this state of the search index. Services that are added later get larger numbers. */
  last: number
}

/**
 * Adds the state of the search index to a query for rows. A single SQL statement reads the state and the rows, so they
 * come from the same database snapshot.
 */
export const withState = <Row>(rows: RawBuilder<Row>): RawBuilder<Partial<Row> & { state: IndexState }> =>
  sql`
    select json_build_object('version', state.version, 'last', state.last_number) as state, found.*
    from registry_state state left join lateral (${rows}) found on true`

export const withSameState = <Row>(
  rows: RawBuilder<Row>,
  state: IndexState,
): RawBuilder<Partial<Row> & { state: IndexState }> =>
  sql`select ${JSON.stringify(state)}::json as state, found.* from (${rows}) found`

/**
 * Makes an SQL condition that is true if a service has not changed since this state of the search index, and its number
 * is in none of the `excluded` queries. The condition uses one subquery. With a join or with several subqueries,
 * PostgreSQL would not read the rows in index order.
 */
export function isUnchangedSince(
  state: IndexState | undefined,
  excluded: RawBuilder<unknown>[] = [],
): RawBuilder<boolean> {
  const changed = state ? [sql`select number from former_services where until > ${state.version}`] : []
  const last = state ? sql`number <= ${state.last}` : sql`true`
  const numbers = [...changed, ...excluded]
  return numbers.length > 0 ? sql`${last} and number not in (${sql.join(numbers, sql` union all `)})` : sql`${last}`
}

/**
 * Makes an SQL query for the services that changed or left the search index after this state. The query returns their
 * versions from the time of this state.
 */
export const formerServices = ({ version, last }: IndexState): RawBuilder<unknown> =>
  sql`(
    select distinct on (number) * from former_services where until > ${version} and number <= ${last} order by number, until
  ) former_services`
