import type { RequestListener } from 'node:http'

const routed = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Node accepts about thirty more methods, such as QUERY and PROPFIND, and this server supports none of them. They are
 * routed as TRACE, which no route supports: each path then answers 405 and lists its allowed methods, without one route for
 * each method.
 */
export const routeUnknownMethods =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    if (!routed.has(request.method ?? '')) request.method = 'TRACE'
    handler(request, response)
  }
