import pg from 'pg'
import { isUnreachable } from '../../infra/db/database-failures.ts'
import { openClient } from '../../infra/db/find-database-host.ts'
import { describeHosts } from '../../infra/net/parse-database-url.ts'
import { PlainError } from '../../infra/util/command-line-error.ts'

/** Opens a separate database connection for long work, because connections from the pool have a time limit. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openClient(url, { application_name: 'usp-server backup' }).catch((error) => {
    if (error instanceof pg.DatabaseError || !isUnreachable(error)) throw error
    throw new PlainError(
      `No PostgreSQL answers at ${describeHosts(url)}. Nothing was done: start it, or correct DATABASE_URL and DATABASE_DIRECT_URL.`,
    )
  })
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
