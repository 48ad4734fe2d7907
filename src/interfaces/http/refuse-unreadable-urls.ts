import type { FastifyInstance } from 'fastify'
import { parseUrl } from '../../infra/net/parse-url.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { refusalRoute } from './route-guards.ts'

const UNREADABLE_ROUTE = '/.unroutable'

/**
 * Returns the URL that the router gets for a request. For an unreadable URL, returns the path of a route that refuses
 * requests. Otherwise, the router would refuse the URL before any hook runs, and the answer would lack the usual
 * headers.
 */
export const routableUrl = (url: string): string =>
  isDecodable(url) && !isBrokenAbsoluteUrl(url) ? url : UNREADABLE_ROUTE

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url.split('?')[0] ?? '')
    return true
  } catch {
    return false
  }
}

/**
 * Whether the URL of a request is absolute and malformed, for example without a host or with a fragment. Usually, only
 * proxies get absolute URLs, but each server must accept them.
 */
const isBrokenAbsoluteUrl = (url: string): boolean =>
  /^https?:\/\//i.test(url) && (!/^https?:\/\/[^/?#]/i.test(url) || url.includes('#') || !parseUrl(url))

/**
 * Refuses URLs that the router cannot read, or that a proxy can understand as another path. For example, `/%6detrics`
 * is the same path as `/metrics` (RFC 3986), but some proxies block only `/metrics`. Therefore the fixed parts of a
 * path must not contain escapes. Parameters in a path, such as an id, may contain escapes.
 */
export function refuseUnreadableAddresses(app: FastifyInstance) {
  app.all(UNREADABLE_ROUTE, refusalRoute, () => {
    throw new ProtocolError('invalid_request', 'The address is malformed, or its path has an invalid percent-encoding.')
  })
  app.addHook('onRequest', ({ url, routeOptions: { url: route } }, reply, done) => {
    if (route !== undefined && url.includes('%') && !isPlain(url, route)) return reply.callNotFound()
    done()
  })
}

/** Whether the fixed parts of the URL path contain no escapes, such as `%6d` for the letter m. */
function isPlain(url: string, route: string): boolean {
  const parts = pathOf(url).split('/')
  return route.split('/').every((part, index) => /[:*]/.test(part) || part === parts[index])
}

const pathOf = (url: string) => url.replace(/^https?:\/\/[^/?]*/i, '').replace(/[?#].*/s, '')
