import pg from 'pg'
import { Connection } from '../db/connection.ts'
import { connectionOptions } from '../db/driver.ts'

const RECONNECT_MS = 1_000

/**
 * Listens for NOTIFY on a connection of its own, which is made again when lost. A missed notification costs a second or two.
 * Behind a transaction pooler it does not listen: there the connection belongs to somebody else after each transaction.
 */
export function listenFor(databaseUrl: string, channel: string, heard: () => void): { close(): Promise<void> } {
  let closed = false
  let client: pg.Client | undefined
  const connect = async () => {
    if (closed) return
    const next = new pg.Client({
      ...connectionOptions,
      connectionString: databaseUrl,
      application_name: 'usp-server listener',
    })
    client = next
    next.on('notification', heard)
    next.on('error', () => {})
    next.on('end', () => setTimeout(connect, RECONNECT_MS).unref())
    try {
      await next.connect()
      const { isDirect } = await Connection.over(next)
      closed ||= !isDirect
      if (closed) return await next.end()
      await next.query(`listen ${channel}`)
      heard()
    } catch {
      await next.end().catch(() => {})
    }
  }
  const first = connect()
  return {
    async close() {
      closed = true
      await first
      await client?.end().catch(() => {})
    },
  }
}
