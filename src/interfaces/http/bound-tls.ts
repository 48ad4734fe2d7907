import { AsyncLocalStorage } from 'node:async_hooks'
import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { EncryptedBytes, writeNothingEmpty } from '../../infra/net/encrypted-bytes.ts'

const connection = new AsyncLocalStorage<{ socket: Socket; bytes: EncryptedBytes }>()

/**
 * OpenSSL takes whatever a client sends, for which Node has no bound: it verifies seventy certificates that nobody vouches
 * for, and changes its keys twenty thousand times in one turn. So it is given the bytes by us.
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
  // First of all who are told of it: they ask whose it is.
  server.prependListener('secureConnection', (secure) => {
    const begun = connection.getStore()
    if (!begun) return void secure.destroy()
    begun.bytes.handshakeIsOver()
    writeNothingEmpty(secure)
    nameEnds(secure, begun.socket)
  })
}

/** Over bytes that are no socket's it does not know between whom it is. */
function nameEnds(secure: TLSSocket, { remoteAddress, remotePort, remoteFamily, localAddress, localPort }: Socket) {
  const ends = { remoteAddress, remotePort, remoteFamily, localAddress, localPort }
  for (const [name, value] of Object.entries(ends)) Object.defineProperty(secure, name, { value })
}
