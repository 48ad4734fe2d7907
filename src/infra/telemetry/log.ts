import { format } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import { stdSerializers } from 'pino'

/** Members of a PostgreSQL error that quote the row, and so may contain personal data. */
const ROW_MEMBERS = ['detail', 'where', 'internalQuery']

/** The same log, but logged errors lack the members that may quote personal data. */
export const redactingLog = (log: FastifyBaseLogger): FastifyBaseLogger =>
  log.child(
    {},
    {
      serializers: {
        // Code may throw a value that is no Error. It has no members to omit.
        err: (error: unknown) =>
          error instanceof Error
            ? Object.fromEntries(
                Object.entries(stdSerializers.err(error)).filter(([member]) => !ROW_MEMBERS.includes(member)),
              )
            : error,
      },
    },
  )

/** Libraries such as oidc-provider print notices to the console. This writes them to the log. */
export function sendConsoleToLog(log: Pick<FastifyBaseLogger, 'info' | 'warn'>): void {
  console.info = (...parts) => log.info({ from: 'console' }, format(...parts))
  console.warn = (...parts) => log.warn({ from: 'console' }, format(...parts))
}
