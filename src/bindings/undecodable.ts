import type { FastifyInstance } from 'fastify'
import { ProtocolError } from '../protocol/errors.ts'

const UNDECODABLE = '/.undecodable'

/**
 * The address to route by. One whose percent-encoding is broken would be refused before any hook runs, without the
 * headers that every answer has; so it gets a route of its own.
 */
export function routableUrl(url: string): string {
  try {
    decodeURIComponent(url.split('?')[0] ?? '')
    return url
  } catch {
    return UNDECODABLE
  }
}

export function refuseUndecodable(app: FastifyInstance) {
  app.all(UNDECODABLE, () => {
    throw new ProtocolError('invalid_request', 'The path is not validly percent-encoded.')
  })
}
