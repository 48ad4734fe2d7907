import type { Socket } from 'node:net'
import { afterAll } from 'vitest'
import { startDatabaseProxy } from './database-proxy.ts'

/** A proxy before PostgreSQL that can swallow all bytes without closing the connection: an unresponsive database. */
export interface UnresponsivePostgres {
  url: string
  /** Swallows all bytes on the existing connections and, with `all`, also on new ones. */
  begin(of: 'all' | 'those there are'): void
  end(): void
  tried(): number
}

/** The end of PostgreSQL's startup messages: ready for the first query. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1')

export async function openUnresponsivePostgres(
  databaseUrl: string,
  { after }: { after?: 'the welcome' } = {},
): Promise<UnresponsivePostgres> {
  const sockets = new Set<Socket>()
  const dead = new WeakSet<Socket>()
  let [isSilent, count] = [false, 0]
  const url = await startDatabaseProxy(databaseUrl, (near, far) => {
    count++
    const pass = (to: Socket) => (said: Buffer) => void (isSilent || dead.has(near) || to.write(said))
    near.on('data', pass(far)).on('error', () => far.destroy())
    far.on('data', pass(near))
    if (after) far.on('data', (said: Buffer) => void (said.includes(READY) && dead.add(near)))
    far.on('error', () => near.destroy())
    near.on('close', () => sockets.delete(near) && !dead.has(near) && far.destroy())
    sockets.add(near)
  })
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
  })
  return {
    url,
    begin(of) {
      for (const socket of sockets) dead.add(socket)
      isSilent = of === 'all'
    },
    end() {
      isSilent = false
    },
    tried: () => count,
  }
}
