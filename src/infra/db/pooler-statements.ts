import type pg from 'pg'
import { isStatementDuplicate, isStatementMissing } from './failures.ts'

/** A prepared statement. A name stands for the same text on every server. */
export interface NamedStatement {
  name: string
  text: string
  values: unknown[]
}

/** Misses after which the pooler may count as one that drops prepared statements. */
const MAX_MISSES = 100

/**
 * Prepared statements behind a pooler that leaves their names unchanged. The next transaction may get any of the pooler's
 * connections, each with other prepared statements. The client first sends only the name. If the statement is missing, it
 * sends the text too, which prepares it on that connection.
 */
export class PoolerStatements {
  readonly #client: pg.Client
  readonly #send: (statement: pg.QueryConfig) => Promise<pg.QueryResult>
  #asked = 0
  #missed = 0

  constructor(client: pg.Client, send: (statement: pg.QueryConfig) => Promise<pg.QueryResult>) {
    this.#client = client
    this.#send = send
  }

  /** False inside a transaction, which a missing statement would abort. False also if most statements are missing. */
  get canSendByName(): boolean {
    const isForgetful = this.#missed > MAX_MISSES && this.#missed > this.#asked / 2
    return !isForgetful && this.#client.getTransactionStatus() === 'I'
  }

  async send(statement: NamedStatement): Promise<pg.QueryResult> {
    const { name, ...unnamed } = statement
    const believed = preparedByName(this.#client)
    this.#asked++
    // `pg` sends the text only for names that are not in this list.
    believed[name] = unnamed.text
    try {
      return await this.#send(statement)
    } catch (error) {
      if (!isStatementMissing(error)) throw error
    }
    this.#missed++
    delete believed[name]
    try {
      return await this.#send(statement)
    } catch (error) {
      if (!isStatementDuplicate(error)) throw error
    }
    // By now it runs on another connection that has the statement, or another client was faster.
    return this.#send(unnamed)
  }
}

/** The prepared statements of a client, by name. The types of `pg` lack this member. */
const preparedByName = (client: pg.Client): Record<string, string> =>
  (client as unknown as { connection: { parsedStatements: Record<string, string> } }).connection.parsedStatements
