import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../infra/config/config.ts'
import { recordOf } from '../../infra/util/record-of.ts'
import { nameOf } from './hang-up.ts'

/** Each connection takes about 30 KB, and twice that with headers that never end. */
const MOST = 10_000
const FEWEST = 100
/** File descriptors for the server's own files and connections, without the database connections. */
const RESERVE = 256

/** The system's limit of open files minus the server's own needs. Without a free file descriptor the server cannot work. */
export function mostConnections({ databasePool }: Pick<Config, 'databasePool'>, openFiles = openFilesLimit()): number {
  return Math.max(FEWEST, Math.min(MOST, openFiles - databasePool - RESERVE))
}

function openFilesLimit(): number {
  // Without this, the report would resolve the host names of all peers.
  Object.assign(process.report, { excludeNetwork: true })
  const limit = recordOf(recordOf(recordOf(process.report.getReport()).userLimits).open_files).soft
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY
}

/** Above the limit, the server closes the connection whose last request is oldest. An honest client opens a new one. */
export function boundConnections(server: Server, most: number) {
  const quietest = new Map<string, Socket>()
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket)
    quietest.set(name, socket)
    socket.once('close', () => quietest.delete(name))
    for (const [first, one] of quietest) {
      if (quietest.size <= most) break
      quietest.delete(first)
      one.destroy()
    }
  })
  server.prependListener('request', ({ socket }) => {
    const name = nameOf(socket)
    const connection = quietest.get(name)
    if (connection && quietest.delete(name)) quietest.set(name, connection)
  })
}
