import type { FastifyInstance } from 'fastify'

/**
 * A path of ours is written plainly. `/%6detrics` is the same path by RFC 3986, but a proxy that keeps `/metrics` to
 * itself may compare letter by letter and let it through. What callers put into a path, such as an id, may be escaped.
 */
export function refuseEscapedPaths(app: FastifyInstance) {
  app.addHook('onRequest', async ({ url, routeOptions: { url: route } }, reply) => {
    if (route !== undefined && url.includes('%') && !isPlain(url, route)) return reply.callNotFound()
  })
}

/** Whether each part of the route that is fixed stands in the address as it is. */
function isPlain(url: string, route: string): boolean {
  const parts = pathOf(url).split('/')
  return route.split('/').every((part, index) => /[:*]/.test(part) || part === parts[index])
}

/** Without the host, which an address for a proxy has, and what is asked. */
const pathOf = (url: string) => url.replace(/^https?:\/\/[^/?]*/i, '').replace(/[?#].*/s, '')
