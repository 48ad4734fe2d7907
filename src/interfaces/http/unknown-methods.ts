import type { RequestListener } from 'node:http'

const routed = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Node reads some thirty methods more, such as QUERY and PROPFIND, and nothing here answers any of them. They are routed as
 * TRACE, which nothing ever may answer: so each path refuses them and names its own, without a branch for every one.
 */
export const routeUnknownMethods =
  (handler: RequestListener): RequestListener =>
  (request, response) => {
    if (!routed.has(request.method ?? '')) request.method = 'TRACE'
    handler(request, response)
  }
