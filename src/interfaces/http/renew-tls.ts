import type { Server, ServerOptions } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'
import type { TlsFiles } from '../../infra/config/tls-files.ts'
import { MINUTE } from '../../infra/time/units.ts'
import { tlsOptions } from './tls.ts'

/** Milliseconds between two looks at the files. */

/**
 * Takes up renewed certificates while the server runs. The files are read again each minute, not watched: watching
 * misses what is swapped behind a symbolic link or on a mounted volume, and a certificate and its key are replaced one
 * after the other. What does not fit together (yet) leaves the old one in use until the next look.
 */
export function keepRenewed(server: Server, files: TlsFiles, inUse: ServerOptions, log: FastifyBaseLogger) {
  let current = inUse
  const judged = judgedConnections(server, log)
  const renew = () => {
    try {
      const options = tlsOptions(files)
      if (contents(options) === contents(current)) return
      server.setSecureContext(options)
      if (judges(options) !== judges(current)) judged.end()
      current = options
      log.info('The TLS files were renewed.')
    } catch (error) {
      log.error({ err: error }, 'The TLS files cannot be used; those that were read before stay in use.')
    }
  }
  server.once('listening', () => {
    const timer = setInterval(renew, MINUTE).unref()
    server.once('close', () => clearInterval(timer))
  })
}

const contents = (options: ServerOptions) => [options.cert, options.key, judges(options)].join('\n')
const judges = ({ ca, crl }: ServerOptions) => [ca, crl].join('\n')

/**
 * Connections whose client showed a good certificate. It was judged once, when they began: they end when other
 * authorities count, or others were revoked, and whoever still has a good one comes again.
 */
function judgedConnections(server: Server, log: FastifyBaseLogger) {
  const open = new Set<TLSSocket>()
  const logged = new Set<string>()
  server.on('secureConnection', (socket) => {
    if (socket.authorized) open.add(socket.once('close', () => open.delete(socket)))
    else tellOnce(String(socket.authorizationError))
  })
  /** Of that authority nobody's certificate counts then, and the platforms themselves are told no more than that. */
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
