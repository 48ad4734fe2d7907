import type { CompiledQuery, QueryResult, RawBuilder } from 'kysely'
import type { Database } from './database.ts'

const PREPARED = Symbol('kept')

/** A prepared statement, parsed and planned once for each connection, or for each of a pooler's: for a short one that is half the work. */
export interface PreparedQuery<R = unknown> extends CompiledQuery<R> {
  [PREPARED]: true
}

/** It must name its columns, so that a migration under a running server does not give it others. */
export const prepared = <R>(query: CompiledQuery<R>): PreparedQuery<R> => ({ ...query, [PREPARED]: true })

export const isPrepared = (query: CompiledQuery): boolean => PREPARED in query

export const executePrepared = <R>(db: Database, query: RawBuilder<R>): Promise<QueryResult<R>> =>
  db.executeQuery<R>(prepared(query.compile(db)))
