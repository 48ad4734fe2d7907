import { once } from 'node:events'
import { createServer, request as forward, type IncomingHttpHeaders } from 'node:http'
import { afterAll } from 'vitest'

/** `cut` lets the business act and drops its answer; anything else is answered in the business's stead. */
export type Mishap = 'cut' | { status: number; headers?: Record<string, string>; body?: object | string }

export interface Seen {
  headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  body: any
}

export interface Proxy {
  /** What befalls the next calls of operations, in this order. */
  mishaps: Mishap[]
  /** The calls of operations that came. */
  seen: Seen[]
  /** The port of the business behind. */
  target: number
}

/** Stands between a client and the business, and lets things go wrong. Reading the profile is never disturbed. */
export async function openProxy(port: number): Promise<Proxy> {
  const proxy: Proxy = { mishaps: [], seen: [], target: 0 }
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const isCall = request.method !== 'GET' || !request.url?.startsWith('/.well-known')
    if (isCall)
      proxy.seen.push({ headers: request.headers, body: body.length > 0 ? JSON.parse(String(body)) : undefined })
    const mishap = isCall ? proxy.mishaps.shift() : undefined
    if (mishap !== undefined && mishap !== 'cut') {
      response.writeHead(mishap.status, mishap.headers)
      response.end(typeof mishap.body === 'object' ? JSON.stringify(mishap.body) : mishap.body)
      return
    }
    const { method, headers, url: path } = request
    const onward = forward({ host: '127.0.0.1', port: proxy.target, method, headers, path }).end(body)
    const [answer] = await once(onward, 'response')
    const said = Buffer.concat(await answer.toArray())
    if (mishap === 'cut') request.socket.destroy()
    else response.writeHead(answer.statusCode, answer.headers).end(said)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return proxy
}
