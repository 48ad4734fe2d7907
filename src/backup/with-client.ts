import pg from 'pg'
import { connectionOptions } from '../db/driver.ts'

/** A connection of its own: what is done on it takes longer than any that is lent to callers may. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connectionOptions, connectionString: url, application_name: 'usp-server backup' })
  client.on('error', () => {}) // What it was doing fails, and that is heard.
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
