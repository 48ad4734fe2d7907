import type { CompiledQuery, QueryResult, RawBuilder } from 'kysely'
import type { Database } from './database.ts'

const PREPARED = Symbol('kept')

/**
 * A prepared statement. PostgreSQL parses and plans it once on each connection, which halves the work of a short
 * statement.
 */
export interface PreparedQuery<R = unknown> extends CompiledQuery<R> {
  [PREPARED]: true
}

/** The statement must list its columns, since a migration may add columns while the server runs. */
export const prepared = <R>(query: CompiledQuery<R>): PreparedQuery<R> => ({ ...query, [PREPARED]: true })

export const isPrepared = (query: CompiledQuery): boolean => PREPARED in query

export const executePrepared = <R>(db: Database, query: RawBuilder<R>): Promise<QueryResult<R>> =>
  db.executeQuery<R>(prepared(query.compile(db)))
