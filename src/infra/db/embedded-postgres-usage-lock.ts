import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { isUnreachable } from './database-failures.ts'

/**
 * The number of a PostgreSQL advisory lock. Each process holds this lock in shared mode while it uses the embedded
 * PostgreSQL. Only the last process can get the lock in exclusive mode, and this process stops PostgreSQL.
 */
const PRESENCE = 4_715_202

export interface Presence {
  client: pg.Client
  lost: Promise<unknown>
  /** Records that this process no longer uses the embedded PostgreSQL. Returns true if no other process uses it. */
  isLast(): Promise<boolean>
}

export async function announcePresence(url: string): Promise<Presence> {
  const client = await connectPatiently(url)
  const lost = new Promise((resolve) => client.once('end', resolve))
  await client.query('select pg_advisory_lock_shared($1)', [PRESENCE])
  return {
    client,
    lost,
    async isLast() {
      try {
        await client.query('select pg_advisory_unlock_shared($1)', [PRESENCE])
        const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [PRESENCE])
        return rows[0]?.alone === true
      } catch {
        return false
      } finally {
        await client.end().catch(() => {})
      }
    },
  }
}

/**
 * Gets the lock on the embedded PostgreSQL in exclusive mode until the connection ends. Returns undefined if another
 * process still uses PostgreSQL.
 */
export async function announceExclusivePresence(url: string): Promise<pg.Client | undefined> {
  const client = await connectPatiently(url)
  const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [PRESENCE])
  if (rows[0]?.alone === true) return client
  await client.end()
}

/** Connects to PostgreSQL with many attempts, because another process can be starting or stopping PostgreSQL. */
async function connectPatiently(url: string): Promise<pg.Client> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client(url)
    client.on('error', () => {}) // No action is needed: the promise `lost` reports the end of the connection.
    try {
      await client.connect()
      return client
    } catch (error) {
      if (attempt === 50 || !isUnreachable(error)) throw error
      await setTimeout(100)
    }
  }
}
