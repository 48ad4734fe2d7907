import type { CompiledQuery, QueryResult, RawBuilder } from 'kysely'
import type { Database } from './database.ts'

const KEPT = Symbol('kept')

/** A statement that is read and planned once for each connection: for a short one that is half the work. */
export interface KeptQuery<R = unknown> extends CompiledQuery<R> {
  [KEPT]: true
}

/** It must name its columns, so that a migration under a running server does not give it others. */
export const kept = <R>(query: CompiledQuery<R>): KeptQuery<R> => ({ ...query, [KEPT]: true })

export const isKept = (query: CompiledQuery): boolean => KEPT in query

export const executeKept = <R>(db: Database, query: RawBuilder<R>): Promise<QueryResult<R>> =>
  db.executeQuery<R>(kept(query.compile(db)))
