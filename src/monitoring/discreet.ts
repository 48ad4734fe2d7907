import type { FastifyBaseLogger } from 'fastify'
import { stdSerializers } from 'pino'

/** What PostgreSQL tells of a row that it refuses: what was in it, and so whom it was about. */
const ofRows = ['detail', 'where', 'internalQuery']

/** The same log, where errors keep to themselves whom they befell. */
export const discreet = (log: FastifyBaseLogger): FastifyBaseLogger =>
  log.child(
    {},
    {
      serializers: {
        // Somebody may throw what is no error: that has no members to leave out.
        err: (error: unknown) =>
          error instanceof Error
            ? Object.fromEntries(
                Object.entries(stdSerializers.err(error)).filter(([member]) => !ofRows.includes(member)),
              )
            : error,
      },
    },
  )
