import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Opens a request that the server has begun to read, and whose body never ends. */
export async function openHangingRequest(origin: string): Promise<Socket> {
  const { hostname, port, host } = new URL(origin)
  const socket = connect(Number(port), hostname)
  // The server ends the connection.
  socket.on('error', () => {})
  await once(socket, 'connect')
  const head = ['POST /usp/v1/services/list HTTP/1.1', `Host: ${host}`, 'X-Forwarded-Proto: https']
  const body = ['Content-Type: application/json', 'Content-Length: 99', '', '{']
  socket.write([...head, ...body].join('\r\n'))
  return socket
}
