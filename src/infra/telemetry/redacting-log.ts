import { format } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import { stdSerializers } from 'pino'

/** The properties of a PostgreSQL error that quote values of a row. These values can be personal data. */
const ROW_MEMBERS = ['detail', 'where', 'internalQuery']

/** Creates a log that leaves out the parts of errors that can contain personal data. */
export const redactingLog = (log: FastifyBaseLogger): FastifyBaseLogger =>
  log.child(
    {},
    {
      serializers: {
        // Code can throw values that are not `Error` objects. The log shows these values in full, because they have no
        // properties to leave out.
        err: (error: unknown) =>
          error instanceof Error
            ? Object.fromEntries(
                Object.entries(stdSerializers.err(error)).filter(([member]) => !ROW_MEMBERS.includes(member)),
              )
            : error,
      },
    },
  )

/** Writes console output to the log, because libraries such as oidc-provider print notices to the console. */
export function sendConsoleToLog(log: Pick<FastifyBaseLogger, 'info' | 'warn'>): void {
  console.info = (...parts) => log.info({ from: 'console' }, format(...parts))
  console.warn = (...parts) => log.warn({ from: 'console' }, format(...parts))
}
