import type { FastifyInstance } from 'fastify'
import { parseUrl } from '../../infra/net/parse-url.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { refusalRoute } from './guards.ts'

const UNREADABLE_ROUTE = '/.unroutable'

/**
 * Returns the address that the router uses. The router would refuse an unreadable address before any hook runs, and the
 * answer would lack the usual headers. So the server sends unreadable addresses to a separate route.
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
 * Whether an absolute URL has no host or has a fragment. Clients send absolute URLs to proxies, but servers must accept
 * them too.
 */
const isBrokenAbsoluteUrl = (url: string): boolean =>
  /^https?:\/\//i.test(url) && (!/^https?:\/\/[^/?#]/i.test(url) || url.includes('#') || !parseUrl(url))

/**
 * Refuses addresses that the router cannot read, or that a proxy may read as another path. For example, RFC 3986 says
 * that `/%6detrics` is `/metrics`. A proxy that blocks `/metrics` may compare characters and let `/%6detrics` through.
 * So the fixed parts of a path must be unescaped. Parameters in a path, such as an id, may be escaped.
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

/** Whether the address contains all fixed parts of the route unescaped. */
function isPlain(url: string, route: string): boolean {
  const parts = pathOf(url).split('/')
  return route.split('/').every((part, index) => /[:*]/.test(part) || part === parts[index])
}

const pathOf = (url: string) => url.replace(/^https?:\/\/[^/?]*/i, '').replace(/[?#].*/s, '')
