import type pg from 'pg'
import { openClient } from '../db/find-host.ts'

/** A connection of its own: what is done on it takes longer than any that is lent to callers may. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openClient(url, { application_name: 'usp-server backup' })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
