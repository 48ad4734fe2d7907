import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { freePort } from './process.ts'

/** A proxy before a database that a test can switch off. It then closes all connections and refuses new ones. */
export interface SwitchableProxy {
  url: string
  lose(): void
  comeBack(): Promise<unknown>
}

/** The proxy starts switched off. */
export async function switchableProxy(databaseUrl: string): Promise<SwitchableProxy> {
  const url = new URL(databaseUrl)
  const { hostname, port } = url
  url.port = String(await freePort())
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.pipe(far).on('error', () => near.destroy())
    far.pipe(near).on('error', () => far.destroy())
    sockets.add(near.on('close', () => far.destroy()))
  })
  const lose = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(lose)
  return { url: url.href, lose, comeBack: () => once(server.listen(Number(url.port), hostname), 'listening') }
}
