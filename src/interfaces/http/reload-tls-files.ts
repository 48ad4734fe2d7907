import type { Server, ServerOptions } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import type { TlsFiles } from '../../infra/config/tls-files.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import { tlsOptions } from './tls.ts'

/**
 * Loads renewed TLS certificates while the server runs. The server reads the files again each minute, because a file
 * watch would miss files behind a symbolic link or on a mounted volume. A certificate file and its key file can change
 * at different moments. Until they match, the server uses the old pair.
 */
export function renewTlsFiles(server: Server, files: TlsFiles, inUse: ServerOptions, log: FastifyBaseLogger) {
  let current = inUse
  const judged = verifiedConnections(server, log)
  const renew = () => {
    try {
      const options = tlsOptions(files)
      if (contents(options) === contents(current)) return
      server.setSecureContext(options)
      if (trustedFilesOf(options) !== trustedFilesOf(current)) judged.end()
      current = options
      log.info('The TLS files were renewed.')
    } catch (error) {
      log.error({ err: error }, 'The TLS files cannot be used. The server keeps the TLS files that it read before.')
    }
  }
  server.once('listening', () => {
    const timer = setInterval(renew, MINUTE).unref()
    server.once('close', () => clearInterval(timer))
  })
}

const contents = (options: ServerOptions) => [options.cert, options.key, trustedFilesOf(options)].join('\n')
const trustedFilesOf = ({ ca, crl }: ServerOptions) => [ca, crl].join('\n')

/**
 * Remembers the connections with a verified client certificate. If the trusted authorities or the revocation lists
 * change, the server closes these connections, because it verifies a certificate only at the start of a connection. A
 * client with a valid certificate can connect again.
 */
function verifiedConnections(server: Server, log: FastifyBaseLogger) {
  const open = new Set<TLSSocket>()
  const logged = new Set<string>()
  server.on('secureConnection', (socket) => {
    if (socket.authorized) open.add(socket.once('close', () => open.delete(socket)))
    else tellOnce(String(socket.authorizationError))
  })
  /**
   * Logs a problem with a list of revoked certificates, once for each error code. Without a valid list, the server
   * accepts no client certificates of this authority. The log is necessary, because the platforms do not learn the
   * reason.
   */
  const tellOnce = (code: string) => {
    if (!code.includes('CRL') || logged.has(code)) return
    logged.add(code)
    log.error(
      { code },
      'TLS_CLIENT_CRL_FILE has no list in force of an authority: none of its client certificates counts.',
    )
  }
  return {
    end() {
      logged.clear()
      for (const socket of open) socket.destroy()
    },
  }
}
