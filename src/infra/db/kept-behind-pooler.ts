import type pg from 'pg'
import { isStatementKnown, isStatementMissing } from './failures.ts'

/** Everywhere the same text by the same name. */
export interface Kept {
  name: string
  text: string
  values: unknown[]
}

/** Misses after which a pooler is known that forgets what its connections were given. */
const MOST_MISSES = 100

/**
 * Statements behind a pooler that hands names on: nobody knows which connection of its own the next transaction gets, and which
 * statements that has kept. One is asked for by its name; where it is missing it is given along, and stays there.
 */
export class KeptBehindPooler {
  readonly #client: pg.Client
  readonly #send: (statement: pg.QueryConfig) => Promise<pg.QueryResult>
  #asked = 0
  #missed = 0

  constructor(client: pg.Client, send: (statement: pg.QueryConfig) => Promise<pg.QueryResult>) {
    this.#client = client
    this.#send = send
  }

  /** Not within a transaction, which what is missing would end; nor where more is missing than is there. */
  get mayMiss(): boolean {
    const isForgetful = this.#missed > MOST_MISSES && this.#missed > this.#asked / 2
    return !isForgetful && this.#client.getTransactionStatus() === 'I'
  }

  async send(statement: Kept): Promise<pg.QueryResult> {
    const { name, ...unnamed } = statement
    const believed = believedKept(this.#client)
    this.#asked++
    // `pg` gives along what it does not believe to be there.
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
      if (!isStatementKnown(error)) throw error
    }
    // It is another connection, which has it, or somebody else was there before.
    return this.#send(unnamed)
  }
}

/** Of its connection, by their names; `pg` does not list it among its types. */
const believedKept = (client: pg.Client): Record<string, string> =>
  (client as unknown as { connection: { parsedStatements: Record<string, string> } }).connection.parsedStatements
