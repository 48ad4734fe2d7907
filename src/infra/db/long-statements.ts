import { CompiledQuery } from 'kysely'
import type { Tx } from './database.ts'

const LONG = Symbol('long')

interface LongQuery extends CompiledQuery {
  [LONG]: true
}

/** Raises the statement timeout in this transaction, for example for a statement that reads whole tables. */
export async function allowLong(tx: Tx, most: '5min' | 'any time'): Promise<void> {
  const limit = most === 'any time' ? 0 : most
  const query: LongQuery = { ...CompiledQuery.raw(`set local statement_timeout = '${limit}'`), [LONG]: true }
  await tx.executeQuery(query)
}

export const isAllowingLong = (query: CompiledQuery): boolean => LONG in query
