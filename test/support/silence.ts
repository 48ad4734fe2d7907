import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** Stands between a server and its PostgreSQL, and can swallow all that is said: nobody is told that the other is gone. */
export interface Silence {
  url: string
  /** From now on nothing comes through on the connections there are; on new ones neither, unless they are let through. */
  begin(of: 'all' | 'those there are'): void
  end(): void
  /** How many connections were tried to be made so far. */
  tried(): number
}

/** What PostgreSQL ends its welcome with: it is ready for the first query. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1')

export async function openSilence(databaseUrl: string, { after }: { after?: 'the welcome' } = {}): Promise<Silence> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const dead = new WeakSet<Socket>()
  let [isSilent, count] = [false, 0]
  const server = createServer((near) => {
    count++
    const far = connect(Number(port), hostname)
    const pass = (to: Socket) => (said: Buffer) => void (isSilent || dead.has(near) || to.write(said))
    near.on('data', pass(far)).on('error', () => far.destroy())
    far.on('data', pass(near))
    if (after) far.on('data', (said: Buffer) => void (said.includes(READY) && dead.add(near)))
    far.on('error', () => near.destroy())
    near.on('close', () => sockets.delete(near) && !dead.has(near) && far.destroy())
    sockets.add(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const url = new URL(databaseUrl)
  const address = server.address()
  url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return {
    url: url.href,
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
