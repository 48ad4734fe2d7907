import type { FastifyInstance } from 'fastify'
import { parseUrl } from '../../infra/net/parse-url.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { refusalRoute } from './guards.ts'

const UNREADABLE_ROUTE = '/.unroutable'

/**
 * The address to route by. The router would refuse an unreadable address before any hook runs, and without the headers of
 * every answer. Such an address therefore has a separate route.
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

/** Absolute URLs are for proxies, but servers must accept them too. They need a host and must have no fragment. */
const isBrokenAbsoluteUrl = (url: string): boolean =>
  /^https?:\/\//i.test(url) && (!/^https?:\/\/[^/?#]/i.test(url) || url.includes('#') || !parseUrl(url))

/**
 * Refuses addresses that the router cannot read or that a proxy may read as another path. `/%6detrics` is `/metrics` by RFC
 * 3986. A proxy that blocks `/metrics` may compare characters and let it through. Fixed parts of our paths must therefore
 * be unescaped. Parameters in a path, such as an id, may be escaped.
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

/** Whether all fixed parts of the route appear unescaped in the address. */
function isPlain(url: string, route: string): boolean {
  const parts = pathOf(url).split('/')
  return route.split('/').every((part, index) => /[:*]/.test(part) || part === parts[index])
}

const pathOf = (url: string) => url.replace(/^https?:\/\/[^/?]*/i, '').replace(/[?#].*/s, '')
