import type { FastifyInstance } from 'fastify'

/** Of one body. The largest comes in half as many where a network takes only its smallest packets. */
const MOST_PIECES = 4096

/**
 * A body comes in pieces of any size, and each takes far more memory and time than it holds: a mebibyte in chunks of one
 * byte took half a gigabyte. Who sends that many loses the connection.
 */
export function fewPieces(app: FastifyInstance) {
  app.addHook('preParsing', (_request, _reply, payload, done) => {
    let count = 0
    payload.on('data', () => {
      if (++count > MOST_PIECES) payload.destroy()
    })
    done(null, payload)
  })
}
