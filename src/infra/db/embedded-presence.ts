import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { isUnreachable } from './failures.ts'

/** Held by every process that uses the server, shared among them: whoever can have it alone is the last. */
const PRESENCE = 4_715_202

export interface Presence {
  client: pg.Client
  /** Resolves when the server is gone. */
  lost: Promise<unknown>
  /** Ends it, and says whether nobody else uses the server. */
  isLast(): Promise<boolean>
}

export async function announce(url: string): Promise<Presence> {
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
        return false // It is already gone.
      } finally {
        await client.end().catch(() => {})
      }
    },
  }
}

/** The same for whoever may use it only while nobody else does; nothing, where somebody does. Ending the connection gives it back. */
export async function announceAlone(url: string): Promise<pg.Client | undefined> {
  const client = await connectPatiently(url)
  const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [PRESENCE])
  if (rows[0]?.alone === true) return client
  await client.end()
}

/** A server that another process is just starting, or stopping, answers a moment later. */
async function connectPatiently(url: string): Promise<pg.Client> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client(url)
    client.on('error', () => {}) // The server going away ends this connection, and that is told above.
    try {
      await client.connect()
      return client
    } catch (error) {
      if (attempt === 50 || !isUnreachable(error)) throw error
      await setTimeout(100)
    }
  }
}
