import type { FastifyInstance } from 'fastify'
import { parseUrl } from '../../infra/net/parse-url.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { refusalRoute } from './route-guards.ts'

const UNREADABLE_ROUTE = '/.unroutable'

/**
 * Returns the address of a request for the router. The router refuses an unreadable address before any hook runs, and
 * its answer would lack the usual headers. The server therefore sends unreadable addresses to a separate route.
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
 * Whether a request contains a malformed absolute URL: one without a host, or with a fragment. Clients send absolute
 * URLs to proxies, but servers must accept them too.
 */
const isBrokenAbsoluteUrl = (url: string): boolean =>
  /^https?:\/\//i.test(url) && (!/^https?:\/\/[^/?#]/i.test(url) || url.includes('#') || !parseUrl(url))

/**
 * Refuses addresses that the router cannot read, or that a proxy can understand as another path. By RFC 3986, for
 * example, `/%6detrics` is the same as `/metrics`, but some proxies that block `/metrics` do not block `/%6detrics`.
 * The fixed parts of a path must therefore be unescaped. Parameters in a path, such as an id, can be escaped.
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

/**
 * Whether the address spells all fixed parts of the route without escapes such as `%6d`. The server refuses other
 * addresses.
 */
function isPlain(url: string, route: string): boolean {
  const parts = pathOf(url).split('/')
  return route.split('/').every((part, index) => /[:*]/.test(part) || part === parts[index])
}

const pathOf = (url: string) => url.replace(/^https?:\/\/[^/?]*/i, '').replace(/[?#].*/s, '')
