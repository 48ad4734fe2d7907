import pg from 'pg'
import { Connection } from '../db/connection.ts'
import { connectionOptions } from '../db/driver.ts'

const AGAIN = 1_000

/**
 * Hears what other connections announce; one that is lost is made again. Missing an announcement costs a second or two.
 * Behind a pooler nothing is heard: it would give the ear to whoever comes next.
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
    next.on('end', () => setTimeout(connect, AGAIN).unref())
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
