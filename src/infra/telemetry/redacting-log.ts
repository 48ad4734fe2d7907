import type { FastifyBaseLogger } from 'fastify'
import { stdSerializers } from 'pino'

/** Members of a PostgreSQL error that quote the row it was about, and so may name a person. */
const ROW_CONTENTS = ['detail', 'where', 'internalQuery']

/** The same log, but logged errors leave out the members that may quote personal data. */
export const redactingLog = (log: FastifyBaseLogger): FastifyBaseLogger =>
  log.child(
    {},
    {
      serializers: {
        // A value that is thrown need not be an Error; then there are no members to leave out.
        err: (error: unknown) =>
          error instanceof Error
            ? Object.fromEntries(
                Object.entries(stdSerializers.err(error)).filter(([member]) => !ROW_CONTENTS.includes(member)),
              )
            : error,
      },
    },
  )
