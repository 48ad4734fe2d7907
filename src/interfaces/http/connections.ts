import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../infra/config/config.ts'
import { asRecord } from '../../infra/util/records.ts'
import { connectionKey } from './close-idle-connections.ts'

/** Each connection takes about 30 KB, and twice that with headers that never end. */
const MOST_CONNECTIONS = 10_000
const FEWEST_CONNECTIONS = 100
/** File descriptors for the server's own files and connections, without the database connections. */
const RESERVED_FILES = 256

/** The system's limit of open files minus the server's own needs. Without a free file descriptor the server cannot work. */
export function connectionLimit({ databasePool }: Pick<Config, 'databasePool'>, openFiles = openFilesLimit()): number {
  return Math.max(FEWEST_CONNECTIONS, Math.min(MOST_CONNECTIONS, openFiles - databasePool - RESERVED_FILES))
}

function openFilesLimit(): number {
  // Without this, the report would resolve the host names of all peers.
  Object.assign(process.report, { excludeNetwork: true })
  const limit = asRecord(asRecord(asRecord(process.report.getReport()).userLimits).open_files).soft
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY
}

/** Above the limit, the server closes the connection whose last request is oldest. An honest client opens a new one. */
export function boundConnections(server: Server, most: number) {
  const quietest = new Map<string, Socket>()
  server.on('connection', (socket: Socket) => {
    const name = connectionKey(socket)
    quietest.set(name, socket)
    socket.once('close', () => quietest.delete(name))
    for (const [first, one] of quietest) {
      if (quietest.size <= most) break
      quietest.delete(first)
      one.destroy()
    }
  })
  server.prependListener('request', ({ socket }) => {
    const name = connectionKey(socket)
    const connection = quietest.get(name)
    if (connection && quietest.delete(name)) quietest.set(name, connection)
  })
}
