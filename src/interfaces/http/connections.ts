import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../infra/config/config.ts'
import { recordOf } from '../../infra/util/record-of.ts'
import { nameOf } from './hang-up.ts'

/** Each takes some 30 KB, with a header that does not end twice that. */
const MOST = 10_000
const FEWEST = 100
/** Files and connections of our own, besides those to the database. */
const RESERVE = 256

/** As many as the system lets be open, less what the server needs itself: without a file to open it can do nothing. */
export function mostConnections({ databasePool }: Pick<Config, 'databasePool'>, openFiles = openFilesLimit()): number {
  return Math.max(FEWEST, Math.min(MOST, openFiles - databasePool - RESERVE))
}

function openFilesLimit(): number {
  // It would look up the names of all peers.
  Object.assign(process.report, { excludeNetwork: true })
  const limit = recordOf(recordOf(recordOf(process.report.getReport()).userLimits).open_files).soft
  return typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY
}

/** Where there are more, the one makes room that has had no request for longest: an honest client opens another. */
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
