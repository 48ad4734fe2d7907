import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { EncryptedBytes, skipEmptyWrites } from '../../infra/net/encrypted-bytes.ts'

const connection = new AsyncLocalStorage<{ socket: Socket; bytes: EncryptedBytes }>()

/**
 * Bounds the work of OpenSSL for one connection, because Node has no such limit. Without it, one turn of the event loop
 * verified seventy untrusted certificates or handled twenty thousand key changes. EncryptedBytes limits the handshake and
 * passes the bytes on in portions.
 */
export function boundTls(server: Server) {
  const [handshake, ...others] = server.listeners('connection')
  if (!handshake || others.length > 0)
    throw new Error('What begins a handshake is not told from what else is done then')
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const bytes = new EncryptedBytes(socket)
    connection.run({ socket, bytes }, () => handshake.call(server, bytes))
  })
  // This listener runs before all others, because they read the addresses that it sets.
  server.prependListener('secureConnection', (secure) => {
    const begun = connection.getStore()
    if (!begun) return void secure.destroy()
    begun.bytes.endHandshake()
    skipEmptyWrites(secure)
    copyAddresses(secure, begun.socket)
  })
}

/** Copies the addresses of the TCP socket to the TLS socket. TLS runs over a plain stream here and does not know them. */
function copyAddresses(
  secure: TLSSocket,
  { remoteAddress, remotePort, remoteFamily, localAddress, localPort }: Socket,
) {
  const ends = { remoteAddress, remotePort, remoteFamily, localAddress, localPort }
  for (const [name, value] of Object.entries(ends)) Object.defineProperty(secure, name, { value })
}
