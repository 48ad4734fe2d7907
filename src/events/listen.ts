import pg from 'pg'

const AGAIN = 1_000

/** Hears what other connections announce; one that is lost is made again. Missing an announcement costs a second. */
export function listenFor(databaseUrl: string, channel: string, heard: () => void): { close(): Promise<void> } {
  let closed = false
  let client: pg.Client | undefined
  const connect = async () => {
    if (closed) return
    const next = new pg.Client({ connectionString: databaseUrl, application_name: 'usp-server listener' })
    client = next
    next.on('notification', heard)
    next.on('error', () => {})
    next.on('end', () => setTimeout(connect, AGAIN).unref())
    try {
      await next.connect()
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
