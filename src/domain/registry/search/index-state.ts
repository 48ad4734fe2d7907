import { type RawBuilder, sql } from 'kysely'

/** The state of the index at one moment. All pages of a search show the same state. */
export interface IndexState {
  version: number
  /** The largest number of a service in this state. Services that a crawl adds later have larger numbers. */
  last: number
}

/** Reads the state of the index together with the rows, so that both come from the same snapshot of the database. */
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
 * Whether a service has not changed since the state, as SQL. The condition is a subquery and not a join, so that
 * PostgreSQL keeps the order of the index.
 */
export const isUnchangedSince = ({ version, last }: IndexState): RawBuilder<boolean> =>
  sql`number <= ${last} and number not in (select number from former_services where until > ${version})`

/** The services that changed or left the index after the state, in their version of this state. */
export const formerServices = ({ version, last }: IndexState): RawBuilder<unknown> =>
  sql`(
    select distinct on (number) * from former_services where until > ${version} and number <= ${last} order by number, until
  ) former_services`
