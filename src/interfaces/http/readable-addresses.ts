import type { FastifyInstance } from 'fastify'
import { parseUrl } from '../../infra/net/parse-url.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { refusal } from './guards.ts'

const UNREADABLE_ROUTE = '/.unroutable'

/**
 * The address to route by. One that the router cannot read would be refused before any hook runs, without the headers
 * that every answer has; so it gets a route of its own.
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

/** A proxy is sent the whole address; here it may come too, but then it has a host and no fragment. */
const isBrokenAbsoluteUrl = (url: string): boolean =>
  /^https?:\/\//i.test(url) && (!/^https?:\/\/[^/?#]/i.test(url) || url.includes('#') || !parseUrl(url))

/**
 * Refuses what the router cannot read, and what others may read as another path than it does. `/%6detrics` is `/metrics` by
 * RFC 3986, but a proxy that keeps `/metrics` to itself may compare letter by letter and let it through: a path of ours is
 * written plainly. What callers put into a path, such as an id, may be escaped.
 */
export function refuseUnreadableAddresses(app: FastifyInstance) {
  app.all(UNREADABLE_ROUTE, refusal, () => {
    throw new ProtocolError('invalid_request', 'The address is malformed, or its path not validly percent-encoded.')
  })
  app.addHook('onRequest', ({ url, routeOptions: { url: route } }, reply, done) => {
    if (route !== undefined && url.includes('%') && !isPlain(url, route)) return reply.callNotFound()
    done()
  })
}

/** Whether each part of the route that is fixed stands in the address as it is. */
function isPlain(url: string, route: string): boolean {
  const parts = pathOf(url).split('/')
  return route.split('/').every((part, index) => /[:*]/.test(part) || part === parts[index])
}

/** Without the host, which an address for a proxy has, and what is asked. */
const pathOf = (url: string) => url.replace(/^https?:\/\/[^/?]*/i, '').replace(/[?#].*/s, '')
