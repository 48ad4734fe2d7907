import type { FastifyInstance } from 'fastify'
import { ProtocolError } from '../../protocol/errors.ts'
import { refusal } from './guards.ts'

const INVALID_URL_ROUTE = '/.unroutable'

/**
 * The address to route by. One that the router cannot read would be refused before any hook runs, without the headers
 * that every answer has; so it gets a route of its own.
 */
export const routableUrl = (url: string): string =>
  isDecodable(url) && !isBrokenAbsoluteUrl(url) ? url : INVALID_URL_ROUTE

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?')[0] ?? '')
    return true
  } catch {
    return false
  }
}

/** A proxy is sent the whole address; here it may come too, but then it has a host and no fragment. */
const isBrokenAbsoluteUrl = (url: string): boolean =>
  /^https?:\/\//i.test(url) && (!/^https?:\/\/[^/?#]/i.test(url) || url.includes('#') || !URL.canParse(url))

export function refuseInvalidUrl(app: FastifyInstance) {
  app.all(INVALID_URL_ROUTE, refusal, () => {
    throw new ProtocolError('invalid_request', 'The address is malformed, or its path not validly percent-encoded.')
  })
}
