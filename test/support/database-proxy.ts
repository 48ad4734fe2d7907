import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** A proxy: passes each connection and a second one to the database to `meet`. Returns its connection string. */
export async function startDatabaseProxy(
  databaseUrl: string,
  meet: (client: Socket, postgres: Socket) => void,
): Promise<string> {
  const url = new URL(databaseUrl)
  const { hostname, port } = url
  const server = createServer((client) => meet(client, connect(Number(port), hostname))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => void server.close())
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return url.href
}

/** Closes one side when the other closes, like a direct connection: a lost server connection ends the transaction. */
export function closeTogether(client: Socket, postgres: Socket): void {
  client.on('close', () => postgres.destroy()).on('error', () => {})
  postgres.on('close', () => client.destroy()).on('error', () => {})
}
