import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { freePort } from './process.ts'

/** Stands before a database, and refuses from one moment on whoever is connected and whoever comes. */
export interface Losable {
  url: string
  lose(): void
  comeBack(): Promise<unknown>
}

/** Nobody is there until it comes back for the first time. */
export async function losable(databaseUrl: string): Promise<Losable> {
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
