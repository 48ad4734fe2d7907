import { connect, createSecureContext } from 'node:tls'
import { costlyChain } from './tls-attacks.ts'

/** Connects a number of clients at once, each with a chain of expensive certificates. Ends with the last of them. */
const [port, clients, certificates] = process.argv.slice(2).map(Number)
const secureContext = createSecureContext(costlyChain(certificates ?? 0))
for (let client = 0; client < (clients ?? 0); client++)
  connect({ host: '127.0.0.1', port: port ?? 0, secureContext, rejectUnauthorized: false })
    .on('error', () => {})
    .end('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
