import { format } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'

/** Libraries such as oidc-provider print notices to the console. This writes them to the log. */
export function sendConsoleToLog(log: Pick<FastifyBaseLogger, 'info' | 'warn'>): void {
  console.info = (...parts) => log.info({ from: 'console' }, format(...parts))
  console.warn = (...parts) => log.warn({ from: 'console' }, format(...parts))
}
