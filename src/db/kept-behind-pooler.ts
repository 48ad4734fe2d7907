import pg from 'pg'

/** Everywhere the same text by the same name. */
export interface Kept {
  name: string
  text: string
  values: unknown[]
}

type Send = (statement: pg.QueryConfig) => Promise<pg.QueryResult>

const PROBE = 'kept_probe'

/**
 * Whether a pooler hands names on as they are. One that keeps statements itself has names of its own for them, and ends
 * whoever asks for one that was not given to it.
 */
export async function handsNamesOn(send: Send): Promise<boolean> {
  try {
    const { rows } = await send({
      name: PROBE,
      text: `select exists (select from pg_prepared_statements where name = '${PROBE}') as known`,
    })
    return rows[0]?.known === true
  } catch (error) {
    return isKnown(error)
  }
}

/**
 * Behind such a pooler nobody knows which connection of its own the next transaction gets, and which statements that has kept. One is
 * asked for by its name; where it is missing it is given along, and stays there. Within a transaction that would end it.
 */
export async function sendKept(client: pg.Client, statement: Kept, send: Send): Promise<pg.QueryResult> {
  const { name, ...unnamed } = statement
  const believed = believedKept(client)
  // `pg` gives along what it does not believe to be there.
  believed[name] = unnamed.text
  try {
    return await send(statement)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  delete believed[name]
  try {
    return await send(statement)
  } catch (error) {
    if (!isKnown(error)) throw error
  }
  return send(unnamed)
}

/** Of its connection, by their names; `pg` does not list it among its types. */
const believedKept = (client: pg.Client): Record<string, string> =>
  (client as unknown as { connection: { parsedStatements: Record<string, string> } }).connection.parsedStatements

const isMissing = (error: unknown) => error instanceof pg.DatabaseError && error.code === '26000'
const isKnown = (error: unknown) => error instanceof pg.DatabaseError && error.code === '42P05'
