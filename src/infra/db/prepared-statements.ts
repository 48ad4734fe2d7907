import { CompiledQuery, type QueryResult, sql } from 'kysely'
import type { Database, Tx } from './database.ts'
import type { UnitOfWork } from './unit-of-work.ts'

const PREPARED = Symbol('kept')

/**
 * A prepared statement. PostgreSQL parses and plans it only once on each connection. This saves half of the work of a
 * short statement.
 */
export interface PreparedQuery<R = unknown> extends CompiledQuery<R> {
  [PREPARED]: true
}

/**
 * Marks a statement as prepared. The statement must name its columns instead of using `*`. Otherwise, PostgreSQL would
 * refuse the prepared statement after a migration has added a column.
 */
export const prepared = <R>(query: CompiledQuery<R>): PreparedQuery<R> => ({ ...query, [PREPARED]: true })

export const isPrepared = (query: CompiledQuery): boolean => PREPARED in query

export const executePrepared = <R>(
  db: Database,
  query: { compile(db: Database): CompiledQuery<R> },
): Promise<QueryResult<R>> => db.executeQuery<R>(prepared(query.compile(db)))

const LONG = Symbol('long')

interface LongQuery extends CompiledQuery {
  [LONG]: true
}

/** Raises the time limit for the statements of a transaction, for example to read whole tables. */
export async function allowLong(tx: Tx, most: '5min' | 'any time'): Promise<void> {
  const limit = most === 'any time' ? 0 : most
  const query: LongQuery = { ...CompiledQuery.raw(`set local statement_timeout = '${limit}'`), [LONG]: true }
  await tx.executeQuery(query)
}

export const isAllowingLong = (query: CompiledQuery): boolean => LONG in query

/**
 * Runs work that inserts thousands of rows. Meanwhile, PostgreSQL plans each statement for the current table sizes.
 * Otherwise, PostgreSQL would reuse trigger plans that it made for small tables, and would read the whole table for
 * each inserted row.
 */
export async function withCustomPlans(tx: UnitOfWork, work: () => Promise<unknown>): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
  await work()
  await sql`set local plan_cache_mode = auto`.execute(tx)
}
