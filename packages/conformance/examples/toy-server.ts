/**
 * A small example server that offers only a catalogue: the first step of a new implementation. Start this server, and
 * run the suite against it. The report says what to implement next.
 *
 *   node toy-server.ts 8090
 *   npx usp-conformance http://127.0.0.1:8090
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

const VERSION = '2026-08-20'
const PAGE = 20
const MAX_BODY_BYTES = 64 * 1024
const port = Number(process.argv[2] ?? 8090)
const origin = `http://127.0.0.1:${port}`

const document = (path: string) => `https://usp-protocol.dev/${path}`
const usp = { version: VERSION, capabilities: { 'dev.usp-protocol.services.catalog': [{ version: VERSION }] } }

const services = [
  service('svc_haircut', 'Haircut', 'PT45M', 4500),
  service('svc_shave', 'Shave', 'PT20M', 2000),
  service('svc_color', 'Color', 'PT2H', 14_000),
]

const profile = {
  usp: {
    version: VERSION,
    services: {
      'dev.usp-protocol.services': [
        {
          version: VERSION,
          transport: 'rest',
          endpoint: `${origin}/usp/v1`,
          spec: document('specification'),
          schema: document('schemas/openapi/usp-rest.json'),
        },
      ],
    },
    capabilities: {
      'dev.usp-protocol.services.catalog': [
        { version: VERSION, spec: document('specification'), schema: document('schemas/services/catalog.json') },
      ],
    },
    business: { name: 'Toy Barber', timezone: 'Europe/Berlin', currency: 'EUR' },
  },
}

function service(id: string, name: string, duration: string, amount: number) {
  return {
    id,
    name,
    business_id: 'biz_toy',
    type: 'appointment',
    duration: { fixed: duration },
    pricing: { model: 'fixed', amount, currency: 'EUR' },
    channel: { type: 'at_business_location' },
    policies: {
      cancellation: { allowed: true },
      rescheduling: { allowed: true },
      confirmation_mode: 'auto',
      requires_payment: true,
      payment_timing: 'at_service',
    },
  }
}

class Problem extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, detail: string) {
    super(detail)
    this.status = status
    this.code = code
  }
}

type Body = Record<string, unknown>
type Handler = (body: Body, id: string) => object

const routes: [string, RegExp, Handler][] = [
  ['POST', /^\/usp\/v1\/services\/list$/, listServices],
  ['POST', /^\/usp\/v1\/services\/lookup$/, lookupServices],
  ['GET', /^\/usp\/v1\/services\/([^/]+)$/, (_, id) => ({ usp, service: find(id) })],
  ['GET', /^\/\.well-known\/usp$/, () => profile],
]

function listServices(body: Body): object {
  const { limit = PAGE, cursor = null } = (body.pagination ?? {}) as { limit?: number; cursor?: string | null }
  if (!Number.isInteger(limit) || limit < 1)
    throw new Problem(422, 'validation_error', 'pagination.limit must be positive.')
  const start = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64url').toString())
  if (!(start >= 0 && start <= services.length))
    throw new Problem(400, 'cursor_expired', 'Start again with the first page.')
  const end = Math.min(start + limit, services.length)
  const hasMore = end < services.length
  return {
    usp,
    services: services.slice(start, end),
    pagination: { cursor: hasMore ? Buffer.from(String(end)).toString('base64url') : null, has_more: hasMore },
  }
}

function lookupServices({ ids }: Body): object {
  if (ids === undefined) throw new Problem(400, 'invalid_request', 'ids is missing.')
  if (!Array.isArray(ids) || ids.length === 0)
    throw new Problem(422, 'validation_error', 'ids must be a list with an id.')
  const unknown = ids.flatMap((id, n) => (services.some((known) => known.id === id) ? [] : [{ id, n }]))
  const messages = unknown.map(({ id, n }) => ({
    type: 'warning',
    code: 'service_unresolved',
    content: `There is no service ${id}.`,
    path: `$.ids[${n}]`,
  }))
  const found = services.filter(({ id }) => ids.includes(id))
  return { usp, services: found, ...(messages.length > 0 && { messages }) }
}

function find(id: string) {
  const found = services.find((known) => known.id === id)
  if (!found) throw new Problem(404, 'service_not_found', `There is no service ${id}.`)
  return found
}

createServer(async (request, response) => {
  try {
    answer(response, 200, await handle(request))
  } catch (error) {
    const { status, code, message } =
      error instanceof Problem ? error : new Problem(500, 'internal_error', 'The server failed.')
    const type = `https://usp-protocol.dev/errors/${code.replaceAll('_', '-')}`
    answer(response, status, { type, title: code, status, code, detail: message }, 'application/problem+json')
  }
}).listen(port, '127.0.0.1', () => console.log(`The toy server is at ${origin}`))

async function handle(request: IncomingMessage): Promise<object> {
  const { pathname } = new URL(request.url ?? '/', origin)
  for (const [method, pattern, handler] of routes) {
    const match = request.method === method && pattern.exec(pathname)
    if (match) return handler(await bodyOf(request), decodeURIComponent(match[1] ?? ''))
  }
  throw new Problem(404, 'not_found', `There is nothing at ${pathname}.`)
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.length > MAX_BODY_BYTES) throw new Problem(413, 'content_too_large', 'The body is too large.')
  }
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem(400, 'invalid_request', 'The body is not JSON.')
  }
}

function answer(response: ServerResponse, status: number, body: object, contentType = 'application/json'): void {
  const caching = body === profile ? { 'cache-control': 'public, max-age=300' } : {}
  response.writeHead(status, { 'content-type': contentType, ...caching }).end(JSON.stringify(body))
}
