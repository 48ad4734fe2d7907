import { CompiledQuery, type DatabaseConnection, type Insertable } from 'kysely'
import pg from 'pg'
import { prepared } from './prepared-statements.ts'
import type { NewMail } from './queued-mail-types.ts'
import type { DB } from './schema.generated.ts'

/**
 * A condition that the database function `name` checks with the arguments `values`. If the condition is false, the unit
 * of work (transaction) fails.
 */
export interface DatabaseRequirement {
  name: string
  values: readonly unknown[]
  /**
   * Creates the error for the caller if the condition is false. `detail` is an explanation from the database function.
   */
  refusal(detail: string): Error
}

type Row = Record<string, unknown>

/**
 * The maximum number of rows of one table in one INSERT statement. Each number of rows needs its own prepared
 * statement, so the limit also bounds the number of prepared statements.
 */
const MOST_ROWS = 20

/** The inserts and conditions that a unit of work (transaction) has collected, but not sent to the database yet. */
export class PendingStatements {
  /** The rows to insert, grouped by the start of their INSERT statement, which names the table and the columns. */
  readonly #rows = new Map<string, Row[]>()
  readonly #demands: DatabaseRequirement[] = []
  #mustPrecedeQuery = false

  insert(table: string, row: Row): void {
    this.insertAtCommit(table, row)
    this.#mustPrecedeQuery = true
  }

  insertAtCommit(table: string, row: Row): void {
    const into = `"${table}" (${Object.keys(row).map((column) => `"${column}"`)})`
    const rows = this.#rows.get(into) ?? []
    rows.push(row)
    this.#rows.set(into, rows)
  }

  require(demand: DatabaseRequirement): void {
    this.#demands.push(demand)
    this.#mustPrecedeQuery = true
  }

  get isEmpty(): boolean {
    return this.#rows.size === 0 && this.#demands.length === 0
  }

  /**
   * Whether the collected inserts and conditions must go to the database before the next query, because the query can
   * depend on these inserts.
   */
  get mustPrecedeQuery(): boolean {
    return this.#mustPrecedeQuery
  }

  get isSingleStatement(): boolean {
    return this.#parts === 1
  }

  async send(connection: DatabaseConnection): Promise<void> {
    for (let part = 0; part < this.#parts; part++)
      await connection.executeQuery(prepared(this.#statement(part))).catch((error: unknown) => {
        const demand = isRequirementRefused(error) && this.#demands.find(({ name }) => name === error.message)
        throw demand ? demand.refusal(error.detail ?? '') : error
      })
  }

  get #parts(): number {
    const most = Math.max(1, ...[...this.#rows.values()].map(({ length }) => length))
    return Math.ceil(most / MOST_ROWS)
  }

  /**
   * Builds the SQL statement number `part` from the collected inserts. The rows of each table keep their order. The
   * first statement also checks all conditions of the unit of work.
   */
  #statement(part: number): CompiledQuery {
    const values: unknown[] = []
    const list = (all: readonly unknown[]) => `(${all.map((value) => `$${values.push(value)}`)})`
    const inserts = [...this.#rows].flatMap(([into, all], index) => {
      const rows = all.slice(part * MOST_ROWS, (part + 1) * MOST_ROWS)
      if (rows.length === 0) return []
      return [`w${index} as (insert into ${into} values ${rows.map((row) => list(Object.values(row)))})`]
    })
    const calls = (part === 0 ? this.#demands : []).map(
      ({ name, values: parameters }) => `case when ${name}${list(parameters)} then true else refuse('${name}') end`,
    )
    return CompiledQuery.raw(`${inserts.length > 0 ? `with ${inserts} ` : ''}select ${calls}`, values)
  }
}

export const isRequirementRefused = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.code === 'USP01'

type MailRow = Insertable<DB['mails']>

interface Held {
  snapshot: object
  rows: readonly MailRow[]
  others: readonly object[]
}

/**
 * Collects the mails of a unit of work (transaction) until its end. If several mails go to the same person, the server
 * stores one mail, and the data of this mail list the others.
 */
export class MailMerger {
  #held: ReadonlyMap<string, Held> = new Map()

  add(
    { kind, to, snapshot }: NewMail,
    rows: readonly MailRow[],
    { group, entry }: { group: string; entry: object },
  ): boolean {
    if (rows.length === 0) return false
    const key = JSON.stringify([group, kind, to])
    const first = this.#held.get(key)
    const held = first ? { ...first, others: [...first.others, entry] } : { snapshot, rows, others: [] }
    this.#held = new Map(this.#held).set(key, held)
    return true
  }

  rows(): MailRow[] {
    return [...this.#held.values()].flatMap(({ snapshot, rows, others }) =>
      others.length === 0 ? rows : rows.map((row) => ({ ...row, snapshot: JSON.stringify({ ...snapshot, others }) })),
    )
  }

  /** Runs a part of a unit of work. If this part fails, discards the mails that it queued. */
  async discardOnFailure<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#held
    try {
      return await work()
    } catch (error) {
      this.#held = before
      throw error
    }
  }
}
