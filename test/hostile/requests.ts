import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, InjectOptions, RouteOptions } from 'fastify'
import pino from 'pino'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { textProviderReplace } from '../../src/core/business/text-provider-queries.ts'
import { seal } from '../../src/core/keys/encrypt-secrets.ts'
import { ensureSigningKey } from '../../src/core/keys/signing-keys.ts'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import { ucpOperations } from '../../src/domain/ucp-checkouts/operations.ts'
import { readConfig } from '../../src/infra/config/read-config.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { routableUrl } from '../../src/interfaces/http/refuse-unreadable-urls.ts'
import { UCP_MCP_PATH } from '../../src/protocol/base-url-paths.ts'
import { bodyBounds } from '../../src/protocol/parse-json-safely.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { operations } from '../../src/server/all-operations.ts'
import { makeRuntime } from '../../src/server/build-dependencies.ts'
import { buildApp } from '../../src/server/build-http-app.ts'
import { businessWith, service } from '../support/definitions.ts'
import { generousLimits } from '../support/generous-limits.ts'
import { hostileDocuments } from './documents.ts'
import type { Subject } from './measure.ts'
import { piecesOfJson } from './pieces.ts'
import { headerNames } from './source.ts'

const KIBIBYTE = 1024
/** Of all headers together, the address among them; of the body of a form; of any other body. */
const HEADERS = 15 * KIBIBYTE
const FORM = 256 * KIBIBYTE
/** The authorization server reads no more. */
const OF_PROVIDER = 55 * KIBIBYTE
const BODY = 1024 * KIBIBYTE
const SECRET = 'a secret key that only the tests know'

const definition = businessWith([service('svc_a')], {
  authorization: { sandbox: true, identity_linking: true },
  registry: { enabled: true },
  payments: { provider: 'stripe' },
})
const ofUcp = businessWith([service('svc_a')], {
  deployment_mode: 'ucp_native',
  ucp_checkout: { enabled: true },
})
/** Without it nobody would take apart what is said to come from Stripe. */
const env = { STRIPE_SECRET_KEY: 'sk_test_none', STRIPE_WEBHOOK_SECRET: 'whsec_none' }

/** Read by others than our own source: the server below it, its plugins and what it is built on. */
const headersOfOthers = ['accept-language', 'access-control-request-headers', 'connection', 'content-type', 'forwarded']
const more = ['host', 'if-modified-since', 'mcp-protocol-version', 'origin', 'range', 'transfer-encoding', 'ucp-agent']
const names = [
  ...new Set([...headerNames, ...headersOfOthers, ...more, 'usp-agent', 'x-forwarded-for', 'x-forwarded-proto']),
].filter((name) => !['get', 'map', 'set', 'transfer-encoding', 'connection'].includes(name))

const leads = ['', 'sig=(', 'W/"']
const pieces = [
  'a',
  ' ',
  '"',
  ',',
  ';',
  '=',
  '.',
  '\\',
  '"a",',
  'a=1,',
  ';a=1',
  '"a" ',
  '"a";key="b" ',
  '%41',
  ':',
  '/',
]
const inAddresses = ['a', '.', '%41', '%', '~', '/', 'a=1&', '&', '+', '?']
const inBodies = [...piecesOfJson, '1e']
const inForms = ['&', '=', 'a&', 'a=1&', '%41', '%', '+', 'email=a@.', 'scope=a&', ';', '\u00e9']

/** Every route of a whole server, every header it reads and every input of its operations, sent as a stranger might. */
export async function subjects({
  databaseUrl,
  only = '',
  hasCheckout = false,
}: {
  databaseUrl: string
  only?: string
  /** Whether the business is one of UCP: it has the checkout of UCP, and no booking pages. Only the checkout is tried. */
  hasCheckout?: boolean
}): Promise<Record<string, Subject>> {
  const routes: RouteOptions[] = []
  subscribe('fastify.initialization', (message) => {
    const { fastify }: { fastify?: FastifyInstance } = Object(message)
    fastify?.addHook('onRoute', (route) => void routes.push(route))
  })
  const { app, token } = await server(databaseUrl, hasCheckout ? ofUcp : definition)
  const sent = (largest: number, make: (size: number) => InjectOptions): Subject => ({
    largest,
    prepare(size) {
      const options = make(Math.floor(size))
      return () => app.inject(options)
    },
  })
  const open = routes.flatMap(({ method, url }) => [method].flat().map((one) => ({ method: one, url })))
  const known: typeof open = []
  // Where a path lacks the method, that is all there is to it.
  for (const { method, url } of open.filter(({ method }) => ['GET', 'POST', 'PUT', 'DELETE'].includes(method))) {
    if (isLikeOthers(url) || url.startsWith('/ucp/') !== hasCheckout) continue
    const { statusCode } = await app.inject({ method: method as 'GET', url })
    // What reads a body and is switched off would be put to no test, and nobody would see it.
    if (statusCode === 404 && method === 'POST' && !/[:*]/.test(url)) throw new Error(`${url} is not served`)
    if (statusCode !== 405) known.push({ method, url })
  }
  const entries: [string, Subject][] = []

  for (const { method, url } of known) {
    const route = { method, url } as { method: 'GET'; url: string }
    const isForm = !/^\/(usp|ucp)\//.test(url) && !url.includes('stripe')
    const type = { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }
    for (const piece of inAddresses) {
      const filled = (size: number) => url.replaceAll(/:\w+|\*/g, () => repeat(piece, size / 2).replaceAll('/', 'a'))
      entries.push(
        [`${method} ${url} with ${piece} in its path`, sent(HEADERS, (size) => ({ ...route, url: filled(size) }))],
        [`${method} ${url}?${piece}`, sent(HEADERS, (size) => ({ ...route, url: `${url}?${repeat(piece, size)}` }))],
      )
    }
    for (const piece of pieces)
      entries.push([
        `${method} ${url} with ${piece} in every header`,
        sent(HEADERS, (size) => ({
          ...route,
          headers: Object.fromEntries(names.map((name) => [name, repeat(piece, size)])),
        })),
      ])
    if (method === 'GET' || method === 'DELETE') continue
    for (const piece of isForm ? inForms : inBodies)
      entries.push([
        `${method} ${url} with a body of ${piece}`,
        sent(url.startsWith('/oauth') ? OF_PROVIDER : isForm ? FORM : BODY, (size) => ({
          ...route,
          headers: type,
          payload: repeat(piece, size),
        })),
      ])
  }

  if (hasCheckout) {
    for (const { tool, input } of ucpOperations)
      for (const { what, make } of hostileDocuments(input)) {
        const meta = { 'ucp-agent': { profile: 'https://a.example/profile' } }
        const call = (checkout: unknown) => ({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: tool, arguments: { meta, id: 'chk_a', checkout } },
        })
        entries.push([
          `${tool} with ${what}`,
          sent(bodyBounds.mostValues - 10, (values) => ({
            method: 'POST',
            url: UCP_MCP_PATH,
            headers: { 'content-type': 'application/json' },
            payload: JSON.stringify(call(make(values))),
          })),
        ])
      }
    return Object.fromEntries(entries.filter(([name]) => name.includes(only)))
  }

  const deep = ['POST /usp/v1/bookings', 'GET /usp/v1/services/feed', 'POST /account']
  for (const name of names)
    for (const where of deep)
      for (const lead of leads)
        for (const piece of pieces) {
          const [method, url] = where.split(' ') as ['GET', string]
          const headers = (size: number) => ({
            'content-type': 'application/json',
            ...(name === 'signature-input' && { signature: 'sig=:AAAA:' }),
            ...(name === 'signature' && { 'signature-input': 'sig=("@method")' }),
            [name]: lead + repeat(piece, size - lead.length),
          })
          entries.push([
            `${where} with ${name}: ${lead}${piece}`,
            sent(HEADERS, (size) => ({
              method,
              url,
              headers: headers(size),
              ...(method !== 'GET' && { payload: '{}' }),
            })),
          ])
        }

  for (const where of ['http://', 'http://a/', 'http://a', '//', '/..', '/usp/v1/'])
    for (const piece of [...inAddresses, 'a.', '[', '1.', '@', ':', '#'])
      for (const end of ['', '/#x', '?', '\\'])
        entries.push([
          `an address of ${where}${piece}${end}`,
          {
            largest: HEADERS,
            prepare(size) {
              const address = where + repeat(piece, size) + end
              return () => routableUrl(address)
            },
          },
        ])

  for (const operation of operations)
    for (const { what, make } of hostileDocuments(operation.input)) {
      const headers = {
        'content-type': 'application/json',
        ...(operation.access === 'business_only' && { authorization: `Bearer ${token}` }),
      }
      const call = (input: unknown) => ({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: operation.tool, arguments: input },
      })
      entries.push([
        `${operation.tool} with ${what}`,
        sent(bodyBounds.mostValues - 10, (values) => ({
          method: 'POST',
          url: '/usp/mcp',
          headers,
          payload: JSON.stringify(call(make(values))),
        })),
      ])
    }
  for (const method of ['initialize', 'tools/list', 'tools/call', 'server/discover', 'ping', 'notifications/progress'])
    for (const [what, wide] of Object.entries(wideValues)) {
      const params = (values: number) => ({
        protocolVersion: '2025-11-25',
        clientInfo: { name: 'n', version: '1', icons: wide(values) },
        capabilities: { experimental: wide(values), tasks: wide(values), elicitation: wide(values) },
        name: 'usp_none',
        _meta: { progressToken: 1, 'io.modelcontextprotocol/clientCapabilities': wide(values) },
        requestedSchema: wide(values),
      })
      entries.push([
        `${method} over MCP with ${what}`,
        sent(bodyBounds.mostValues / 5 - 10, (values) => ({
          method: 'POST',
          url: '/usp/mcp',
          headers: { 'content-type': 'application/json' },
          payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params(Math.floor(values)) }),
        })),
      ])
    }
  const toAssistants = (params: object) => ({
    method: 'POST' as const,
    url: '/mcp',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const told = (link: string) => toAssistants({ name: 'tell_business', arguments: { words: 'Late', link } })
  const again = (requestState: string) =>
    toAssistants({ name: 'book', arguments: { slot_id: 'slot_x' }, requestState, inputResponses: {} })
  entries.push(
    ['tell_business with a long link', sent(3_900, (size) => told(`https://x.example/?visit=${repeat('&%41', size)}`))],
    ['book with what a client comes again with', sent(100_000, (size) => again(repeat('e30.', size)))],
  )
  return Object.fromEntries(entries.filter(([name]) => name.includes(only)))
}

/** Whoever is not signed in is told so at each page of the desk before anything is read of it: some stand for all. */
const isLikeOthers = (url: string) =>
  url.startsWith('/desk/') && !/^\/desk\/(enter\/:secret|bookings\/:id|live|setup|[\w.]+\.\w+)$/.test(url)

const wideValues: Record<string, (values: number) => unknown> = {
  'many wrong members': (values) => Object.fromEntries(Array.from({ length: values }, (_, nth) => [`x${nth}`, 1])),
  'many wrong items': (values) => Array(values).fill(1),
  'many empty objects': (values) => Array(values).fill({}),
}

const repeat = (piece: string, size: number) =>
  piece.repeat(Math.max(0, Math.ceil(size / piece.length))).slice(0, Math.max(0, size))

async function server(databaseUrl: string, business: BusinessDefinition) {
  const config = readConfig(env)
  const db = openDatabase(databaseUrl, 10, () => {})
  const now = new Date()
  const log = pino({ level: 'silent' })
  const runtime = makeRuntime({
    config,
    db,
    clock: () => new Date(),
    log,
    secretKey: SECRET,
    operations,
    limits: generousLimits,
  })
  await ensureSigningKey(db, SECRET, now)
  await applyDefinition(db, business, now)
  // Without a provider of text messages nobody would take apart what is said to come from it.
  await db.transaction().execute((tx) =>
    textProviderReplace(tx, {
      ...{ adapter: 'twilio', url: 'https://api.twilio.com', account: '', sender: 'Salon', daily_limit: 1 },
      ...{ secret: seal(runtime.textProviderKey, 'x'), countries: ['US'], topics: ['reminder'] },
      ...{ quiet_from: null, quiet_until: null, price: null },
    }),
  )
  const token = await addStaff(db, 'Jo', 'owner', now)
  return { app: await buildApp(runtime), token }
}
