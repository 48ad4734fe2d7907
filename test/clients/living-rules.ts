/**
 * Checks 60 rules of the living protocol against running servers, over HTTP alone:
 *
 *   node test/clients/living-rules.ts STANDALONE_ORIGIN UCP_ORIGIN
 *
 * It prints one line for each rule: `LIV-007 ok: title`, or `LIV-007 deviates: request; answer; title`. It imports nothing from the
 * server, so it reads the protocol as a stranger does. living-rules.test.ts starts the servers and names their settings.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import { setTimeout } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: the protocol describes the answers
type Json = any

const [, , standalone = '', ucp = ''] = process.argv
const { PLATFORM_PORT = '8445', STRIPE_STAND_IN_PORT = '12112' } = process.env
const ERRORS = 'https://usp-protocol.dev/errors/'
const USP = '2026-08-20'
const UCP = '2026-08-25'

// ---- Platforms: each has a key and a profile ----

interface Platform {
  key: KeyObject
  kid: string
  /** The address of its profile for each header that names it: the agent header of USP, and that of UCP. */
  profiles: { 'usp-agent': string; 'ucp-agent': string }
}

const ofUsp = (schema: string) => ({
  version: USP,
  spec: 'https://usp-protocol.dev/specification',
  schema: `https://usp-protocol.dev/schemas/services/${schema}.json`,
})
const ofUcp = (schema: string) => ({
  version: UCP,
  spec: `https://ucp.dev/${UCP}/specification/${schema}/`,
  schema: `https://ucp.dev/${UCP}/schemas/${schema}.json`,
})
const SERVICES = 'dev.usp-protocol.services'
const uspCapabilities: Json = {
  [`${SERVICES}.catalog`]: [ofUsp('catalog')],
  [`${SERVICES}.availability`]: [ofUsp('availability')],
  [`${SERVICES}.bookings`]: [ofUsp('booking')],
  [`${SERVICES}.waitlist`]: [ofUsp('waitlist')],
  'dev.usp-protocol.discovery.registry': [ofUsp('registry')],
}
const CHECKOUT = 'dev.ucp.shopping.checkout'
const TERMS = 'dev.ucp.common.payment.terms'
const ucpCapabilities: Json = {
  ...uspCapabilities,
  [CHECKOUT]: [ofUcp('shopping/checkout')],
  'dev.ucp.shopping.order': [ofUcp('shopping/order')],
  [TERMS]: [{ ...ofUcp('common/payment_terms'), extends: [CHECKOUT, 'dev.ucp.shopping.order'] }],
  [`${SERVICES}.paid_bookings`]: [{ ...ofUsp('paid_bookings'), extends: CHECKOUT }],
  [`${SERVICES}.pay_at_service`]: [{ ...ofUsp('pay_at_service'), extends: CHECKOUT }],
}

/** The published profiles, by path. */
const published = new Map<string, Json>()
const platformOrigin = `https://127.0.0.1:${PLATFORM_PORT}`

function platform(name: string, changes: { usp?: Json; ucp?: Json } = {}): Platform {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { crv, kty, x, y } = publicKey.export({ format: 'jwk' })
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  const keys = [{ kid, kty, crv, x, y, use: 'sig', alg: 'ES256' }]
  const usp = { version: USP, capabilities: { ...uspCapabilities, ...changes.usp } }
  const shopping = {
    version: UCP,
    services: {},
    capabilities: { ...ucpCapabilities, ...changes.ucp },
    payment_handlers: {},
  }
  published.set(`/${name}.json`, { usp, keys })
  published.set(`/${name}-ucp.json`, { ucp: shopping, keys })
  const urls = { 'usp-agent': `${platformOrigin}/${name}.json`, 'ucp-agent': `${platformOrigin}/${name}-ucp.json` }
  return { key: privateKey, kid, profiles: urls }
}

const ann = platform('ann')
const ben = platform('ben')
/** Its profile does not list bookings. */
const reader = platform('reader', { usp: { [`${SERVICES}.bookings`]: undefined } })
/** The schema of its bookings comes from a foreign origin. */
const foreign = platform('foreign', {
  usp: { [`${SERVICES}.bookings`]: [{ ...ofUsp('booking'), schema: 'https://elsewhere.example/booking.json' }] },
})
/** One USP entry of its UCP profile lacks `spec` and `schema`, and so does an entry of another owner. */
const careless = platform('careless', {
  ucp: { [`${SERVICES}.waitlist`]: [{ version: USP }], 'com.example.loyalty': [{ version: '1' }] },
})

// ---- Calls ----

interface Answer {
  status: number
  headers: Headers
  body: Json
  /** The request and the answer in short, for the report. */
  story: string
}

const short = (value: unknown, length = 300) => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** Signs a request (RFC 9421). */
function signature(by: Platform, method: string, url: URL, headers: Record<string, string>) {
  const components: [string, string][] = [
    ['@method', method],
    ['@authority', url.host],
    ['@path', url.pathname],
    ...(url.search ? ([['@query', url.search]] as [string, string][]) : []),
    ...Object.entries(headers),
  ]
  const parameters = `(${components.map(([name]) => `"${name}"`).join(' ')});created=${seconds()};keyid="${by.kid}"`
  const base = [...components, ['@signature-params', parameters]].map(([name, value]) => `"${name}": ${value}`)
  const signed = sign('sha256', Buffer.from(base.join('\n')), { key: by.key, dsaEncoding: 'ieee-p1363' })
  return { 'signature-input': `sig1=${parameters}`, signature: `sig1=:${signed.toString('base64')}:` }
}

const seconds = () => Math.floor(Date.now() / 1000)

interface Sending {
  by?: Platform
  key?: string
  headers?: Record<string, string>
  agent?: 'usp-agent' | 'ucp-agent'
}

async function request(method: string, address: string, input?: unknown, sending: Sending = {}): Promise<Answer> {
  const { by, key = randomUUID(), headers: more = {}, agent = 'usp-agent' } = sending
  const url = new URL(address)
  const body = input === undefined ? undefined : typeof input === 'string' ? input : JSON.stringify(input)
  const headers: Record<string, string> = {}
  if (by) headers[agent] = `profile="${by.profiles[agent]}"`
  if (by && method !== 'GET') headers['idempotency-key'] = key
  if (body !== undefined) {
    if (by) headers['content-digest'] = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
    headers['content-type'] = 'application/json'
  }
  const all = { ...headers, ...(by && signature(by, method, url, headers)), ...more }
  const response = await fetch(url, { method, headers: all, body: body ?? null })
  const text = await response.text()
  const answer = parsed(text)
  const story = `${method} ${url.pathname}${url.search} ${short(body ?? '')}; ${response.status} ${short(answer, 600)}`
  return { status: response.status, headers: response.headers, body: answer, story }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const rest = (method: Method, path: string, input?: unknown, sending?: Sending) =>
  request(method, `${standalone}/usp/v1${path}`, input, sending)
const asAnn = (method: Method, path: string, input?: unknown, key: string = randomUUID()) =>
  rest(method, path, input, { by: ann, key })

/** Calls a tool. A caller with an identity signs the HTTP request, and names its profile in `_meta`. */
function tool(name: string, args: Json = {}, { by, key = randomUUID(), headers = {} }: Sending = {}): Promise<Answer> {
  const reads = /_(get|list)$/.test(name)
  const identity = by && { profile: by.profiles['usp-agent'], ...(!reads && { idempotency_key: key }) }
  const usp = { ...identity, ...args._meta?.usp }
  const given = { ...args, ...((by || args._meta) && { _meta: { usp } }) }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
  return request('POST', `${standalone}/usp/mcp`, message, { ...(by && { by }), headers })
}
const asAnnTool = (name: string, args: Json = {}, key: string = randomUUID()) => tool(name, args, { by: ann, key })

// ---- Rules ----

class Deviation extends Error {
  override name = 'Deviation'
}
const rules: { id: string; title: string; check: () => Promise<unknown> }[] = []
const rule = (id: string, title: string, check: () => Promise<unknown>) => rules.push({ id, title, check })

/** Fails the rule, and reports the request and its answer. */
function must(holds: unknown, { story }: { story: string }, missing = ''): void {
  if (!holds) throw new Deviation(`${story}${missing && ` (${missing})`}`)
}

const isProblem = ({ status, headers, body }: Answer, wanted: number, slug: string) =>
  status === wanted &&
  headers.get('content-type')?.startsWith('application/problem+json') === true &&
  body.type === (slug === 'about:blank' ? slug : ERRORS + slug)
const mustBeProblem = (answer: Answer, status: number, slug: string) =>
  must(isProblem(answer, status, slug), answer, `expected ${status} ${slug}`)
const mustBeRpcError = (answer: Answer, number: number, code: string) => {
  const { error } = answer.body
  must(error?.code === number && error.data?.code === code, answer, `expected ${number} ${code}`)
}
/** A refusal of the business: HTTP 200 and a message of the type `error`. */
const mustRefuse = (answer: Answer, code: string) => {
  const found = refusals(answer.body).some((message) => message.code === code)
  must(answer.status === 200 && found, answer, `expected the outcome ${code}`)
}
const refusals = (body: Json): Json[] => (body.messages ?? []).filter(({ type }: Json) => type === 'error')
const mustSucceed = (answer: Answer) => {
  must(answer.status < 300 && refusals(answer.body).length === 0 && !answer.body.error, answer, 'expected success')
  return answer.body
}

// ---- Steps that several rules need ----

const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const query = (input: object) => rest('POST', '/availability/query', input)

/** Slots of a service in some days, each given out once, so that the rules do not disturb each other. */
const remaining = new Map<string, Json[]>()
async function slotOf(service_id: string, from = 4, to = 16): Promise<Json> {
  const known = remaining.get(service_id)
  const slots =
    known ?? mustSucceed(await query({ service_id, start_date: dayAfter(from), end_date: dayAfter(to) })).slots
  const slot = slots.shift()
  if (!slot) throw new Error(`${service_id} has no more slots.`)
  // Slots that overlap this one, at the same resources, are no longer free.
  const after = slots.filter(({ start }: Json) => Date.parse(start) >= Date.parse(slot.end) + 1_800_000)
  remaining.set(service_id, after)
  return slot
}

let buyers = 0
const buyer = () => ({
  first_name: 'Rosa',
  last_name: 'Díaz',
  email: `rosa${buyers++}@example.com`,
  phone_number: '+12125550143',
})

const hold = async ({ service_id, id }: Json, spots = 1, by = ann): Promise<Json> =>
  mustSucceed(await rest('POST', '/availability/holds', { service_id, slot_id: id, spots }, { by })).hold

const createBooking = ({ service_id, id }: Json, more: object = {}, sending: Sending = { by: ann }) =>
  rest('POST', '/bookings', { service_id, slot_id: id, buyer: buyer(), ...more }, sending)
const book = async (slot: Json, more: object = {}): Promise<Json> =>
  mustSucceed(await createBooking(slot, more)).booking

/** A free and confirmed booking, of which the status is known. */
const confirmedBooking = async () => book(await slotOf('svc_call'))
const canceledBooking = async () => {
  const { id } = await confirmedBooking()
  return mustSucceed(await asAnn('POST', `/bookings/${id}/cancel`, {})).booking
}
const readBooking = async (id: string) => mustSucceed(await asAnn('GET', `/bookings/${id}`)).booking

const payment = (amount_paid: unknown, currency = 'USD') => ({
  payment_result: { status: 'paid', transaction_id: `tx_${randomUUID()}`, amount_paid, currency },
})

/** Every object inside a value, with its path. */
function* objectsIn(value: Json, path = '$'): Generator<[string, Json]> {
  if (typeof value !== 'object' || value === null) return
  yield [path, value]
  for (const [name, inner] of Object.entries(value)) yield* objectsIn(inner, `${path}.${name}`)
}

const allServices = async (): Promise<Json[]> =>
  mustSucceed(await rest('POST', '/services/list', { pagination: { limit: 100 } })).services

// ---- Errors ----

const strangeIds = [
  'svc_none',
  'lookups',
  '0b6f4dd2-6f2f-4d8e-9f39-1a2b3c4d5e6f',
  'x'.repeat(2_000),
  'größe',
  '%00',
  '..%2F..',
]

rule('LIV-007', 'A service path that names no service gives 404 service-not-found, never 400 or 500.', async () => {
  for (const id of strangeIds) {
    const answer = await rest('GET', `/services/${id.includes('%') ? id : encodeURIComponent(id)}`)
    mustBeProblem(answer, 404, 'service-not-found')
  }
})

rule('LIV-008', 'The tool of an unknown service gives -32602 service_not_found.', async () => {
  mustBeRpcError(await tool('usp_services_get', { service_id: 'svc_none' }), -32602, 'service_not_found')
})

rule('LIV-003', 'Each operation on an unknown or foreign booking gives 404 booking-not-found.', async () => {
  const own = await confirmedBooking()
  const slot = await slotOf('svc_call')
  for (const [id, by] of [
    ['bkg_none', ann],
    [own.id, ben],
  ] as const) {
    const calls: [Method, string, Json?][] = [
      ['GET', ''],
      ['PUT', '', { notes: 'By the window.' }],
      ['POST', '/cancel', {}],
      ['POST', '/reschedule', { slot_id: slot.id }],
      ['POST', '/confirm-payment', payment(7500)],
    ]
    for (const [method, path, input] of calls) {
      mustBeProblem(await rest(method, `/bookings/${id}${path}`, input, { by }), 404, 'booking-not-found')
    }
  }
  const { status } = await readBooking(own.id)
  must(status === 'confirmed', { story: `GET the booking; ${status}` }, 'the calls changed the booking')
})

rule('LIV-004', 'The tools of an unknown booking give -32602 booking_not_found.', async () => {
  const calls = {
    get: {},
    update: { notes: 'x' },
    cancel: {},
    reschedule: { slot_id: 's' },
    confirm_payment: payment(1),
  }
  for (const [name, args] of Object.entries(calls)) {
    const answer = await asAnnTool(`usp_bookings_${name}`, { booking_id: 'bkg_none', ...args })
    mustBeRpcError(answer, -32602, 'booking_not_found')
  }
})

rule(
  'LIV-005',
  'Each operation on an unknown or foreign waitlist entry gives 404 entry-not-found or -32602.',
  async () => {
    const { entry } = mustSucceed(await asAnn('POST', '/waitlist', { service_id: 'svc_yoga', buyer: buyer() }))
    for (const [id, by] of [
      ['wle_none', ann],
      [entry.id, ben],
    ] as const) {
      const calls: [Method, string][] = [
        ['GET', ''],
        ['POST', '/accept'],
        ['POST', '/decline'],
        ['DELETE', ''],
      ]
      for (const [method, path] of calls) {
        const input = method === 'POST' ? {} : undefined
        mustBeProblem(await rest(method, `/waitlist/${id}${path}`, input, { by }), 404, 'entry-not-found')
      }
      for (const name of ['get', 'accept', 'decline', 'leave']) {
        mustBeRpcError(await tool(`usp_waitlist_${name}`, { entry_id: id }, { by }), -32602, 'entry_not_found')
      }
    }
    mustSucceed(await asAnn('DELETE', `/waitlist/${entry.id}`)) // else it gets the places that other rules set free
  },
)

rule('LIV-006', 'The release of an unknown hold gives 404 about:blank.', async () => {
  mustBeProblem(await asAnn('DELETE', '/availability/holds/hold_none'), 404, 'about:blank')
})

rule('LIV-009', 'A lookup gives the services that exist, and a warning with a path for each unknown id.', async () => {
  const answer = await rest('POST', '/services/lookup', { ids: ['svc_none', 'svc_yoga', 'svc_void'] })
  const { services, messages = [] } = mustSucceed(answer)
  must(services.length === 1 && services[0].id === 'svc_yoga', answer, 'expected only svc_yoga')
  const warned = messages.filter(({ type, code }: Json) => type === 'warning' && code === 'service_not_found')
  must(new Set(warned.map(({ path }: Json) => path)).size === 2, answer, 'expected two paths with service_not_found')
})

rule('LIV-010', 'service_not_found never stands in messages; in a body it is 422 and names the member.', async () => {
  const at = { service_id: 'svc_none', slot_id: 'slot_none' }
  const inputs: [string, Json][] = [
    ['/availability/holds', at],
    ['/bookings', { ...at, buyer: buyer() }],
    ['/waitlist', { service_id: 'svc_none', buyer: buyer() }],
  ]
  for (const [path, input] of inputs) {
    const answer = await asAnn('POST', path, input)
    mustBeProblem(answer, 422, 'validation-error')
    must(JSON.stringify(answer.body).includes('service_id'), answer, 'expected the name of the member')
  }
  const answer = await query({ service_id: 'svc_none', start_date: dayAfter(1), end_date: dayAfter(2) })
  const codes = (answer.body.messages ?? []).map(({ code }: Json) => code)
  must(answer.status < 500 && !codes.includes('service_not_found'), answer)
})

rule('LIV-011', 'validation_error is a 422 or -32602, never a message.', async () => {
  const inputs: [string, string, Json, Json][] = [
    ['/services/list', 'usp_services_list', { pagination: { limit: 'many' } }, {}],
    ['/registry/search_business', 'usp_registry_search_business', {}, {}],
    ['/registry/search_services', 'usp_registry_search_services', { pagination: { limit: 5 } }, {}],
    [
      '/availability/query',
      'usp_availability_query',
      { service_id: 'svc_call', start_date: 'soon', end_date: 'later' },
      {},
    ],
    ['/bookings', 'usp_bookings_create', { ...booked(await slotOf('svc_call')), party_size: 0 }, { by: ann }],
  ]
  for (const [path, name, input, sending] of inputs) {
    mustBeProblem(await rest('POST', path, input, sending), 422, 'validation-error')
    mustBeRpcError(await tool(name, input, sending), -32602, 'validation_error')
  }
})
const booked = ({ service_id, id }: Json) => ({ service_id, slot_id: id, buyer: buyer() })

rule('LIV-012', 'One idempotency key with two bodies gives 409 or -32602 idempotency_conflict.', async () => {
  const [key, mcpKey] = [randomUUID(), randomUUID()]
  const [one, two] = [booked(await slotOf('svc_call')), booked(await slotOf('svc_call'))]
  mustSucceed(await asAnn('POST', '/bookings', one, key))
  mustBeProblem(await asAnn('POST', '/bookings', two, key), 409, 'idempotency-conflict')
  mustSucceed(await asAnnTool('usp_bookings_create', two, mcpKey))
  mustBeRpcError(await asAnnTool('usp_bookings_create', one, mcpKey), -32602, 'idempotency_conflict')
})

rule('LIV-013', 'A cursor that is not known gives 400 or -32602 cursor_expired.', async () => {
  const cursor = 'bm90IGEgY3Vyc29y'
  const range = { service_id: 'svc_call', start_date: dayAfter(1), end_date: dayAfter(3) }
  mustBeProblem(await rest('POST', '/services/list', { pagination: { cursor } }), 400, 'cursor-expired')
  mustBeProblem(await rest('GET', `/services/feed?cursor=${cursor}`), 400, 'cursor-expired')
  mustBeProblem(await query({ ...range, cursor }), 400, 'cursor-expired')
  mustBeRpcError(await tool('usp_services_list', { pagination: { cursor } }), -32602, 'cursor_expired')
  mustBeRpcError(await tool('usp_services_feed', { cursor }), -32602, 'cursor_expired')
  mustBeRpcError(await tool('usp_availability_query', { ...range, cursor }), -32602, 'cursor_expired')
})

rule('LIV-014', 'A query of too many days gives 400 or -32602 range_too_wide.', async () => {
  const range = { service_id: 'svc_call', start_date: dayAfter(1), end_date: dayAfter(2_000) }
  mustBeProblem(await query(range), 400, 'range-too-wide')
  mustBeRpcError(await tool('usp_availability_query', range), -32602, 'range_too_wide')
})

rule(
  'LIV-016',
  'invalid_transition is an outcome with severity unrecoverable, and the resource stays unchanged.',
  async () => {
    const { id } = await canceledBooking()
    const before = await readBooking(id)
    const answers = [
      await asAnn('POST', `/bookings/${id}/cancel`, { reason: 'Again.' }),
      await asAnn('PUT', `/bookings/${id}`, { notes: 'Changed.' }),
      await asAnn('POST', `/bookings/${id}/confirm-payment`, payment(100)),
    ]
    for (const answer of answers) {
      mustRefuse(answer, 'invalid_transition')
      must(
        refusals(answer.body).every(({ severity }) => severity === 'unrecoverable'),
        answer,
      )
    }
    const called = await asAnnTool('usp_bookings_cancel', { booking_id: id })
    must(!called.body.error, called, 'expected a result')
    mustRefuse({ ...called, body: called.body.result.structuredContent }, 'invalid_transition')
    const after = await readBooking(id)
    must(
      JSON.stringify(after) === JSON.stringify(before),
      { story: `GET the booking; ${short(after, 600)}` },
      'changed',
    )
  },
)

rule(
  'LIV-017',
  'A platform without the capability of a call gets capabilities_incompatible, severity unrecoverable.',
  async () => {
    await mustBeIncompatible(reader)
  },
)
async function mustBeIncompatible(by: Platform) {
  const answer = await createBooking(await slotOf('svc_call'), {}, { by })
  mustRefuse(answer, 'capabilities_incompatible')
  must(refusals(answer.body)[0].severity === 'unrecoverable', answer)
}

const isMethodNotAllowed = (answer: Answer, allowed: string) =>
  isProblem(answer, 405, 'about:blank') &&
  answer.body.title === 'Method Not Allowed' &&
  (answer.headers.get('allow') ?? '').split(/, */).includes(allowed)

rule(
  'LIV-019',
  'A known path with another method gives 405 with Allow, about:blank and the reason phrase.',
  async () => {
    const calls = [
      ['GET', '/availability/query', 'POST'],
      ['DELETE', '/services/svc_yoga', 'GET'],
      ['GET', '/bookings', 'POST'],
      ['PUT', '/bookings/bkg_none/cancel', 'POST'],
      ['POST', '/waitlist/wle_none', 'GET'],
      ['GET', '/registry/search_services', 'POST'],
    ] as const
    for (const [method, path, allowed] of calls) {
      const answer = await rest(method, path)
      must(isMethodNotAllowed(answer, allowed), answer, `expected 405 with Allow: ${allowed}`)
    }
  },
)

rule('LIV-020', 'The reserved words below /services give 405 with Allow, not a lookup of a service.', async () => {
  const calls = [
    ['GET', '/services/list', 'POST'],
    ['GET', '/services/lookup', 'POST'],
    ['POST', '/services/feed', 'GET'],
  ] as const
  for (const [method, path, allowed] of calls) {
    const answer = await rest(method, path, method === 'POST' ? {} : undefined)
    must(isMethodNotAllowed(answer, allowed), answer, `expected 405 with Allow: ${allowed}`)
  }
})

rule('LIV-022', 'Faulty input never gives 500 or -32603.', async () => {
  const faulty: Json[] = [null, [], 7, 'text', { service_id: null }, { service_id: { a: 1 } }, { service_id: '\u0000' }]
  const long = {
    service_id: 'x'.repeat(10_000),
    slot_id: '\ud800',
    buyer: { email: '@' },
    start_date: '2026-02-30',
    end_date: '9999-99-99',
  }
  for (const input of [...faulty, long, '{"a":', '{"__proto__":{"a":1}}']) {
    for (const path of ['/services/list', '/services/lookup', '/availability/query', '/bookings', '/waitlist']) {
      const answer = await rest('POST', path, typeof input === 'string' ? input : JSON.stringify(input), { by: ann })
      must(answer.status < 500, answer)
    }
    for (const name of ['usp_services_list', 'usp_availability_query', 'usp_bookings_create']) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
      const answer = await request('POST', `${standalone}/usp/mcp`, message)
      must(answer.status < 500 && answer.body.error?.code !== -32603, answer)
    }
  }
})

rule('LIV-023', 'Where HTTP says everything, the type is about:blank and the title is the reason phrase.', async () => {
  const big = JSON.stringify({ query: 'x'.repeat(5_000_000) })
  const answers: [Answer, number, string][] = [
    [await rest('GET', '/nothing'), 404, 'Not Found'],
    [await rest('DELETE', '/services/feed'), 405, 'Method Not Allowed'],
    [await rest('POST', '/services/list', big), 413, '(Payload|Content) Too Large'],
    [
      await rest('POST', '/services/list', '<a/>', { headers: { 'content-type': 'text/xml' } }),
      415,
      'Unsupported Media Type',
    ],
  ]
  for (const [answer, status, title] of answers) {
    mustBeProblem(answer, status, 'about:blank')
    must(new RegExp(`^${title}$`).test(answer.body.title), answer, `expected the title ${title}`)
  }
})

rule('LIV-030', 'The error of an unknown tool has no data.code, and no number that means: try again.', async () => {
  for (const name of ['usp_nothing', 'usp_services_delete', '']) {
    const answer = await tool(name)
    const { error } = answer.body
    must(error && error.data?.code === undefined && error.code === -32602, answer)
  }
})

rule('LIV-031', 'An error about personal data names the member and never quotes its value.', async () => {
  const slot = await slotOf('svc_call')
  const secret = 'Qzxw7731'
  const faulty: [string, Json][] = [
    ['email', { buyer: { ...buyer(), email: secret } }],
    ['first_name', { buyer: { ...buyer(), first_name: [secret] } }],
    ['recipient', { recipient: secret }],
    ['notes', { notes: { text: secret } }],
    ['delivery_address', { delivery_address: secret }],
  ]
  for (const [member, more] of faulty) {
    const answers = [
      await createBooking(slot, more),
      await asAnnTool('usp_bookings_create', { ...booked(slot), ...more }),
    ]
    for (const answer of answers) {
      const text = JSON.stringify(answer.body)
      must(answer.status >= 400 || answer.body.error, answer, `expected an error about ${member}`)
      must(text.includes(member) && !text.includes(secret), answer, `expected ${member} without its value`)
    }
  }
})

// ---- Catalogue and hints ----

const milliseconds = (duration: string): number => {
  const [, days = 0, hours = 0, minutes = 0] = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/.exec(duration) ?? []
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60_000
}

/** The indexes in a 32-bit Roaring bitmap of the portable format, read from the published description of the format. */
function indexesIn(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64')
  const cookie = bytes.readUInt32LE(0)
  const hasRuns = (cookie & 0xffff) === 12347
  if (!hasRuns && cookie !== 12346) throw new Error(`The bitmap begins with ${cookie}.`)
  const count = hasRuns ? (cookie >>> 16) + 1 : bytes.readUInt32LE(4)
  const runFlags = hasRuns ? bytes.subarray(4, 4 + Math.ceil(count / 8)) : undefined
  let at = hasRuns ? 4 + Math.ceil(count / 8) : 8
  const headers = Array.from({ length: count }, (_, i) => ({
    high: bytes.readUInt16LE(at + 4 * i) * 65_536,
    size: bytes.readUInt16LE(at + 4 * i + 2) + 1,
    isRun: Boolean((runFlags?.[i >> 3] ?? 0) & (1 << (i & 7))),
  }))
  at += 4 * count + (hasRuns && count < 4 ? 0 : 4 * count)
  const word = () => {
    at += 2
    return bytes.readUInt16LE(at - 2)
  }
  return headers.flatMap(({ high, size, isRun }) => {
    if (isRun)
      return Array.from({ length: word() }, () => [word(), word()] as const)
        .flatMap(([first, more]) => range(first, more + 1))
        .map((low) => high + low)
    if (size <= 4096) return Array.from({ length: size }, () => high + word())
    const bits = bytes.subarray(at, at + 8192)
    at += 8192
    return range(0, 65_536)
      .filter((low) => (bits[low >> 3] ?? 0) & (1 << (low & 7)))
      .map((low) => high + low)
  })
}
const range = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i)

const startsIn = ({ starts_at, start_interval, bitmap }: Json): number[] =>
  indexesIn(bitmap).map((index) => Date.parse(starts_at) + index * milliseconds(start_interval))

/** The server writes the hints soon after its start. */
async function servicesWithHints(): Promise<Json[]> {
  for (let tries = 0; tries < 60; tries++) {
    const services = await allServices()
    if (services.every(({ id, availability_hint: hint }) => hint || id === 'svc_never')) return services
    await setTimeout(250)
  }
  throw new Error('The services have no hints.')
}

rule(
  'LIV-042',
  'A bitmap is a Roaring bitmap below slot_count, and marks the starts that a query offers.',
  async () => {
    for (const { id, availability_hint: hint } of await servicesWithHints()) {
      for (const entry of hint?.slot_bitmaps ?? []) {
        const last = indexesIn(entry.bitmap).at(-1) ?? 0
        must(last < entry.slot_count, { story: `the hint of ${id}; ${short(entry)}` }, `index ${last}`)
      }
      if (!['svc_massage', 'svc_yoga', 'svc_consult'].includes(id)) continue
      const answer = await query({ service_id: id, start_date: dayAfter(3), end_date: dayAfter(9) })
      const offered = [...new Set<number>(mustSucceed(answer).slots.map(({ start }: Json) => Date.parse(start)))]
      const [from = 0, to = 0] = [offered[0], offered.at(-1)]
      const hinted = startsIn(hint.slot_bitmaps[0]).filter((start) => start >= from && start <= to)
      must(
        offered.length > 0 && hinted.join() === offered.join(),
        answer,
        `the bitmap has ${hinted.length} starts of ${offered.length}`,
      )
    }
  },
)

rule('LIV-039', 'With a set bit, next_available_date is the local date of the earliest start.', async () => {
  for (const { id, availability_hint: hint } of await servicesWithHints()) {
    const starts: number[] = (hint?.slot_bitmaps ?? []).flatMap(startsIn)
    if (starts.length === 0) continue
    const first = starts.reduce((one, two) => Math.min(one, two))
    const date = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York' }).format(first)
    must(hint.next_available_date === date, { story: `the hint of ${id}; ${short(hint)}` }, `expected ${date}`)
  }
})

rule('LIV-038', 'A hint without bitmaps, or with empty ones, has no next_available_date.', async () => {
  const services = await servicesWithHints()
  const isEmpty = ({ availability_hint: hint }: Json) => (hint?.slot_bitmaps ?? []).flatMap(startsIn).length === 0
  const empty = services.filter(isEmpty)
  must(
    empty.some(({ id }) => id === 'svc_never'),
    { story: 'POST /services/list' },
    'svc_never must have no opening',
  )
  for (const { id, availability_hint: hint } of empty) {
    must(!hint || !('next_available_date' in hint), { story: `the hint of ${id}; ${short(hint)}` })
  }
})

rule('LIV-033', 'A service can be published without a booking window, or without some of its members.', async () => {
  const windows = new Map((await allServices()).map(({ id, policies }) => [id, policies.booking_window]))
  const members = Object.keys(windows.get('svc_night') ?? {})
    .sort()
    .join()
  must(windows.has('svc_open') && windows.get('svc_open') === undefined, {
    story: `svc_open; ${short(windows.get('svc_open'))}`,
  })
  must(members === 'max_advance,slot_interval', { story: `svc_night; ${members}` })
})

rule('LIV-045', 'Every published service meets the conditions of the schema of the catalogue.', async () => {
  const positive = (value: unknown) => typeof value === 'number' && value > 0
  for (const service of await allServices()) {
    const { id, type, capacity, pricing, policies, duration, resources = [] } = service
    const isFree = pricing.model === 'free'
    const kinds = ['fixed', 'range', 'undetermined'].filter((kind) => kind in duration)
    const conditions = {
      'capacity of a group or reservation': !['group', 'reservation'].includes(type) || capacity,
      'free without payment, and only then': isFree === (policies.requires_payment === false),
      'an amount above 0': isFree || positive(pricing.amount),
      'a deposit if one is required': policies.payment_timing !== 'deposit_required' || pricing.deposit,
      'exactly one kind of duration': kinds.length === 1,
      'no price by the hour without a length': pricing.model !== 'hourly' || !('undetermined' in duration),
      'options of a selectable resource': resources.every((one: Json) => !one.selectable || one.options?.length > 0),
      'a time of payment if and only if payment is due': policies.requires_payment === 'payment_timing' in policies,
    }
    for (const [name, holds] of Object.entries(conditions)) must(holds, { story: `GET ${id}; ${short(service)}` }, name)
  }
})

// ---- Money ----

rule('LIV-047', 'amount_paid as a decimal string is taken like the number.', async () => {
  const outcome = async (booking: Json, amount: unknown) => {
    const answer = await asAnn('POST', `/bookings/${booking.id}/confirm-payment`, payment(amount))
    const codes = (answer.body.messages ?? []).map(({ code }: Json) => code)
    return { answer, said: `${answer.status} ${answer.body.booking?.status} ${codes}` }
  }
  for (const missing of [1, 0]) {
    const [one, two] = [await book(await slotOf('svc_massage')), await book(await slotOf('svc_massage'))]
    const number = await outcome(one, totalDue(one) - missing)
    const text = await outcome(two, String(totalDue(two) - missing))
    must(
      totalDue(one) > 0 && number.said === text.said && text.answer.status === 200,
      text.answer,
      `the number gave ${number.said}`,
    )
    must(text.said.includes(missing ? 'payment_amount_mismatch' : 'confirmed'), text.answer)
  }
})
const totalDue = (booking: Json): number => {
  const amounts = [...objectsIn(booking)].map(([, value]) => value.amount_due ?? value.payment_context?.amount)
  return Number(amounts.find((amount) => amount !== undefined) ?? 0)
}

rule('LIV-049', 'A money string that is no decimal integer is refused.', async () => {
  const booking = await book(await slotOf('svc_massage'))
  for (const amount of ['3.5e4', '1,000', '+5', '75.0', '', ' 5', '0x10', 'ten']) {
    const answer = await asAnn('POST', `/bookings/${booking.id}/confirm-payment`, payment(amount))
    mustBeProblem(answer, 422, 'validation-error')
    const search = { price_range: { max: amount, currency: 'USD' } }
    mustBeProblem(await rest('POST', '/registry/search_services', search), 422, 'validation-error')
  }
  mustSucceed(await rest('POST', '/registry/search_services', { price_range: { max: '15000', currency: 'USD' } }))
})

rule('LIV-051', 'A count or a limit as a string is refused.', async () => {
  const slot = await slotOf('svc_yoga')
  const days = { service_id: 'svc_yoga', start_date: dayAfter(1), end_date: dayAfter(5) }
  const answers = [
    await createBooking(slot, { party_size: '2' }),
    await asAnn('POST', '/availability/holds', { service_id: slot.service_id, slot_id: slot.id, spots: '2' }),
    await query({ ...days, party_size: '2' }),
    await query({ ...days, limit: '5' }),
    await rest('POST', '/services/list', { pagination: { limit: '10' } }),
    await rest('POST', '/registry/search_services', { query: 'hair', pagination: { limit: '10' } }),
  ]
  for (const answer of answers) mustBeProblem(answer, 422, 'validation-error')
})

// ---- Availability and holds ----

/** The next second Sunday of March: in New York, the clocks skip the hour after 2. */
function nextSpringSunday(): string {
  const thisYear = new Date().getUTCFullYear()
  const sundays = [thisYear, thisYear + 1].map((year) => {
    const first = new Date(Date.UTC(year, 2, 1)).getUTCDay()
    return new Date(Date.UTC(year, 2, 8 + ((7 - first) % 7))).toISOString().slice(0, 10)
  })
  return sundays.find((date) => date > dayAfter(1)) ?? ''
}

rule('LIV-055', 'No slot starts in the hour that the clocks skip, and slots before and after it exist.', async () => {
  const date = nextSpringSunday()
  const answer = await query({ service_id: 'svc_night', start_date: date, end_date: date })
  const starts: string[] = mustSucceed(answer).slots.map(({ start }: Json) => start)
  const skipped = starts.filter((start) => start.slice(11, 13) === '02')
  must(skipped.length === 0, answer, skipped.join())
  for (const start of [`${date}T01:30:00-05:00`, `${date}T03:00:00-04:00`]) must(starts.includes(start), answer, start)
  const lengths = answer.body.slots.map(({ start, end }: Json) => Date.parse(end) - Date.parse(start))
  must(
    lengths.every((length: number) => length === 1_800_000),
    answer,
    'expected slots of 30 minutes',
  )
})

/** A session of the class that no other rule uses. */
const sessionAgain = async ({ id, start }: Json): Promise<Json> => {
  const days = { start_date: start.slice(0, 10), end_date: start.slice(0, 10) }
  const { slots } = mustSucceed(await query({ service_id: 'svc_yoga', ...days }))
  return slots.find((slot: Json) => slot.id === id || slot.start === start)
}

rule('LIV-056', 'A slot in the state waitlist has capacity.waitlist true.', async () => {
  const session = await slotOf('svc_yoga')
  await hold(session, session.capacity.remaining)
  const full = await sessionAgain(session)
  must(full?.state === 'waitlist' && full.capacity.waitlist === true, { story: `the full session; ${short(full)}` })
})

rule('LIV-057', 'A booking of more people than its hold is capacity_exceeded, and the hold stays active.', async () => {
  const session = await slotOf('svc_yoga')
  const { id } = await hold(session, 2)
  mustRefuse(await createBooking(session, { hold_id: id, party_size: 3 }), 'capacity_exceeded')
  must((await sessionAgain(session)).capacity.held === 2, { story: 'the session afterwards' }, 'the hold must stay')
  mustSucceed(await createBooking(session, { hold_id: id, party_size: 2 }))
})

rule('LIV-058', 'A booking of fewer people than its hold returns the other spots at once.', async () => {
  const session = await slotOf('svc_yoga')
  const { remaining } = session.capacity
  const { id } = await hold(session, 4)
  await book(session, { hold_id: id, party_size: 1 })
  const { capacity } = await sessionAgain(session)
  must(capacity.remaining === remaining - 1, { story: `the session; ${short(capacity)}` }, `expected ${remaining - 1}`)
})

rule('LIV-059', 'A released hold gives hold_expired while the slot can be booked.', async () => {
  const slot = await slotOf('svc_call')
  mustRefuse(await createBooking(slot, { hold_id: await releasedHold(slot) }), 'hold_expired')
})
const releasedHold = async (slot: Json): Promise<string> => {
  const { id } = await hold(slot)
  mustSucceed(await asAnn('DELETE', `/availability/holds/${id}`))
  return id
}

rule('LIV-060', 'A released hold gives slot_unavailable when the slot can no longer be booked.', async () => {
  const slot = await slotOf('svc_night')
  const hold_id = await releasedHold(slot)
  mustSucceed(await createBooking(slot, {}, { by: ben }))
  const answer = await createBooking(slot, { hold_id })
  mustRefuse(answer, 'slot_unavailable')
  must(!refusals(answer.body).some(({ code }) => code === 'hold_expired'), answer)
})

rule('LIV-062', 'The same creation with a converted hold returns the booking that was made from it.', async () => {
  const slot = await slotOf('svc_call')
  const same = { hold_id: (await hold(slot)).id, buyer: buyer() }
  const first = await book(slot, same)
  const again = await createBooking(slot, same)
  must(mustSucceed(again).booking.id === first.id, again, `expected ${first.id}`)
})

rule('LIV-063', 'An unknown or foreign hold_id in a body gives 422 validation_error.', async () => {
  const slot = await slotOf('svc_call')
  const { id } = await hold(slot, 1, ben)
  for (const hold_id of ['hold_none', id]) {
    mustBeProblem(await createBooking(slot, { hold_id }), 422, 'validation-error')
    mustBeRpcError(await asAnnTool('usp_bookings_create', { ...booked(slot), hold_id }), -32602, 'validation_error')
  }
})

// ---- Proofs of possession ----

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
function proof(key: KeyObject, header: object, claims: object): string {
  const text = `${part(header)}.${part({ ...claims, iat: seconds(), jti: randomUUID() })}`
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}
const sorted = (value: Json): Json =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((name) => [name, sorted(value[name])]),
      )

/** Calls with proofs of a key that no profile publishes. `jwk` is the key in the header of the proof. */
function stranger(changed: object = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const jwk = { ...publicKey.export({ format: 'jwk' }), ...changed }
  const profile = `${platformOrigin}/stranger.json`
  return {
    rest(path: string, input: Json): Promise<Answer> {
      const claims = { htm: 'POST', htu: `${standalone}/usp/v1${path}` }
      const DPoP = proof(privateKey, { typ: 'dpop+jwt', alg: 'EdDSA', jwk }, claims)
      return rest('POST', path, input, {
        headers: { DPoP, 'usp-agent': `profile="${profile}"`, 'idempotency-key': randomUUID() },
      })
    },
    tool(name: string, args: Json): Promise<Answer> {
      const usp = { profile, idempotency_key: randomUUID() }
      const digest = createHash('sha256')
        .update(JSON.stringify(sorted({ ...args, _meta: { usp } })))
        .digest('base64url')
      const claims = { usp_m: name, aud: `${standalone}/.well-known/usp`, usp_p: digest }
      const authorization = {
        mechanism: 'platform_key_pop',
        proof: proof(privateKey, { typ: 'usp-pop+jwt', alg: 'EdDSA', jwk }, claims),
      }
      return tool(name, { ...args, _meta: { usp: { ...usp, authorization } } })
    },
  }
}
published.set('/stranger.json', { usp: { version: USP, capabilities: uspCapabilities } })

rule('LIV-064', 'Too many holds give hold_limit_exceeded: 429, or -32007.', async () => {
  const one = stranger()
  let answer: Answer | undefined
  for (let held = 0; held <= 5 && answer?.status !== 429; held++) {
    const { id, service_id } = await slotOf('svc_night')
    answer = await one.rest('/availability/holds', { slot_id: id, service_id })
  }
  if (!answer) return
  mustBeProblem(answer, 429, 'hold-limit-exceeded')
  const { id, service_id } = await slotOf('svc_night')
  mustBeRpcError(await one.tool('usp_availability_hold', { slot_id: id, service_id }), -32007, 'hold_limit_exceeded')
})

rule('LIV-106', 'A proof whose key has another curve than its algorithm gives 401 pop_proof_invalid.', async () => {
  const { id, service_id } = await slotOf('svc_night')
  const input = { slot_id: id, service_id }
  for (const crv of ['X448', 'X25519', 'Ed448']) {
    const renamed = stranger({ crv })
    mustBeProblem(await renamed.rest('/availability/holds', input), 401, 'pop-proof-invalid')
    mustBeRpcError(await renamed.tool('usp_availability_hold', input), -32001, 'pop_proof_invalid')
  }
})

rule('LIV-107', 'No platform and no booking-scoped credential authorizes the confirmation of a booking.', async () => {
  const { booking, booking_scoped_credential: credential } = mustSucceed(
    await createBooking(await slotOf('svc_consult')),
  )
  must(
    booking.status === 'pending' && credential?.value,
    { story: `the booking; ${short(booking)}` },
    'expected pending',
  )
  const path = `/bookings/${booking.id}/confirm`
  const bearer = { 'usp-agent': `profile="${ann.profiles['usp-agent']}"`, authorization: `DPoP ${credential.value}` }
  const read = await rest('GET', `/bookings/${booking.id}`, undefined, { headers: bearer })
  mustSucceed(read)
  const answers = [await asAnn('POST', path), await rest('POST', path, undefined, { headers: bearer })]
  for (const answer of answers) must([401, 403].includes(answer.status), answer, 'expected 401 or 403')
  must((await readBooking(booking.id)).status === 'pending', { story: 'the booking afterwards' }, 'expected pending')
  const { body } = await request('GET', `${standalone}/schemas/openapi/usp-rest.json`)
  const operation = body.paths['/usp/v1/bookings/{booking_id}/confirm'].post
  const schemes: string[] = (operation.security ?? []).flatMap((one: Json) => Object.keys(one))
  const ofPlatforms = schemes.filter((name) => /signature|proof|bearer|pop|scoped|key/i.test(name))
  must(operation['x-usp-access'] === 'business_only' && ofPlatforms.length === 0, { story: short(operation.security) })
})

// ---- Bookings ----

rule('LIV-065', 'To cancel a canceled booking is invalid_transition.', async () => {
  const { id, cancellation } = await canceledBooking()
  mustRefuse(await asAnn('POST', `/bookings/${id}/cancel`, {}), 'invalid_transition')
  const again = await readBooking(id)
  must(again.cancellation.canceled_at === cancellation.canceled_at, { story: short(again.cancellation) }, 'changed')
})

rule('LIV-066', 'To reschedule a canceled booking is invalid_transition at 200, not 409.', async () => {
  const { id } = await canceledBooking()
  const slot = await slotOf('svc_call')
  mustRefuse(await asAnn('POST', `/bookings/${id}/reschedule`, { slot_id: slot.id }), 'invalid_transition')
})

rule('LIV-068', 'confirm-payment of a pending or canceled booking is invalid_transition.', async () => {
  const pending = await book(await slotOf('svc_consult'))
  must(pending.status === 'pending', { story: `the booking; ${short(pending)}` }, 'expected pending')
  for (const { id } of [pending, await canceledBooking()]) {
    mustRefuse(await asAnn('POST', `/bookings/${id}/confirm-payment`, payment(0)), 'invalid_transition')
  }
})

rule('LIV-073', 'A booking that waits and holds its slot has an expires_at, which it keeps.', async () => {
  for (const service of ['svc_consult', 'svc_massage']) {
    const booking = await book(await slotOf(service))
    must(
      ['pending', 'requires_action'].includes(booking.status),
      { story: short(booking) },
      'expected a waiting booking',
    )
    const expires = Date.parse(booking.expires_at)
    must(expires > Date.now() && booking.confirmation_mode, { story: `${service}; ${short(booking, 900)}` })
    await asAnn('PUT', `/bookings/${booking.id}`, { notes: 'By the window.' })
    const again = await readBooking(booking.id)
    must(Date.parse(again.expires_at) === expires, { story: `${service}; ${again.expires_at}` }, booking.expires_at)
  }
})

rule('LIV-076', 'A reschedule beyond the end of the credential returns a new credential.', async () => {
  const callsOn = async (from: number, to: number): Promise<Json[]> =>
    mustSucceed(await query({ service_id: 'svc_call', start_date: dayAfter(from), end_date: dayAfter(to) })).slots
  const made = mustSucceed(await createBooking((await callsOn(1, 4))[0]))
  const { booking, booking_scoped_credential: old } = made
  must(old?.value, { story: short(made) }, 'expected a credential')
  const slot = (await callsOn(10, 13)).at(-1)
  const answer = await asAnn('POST', `/bookings/${booking.id}/reschedule`, { slot_id: slot.id })
  const fresh = mustSucceed(answer).booking_scoped_credential
  const endsTooEarly = Date.parse(old.expires_at) < Date.parse(slot.start)
  must(!endsTooEarly || Date.parse(fresh?.expires_at) > Date.parse(old.expires_at), answer, `old: ${old.expires_at}`)
  const headers = {
    'usp-agent': `profile="${ann.profiles['usp-agent']}"`,
    authorization: `DPoP ${(fresh ?? old).value}`,
  }
  mustSucceed(await rest('GET', `/bookings/${booking.id}`, undefined, { headers }))
})

rule('LIV-077', 'A refused reschedule leaves the booking on its slot, and keeps a valid hold.', async () => {
  const booking = await confirmedBooking()
  const [wished, held] = [await slotOf('svc_night'), await slotOf('svc_call')]
  const { id } = await hold(held)
  const answer = await asAnn('POST', `/bookings/${booking.id}/reschedule`, { slot_id: wished.id, hold_id: id })
  must(answer.status >= 400 || refusals(answer.body).length > 0, answer, 'expected a refusal')
  const again = await readBooking(booking.id)
  must(again.slot.start === booking.slot.start && again.status === 'confirmed', { story: short(again) })
  mustSucceed(await createBooking(held, { hold_id: id }))
})

// ---- Profile, MCP and registry ----

rule(
  'LIV-098',
  'A capability entry with a schema of a foreign origin is discarded, and the others are used.',
  async () => {
    await mustBeIncompatible(foreign)
    const slot = await slotOf('svc_call')
    mustSucceed(
      await rest('POST', '/availability/holds', { service_id: slot.service_id, slot_id: slot.id }, { by: foreign }),
    )
  },
)

rule('LIV-104', 'Every operation of an advertised capability can be reached over REST and MCP.', async () => {
  const { usp } = (await request('GET', `${standalone}/.well-known/usp`)).body
  const transports = usp.services[SERVICES].map(({ transport }: Json) => transport)
  must(transports.includes('rest') && transports.includes('mcp'), { story: short(usp.services) })
  const listed = await request('POST', `${standalone}/usp/mcp`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: {},
  })
  const names = new Set(listed.body.result.tools.map(({ name }: Json) => name))
  const groups = {
    services:
      'list get lookup feed feed_subscribe feed_unsubscribe feed_subscription_get feed_subscription_pause feed_subscription_resume',
    availability: 'query hold release',
    bookings: 'create get update confirm cancel reschedule confirm_payment',
    waitlist: 'join list get leave accept decline',
    registry: 'register get update delete search_business search_services',
  }
  for (const [group, tools] of Object.entries(groups)) {
    const missing = tools.split(' ').filter((name) => !names.has(`usp_${group}_${name}`))
    must(missing.length === 0, listed, `missing: ${group} ${missing}`)
  }
})

/** A business whose catalogue is that of the server, but with a price as text and with unusable hints. */
const CATEGORY = 'Ca,fé & Bar'
function alteredService(service: Json): Json {
  const { summary, ...hint } = service.availability_hint ?? {}
  const [bitmap] = hint.slot_bitmaps ?? []
  const hints: Json = {
    svc_haircut: { summary, generated_at: hint.generated_at, next_available_date: '' },
    svc_massage: { ...hint, summary, generated_at: '2026-01-01T00:00:00Z', valid_until: '2026-01-02T00:00:00Z' },
    svc_color: { ...hint, summary, slot_bitmaps: [{ ...bitmap, bitmap: 'AAAA' }] },
    svc_table: undefined,
  }
  const { id, pricing, categories } = service
  return {
    ...service,
    pricing: id === 'svc_plumbing' ? { ...pricing, amount: String(pricing.amount) } : pricing,
    categories:
      id === 'svc_table' ? [{ taxonomy: 'merchant', id: CATEGORY, name: 'Garden', primary: true }] : categories,
    ...(id in hints && { availability_hint: hints[id] }),
  }
}
async function asListedBusiness(path: string, method: string, body: string): Promise<Json> {
  if (path === '/.well-known/usp') {
    const { usp, ...profile } = (await request('GET', `${standalone}/.well-known/usp`)).body
    const [entry] = usp.services[SERVICES]
    const services = { [SERVICES]: [{ ...entry, endpoint: `${platformOrigin}/usp/v1` }] }
    const capabilities = { [`${SERVICES}.catalog`]: usp.capabilities[`${SERVICES}.catalog`] }
    return { ...profile, usp: { ...usp, services, capabilities } }
  }
  const answer = (await request(method, `${standalone}${path}`, body || undefined)).body
  if (answer.services) answer.services = answer.services.map(alteredService)
  for (const item of answer.items ?? []) if (item.data) item.data = alteredService(item.data)
  return answer
}

let registration: Promise<Json> | undefined
/** Lists the business once, and waits until the directory has read its catalogue. */
function listed(): Promise<Json> {
  registration ??= (async () => {
    const answer = await asAnn('POST', '/registry/businesses', {
      profile_url: `${platformOrigin}/.well-known/usp`,
      deployment_mode: 'standalone',
      name: 'Quiet Garden',
      verticals: ['appointment', 'rental'],
      categories: ['hair', 'Ca fé & Bar', 'BEAUTY'],
      location: { address: '120 Spring Street, New York', coordinates: { lat: 40.7239, lng: -73.9998 } },
      timezone: 'America/New_York',
    })
    const entry = mustSucceed(answer).registration
    for (let tries = 0; tries < 40 && (await hits()).length === 0; tries++) await setTimeout(250)
    return entry
  })()
  return registration
}
const search = (input: object) => rest('POST', '/registry/search_services', { pagination: { limit: 50 }, ...input })
const hits = async (input: object = {}): Promise<Json[]> =>
  mustSucceed(await search({ verticals: ['appointment', 'rental', 'reservation', 'group', 'field_service'], ...input }))
    .services

rule('LIV-086', 'Every category id of a hit is accepted by the filter and finds that service.', async () => {
  await listed()
  const found = await hits()
  must(found.length > 0, { story: 'POST /registry/search_services' }, 'the directory has no service')
  for (const { service_id, category_ids } of found) {
    must(Array.isArray(category_ids), { story: `the hit ${service_id}` }, 'expected category_ids')
    for (const id of category_ids) {
      const answer = await search({ categories: [id] })
      must(
        mustSucceed(answer).services.some((hit: Json) => hit.service_id === service_id),
        answer,
        service_id,
      )
    }
  }
  const table = found.find(({ service_id }) => service_id === 'svc_table')
  must(table?.category_ids.includes(CATEGORY), { story: short(table) }, CATEGORY)
})

rule('LIV-089', 'An unusable hint gives hint_usable false with nulls, and removes no hit.', async () => {
  await listed()
  const times = [{ start: new Date().toISOString() }]
  const found = new Map((await hits({ desired_service_time_ranges: times })).map((hit) => [hit.service_id, hit]))
  for (const id of ['svc_haircut', 'svc_massage', 'svc_color', 'svc_table']) {
    const signals = found.get(id)?.rank_signals
    const isUnknown =
      signals?.hint_usable === false &&
      [signals.coverage, signals.density, signals.soonness].every((one) => one === null)
    must(isUnknown, { story: `the hit ${id}; ${short(found.get(id))}` })
  }
  const usable = found.get('svc_call')?.rank_signals
  must(usable?.hint_usable === true && usable.soonness > 0, { story: `the hit svc_call; ${short(usable)}` })
  const names = Object.keys(usable).sort().join()
  must(names === 'coverage,density,hint_usable,relevance,soonness', { story: names })
})

rule('LIV-046', 'A price that another business writes as text equals the number.', async () => {
  await listed()
  const inRange = async (min: number, max: number) =>
    (await hits({ price_range: { min, max, currency: 'USD' } })).some(({ service_id }) => service_id === 'svc_plumbing')
  must((await inRange(12_500, 12_500)) && !(await inRange(12_501, 13_000)), { story: 'a search by the price 12500' })
})

rule('LIV-087', 'A wanted time is exactly {at}, {start, end} or {start}; everything else is refused.', async () => {
  const [at, end] = [new Date(), new Date(Date.now() + 3_600_000)].map((time) => time.toISOString())
  for (const wanted of [{ at }, { start: at, end }, { start: at }]) {
    mustSucceed(await search({ query: 'hair', desired_service_time_ranges: [wanted] }))
  }
  const wrong = [
    {},
    { at, start: at },
    { at, end },
    { end },
    { at, note: 'x' },
    { start: at, end, more: 1 },
    { at: 'tomorrow' },
    { at: dayAfter(1) },
  ]
  for (const wanted of wrong) {
    const answer = await search({ query: 'hair', desired_service_time_ranges: [wanted] })
    must([400, 422].includes(answer.status), answer, 'expected 400 for a missing member, else 422')
  }
})

// ---- UCP checkout and orders ----

const CHECKOUTS = '/ucp/v1/checkout-sessions'
const shop = (method: Method, path: string, input?: unknown, sending: Sending = {}) =>
  request(method, `${ucp}${path}`, input, {
    by: ann,
    agent: 'ucp-agent',
    ...sending,
    headers: { 'request-id': randomUUID() },
  })

const ucpSlots = new Map<string, Json[]>()
async function ucpSlot(service_id: string): Promise<Json> {
  const days = { service_id, start_date: dayAfter(4), end_date: dayAfter(16), party_size: 1 }
  const slots = ucpSlots.get(service_id) ?? mustSucceed(await shop('POST', '/usp/v1/availability/query', days)).slots
  const slot = slots.shift()
  const after = slots.filter(({ start }: Json) => Date.parse(start) >= Date.parse(slot.end) + 1_800_000)
  ucpSlots.set(service_id, after)
  return slot
}
const types: Json = { svc_plumbing: 'field_service' }
const wish = ({ service_id, id, start, end, duration }: Json, more: Json = {}) => ({
  line_items: [{ item: { id: service_id }, quantity: 1 }],
  buyer: buyer(),
  booking: {
    service_id,
    service_type: types[service_id] ?? 'appointment',
    slot: { id, start, end, duration },
    ...more,
  },
})
const createCheckout = async (slot: Json, more: Json = {}, by = ann): Promise<Json> =>
  mustSucceed(await shop('POST', CHECKOUTS, wish(slot, more), { by }))
const holdForCheckout = async ({ service_id, id }: Json): Promise<string> =>
  mustSucceed(await shop('POST', '/usp/v1/availability/holds', { service_id, slot_id: id })).hold.id

const totalOf = (totals: Json[]): number => totals.find(({ type }) => type === 'total').amount
const termOf = ({ payment }: Json): Json => payment?.terms?.find(({ id }: Json) => id === payment.selected_term_id)

let handlerId = ''
/** A token that allows the charge of this amount. */
function instrument(amount: number): Json {
  const token = `spt_${randomUUID().replaceAll('-', '')}`
  limits.set(token, amount)
  const credential = { type: 'stripe_payment_token', token }
  return { id: randomUUID(), handler_id: handlerId, type: 'card', selected: true, credential }
}
const complete = (checkout: Json, instruments: Json[], key: string = randomUUID()) =>
  shop('POST', `${CHECKOUTS}/${checkout.id}/complete`, { payment: { instruments } }, { key })

rule('LIV-101', 'A business with UCP publishes its policy only on the bindings of USP.', async () => {
  const { body } = await request('GET', `${ucp}/.well-known/ucp`)
  for (const [name, bindings] of Object.entries<Json[]>(body.ucp.services)) {
    for (const binding of bindings) {
      const policy = binding.config?.authorization
      must(name === SERVICES ? policy?.accepted_mechanisms?.length > 0 : !policy, {
        story: `${name}; ${short(binding)}`,
      })
      must(!('authorization' in binding), { story: `${name}; ${short(binding)}` })
    }
  }
  const slot = await ucpSlot('svc_call')
  const answer = await request('POST', `${ucp}${CHECKOUTS}`, wish(slot), {
    headers: { 'ucp-agent': `profile="${ann.profiles['ucp-agent']}"`, 'idempotency-key': randomUUID() },
  })
  must([401, 403].includes(answer.status), answer, 'a checkout without a proof of identity must be refused')
})

rule('LIV-096', 'A faulty entry of a UCP profile is dropped alone, and foreign entries are not judged.', async () => {
  const checkout = await createCheckout(await ucpSlot('svc_massage'), {}, careless)
  must(checkout.status === 'ready_for_complete', { story: short(checkout) }, 'expected ready_for_complete')
})

rule(
  'LIV-118',
  'A lapsed hold gives hold_expired or slot_unavailable at completion, and charges nothing.',
  async () => {
    const before = charged.size
    for (const isTaken of [false, true]) {
      const slot = await ucpSlot('svc_massage')
      const hold_id = await holdForCheckout(slot)
      const checkout = await createCheckout(slot, { hold_id })
      mustSucceed(await shop('DELETE', `/usp/v1/availability/holds/${hold_id}`))
      if (isTaken) await createCheckout(slot, {}, ben)
      const answer = await complete(checkout, [instrument(totalOf(checkout.totals))])
      mustRefuse(answer, isTaken ? 'slot_unavailable' : 'hold_expired')
      must(answer.body.status !== 'completed' && charged.size === before, answer, 'expected no charge')
    }
  },
)

rule(
  'LIV-115',
  'A repeated completion returns the first outcome and charges once; another body is a conflict.',
  async () => {
    const before = charged.size
    const checkout = await createCheckout(await ucpSlot('svc_massage'))
    const [key, paid] = [randomUUID(), instrument(totalOf(checkout.totals))]
    const first = await complete(checkout, [paid], key)
    must(mustSucceed(first).status === 'completed', first, 'expected completed')
    const again = await complete(checkout, [paid], key)
    must(
      mustSucceed(again).order.id === first.body.order.id && charged.size === before + 1,
      again,
      'expected one charge',
    )
    const other = await complete(checkout, [instrument(totalOf(checkout.totals))], key)
    must(other.status === 409 && other.body.code === 'idempotency_conflict', other, 'expected idempotency_conflict')
    must(charged.size === before + 1, other, 'expected one charge')
  },
)

rule('LIV-119', 'A canceled checkout releases its hold at once, and its booking is not pending.', async () => {
  const slot = await ucpSlot('svc_massage')
  const checkout = await createCheckout(slot)
  const refused = await shop('POST', CHECKOUTS, wish(slot), { by: ben })
  must(refused.status >= 400 || refusals(refused.body).length > 0, refused, 'expected that the slot is held')
  const answer = await shop('POST', `${CHECKOUTS}/${checkout.id}/cancel`, {})
  must(mustSucceed(answer).status === 'canceled' && answer.body.booking?.booking_status !== 'pending', answer)
  await createCheckout(slot, {}, ben)
})

rule('LIV-120', 'A service at the address of the buyer needs booking.delivery_address.', async () => {
  const slot = await ucpSlot('svc_plumbing')
  const without = await shop('POST', CHECKOUTS, wish(slot))
  const isRefused = without.status >= 400 || without.body.status === 'incomplete' || refusals(without.body).length > 0
  must(isRefused && JSON.stringify(without.body).includes('delivery_address'), without, 'expected a refusal')
  await ucpSlot('svc_plumbing') // too close to the first: the plumber travels between them
  const delivery_address = { line1: '1 Broadway', city: 'New York', region: 'NY', postal_code: '10004', country: 'US' }
  const checkout = await createCheckout(await ucpSlot('svc_plumbing'), { delivery_address })
  must(checkout.status === 'ready_for_complete', { story: short(checkout, 900) }, 'expected ready_for_complete')
})

rule(
  'LIV-123',
  'A deposit is an immediate part and a balance at the start; only the immediate part is charged.',
  async () => {
    const slot = await ucpSlot('svc_color')
    const checkout = await createCheckout(slot)
    const term = termOf(checkout)
    const [now, ...rest] = term?.schedules ?? []
    const total = totalOf(checkout.totals)
    const story = { story: `the checkout; ${short(checkout.payment, 900)}` }
    must(checkout.payment.terms.length === 1 && now?.type === 'immediate' && rest.length === 1, story)
    must(Date.parse(rest[0].due_at) === Date.parse(slot.start), story, `expected due_at ${slot.start}`)
    must(Number(now.amount) + Number(rest[0].amount) === total && now.amount > 0, story, `expected the total ${total}`)
    const answer = await complete(checkout, [instrument(total)])
    must(mustSucceed(answer).status === 'completed', answer)
    const amount = [...charged.values()].at(-1)
    must(amount === now.amount, answer, `charged ${amount} instead of ${now.amount}`)
    const order = mustSucceed(await shop('GET', `/ucp/v1/orders/${answer.body.order.id}`))
    must(JSON.stringify(sorted(order.payment?.accepted_term)) === JSON.stringify(sorted(term)), {
      story: `the order; ${short(order.payment, 900)}`,
    })
    must(totalOf(order.totals) === total, { story: `the order; ${short(order.totals)}` }, `expected ${total}`)
  },
)

rule('LIV-125', 'Every schedule of a pay-at-service term is due at the start of the slot.', async () => {
  const slot = await ucpSlot('svc_haircut')
  const { payment, settlement } = await createCheckout(slot)
  const term = payment?.terms.find(({ id }: Json) => id === settlement?.term_id)
  const story = { story: `the checkout; ${short({ payment, settlement }, 900)}` }
  must(settlement?.mode === 'offline' && term?.schedules.length > 0 && payment.selected_term_id, story)
  for (const { type, due_at } of term.schedules) {
    must(type === 'at_service' && Date.parse(due_at) === Date.parse(slot.start), story, `expected ${slot.start}`)
  }
})

rule(
  'LIV-127',
  'An instrument for a pay-at-service term is refused with validation_error and not charged.',
  async () => {
    const before = charged.size
    const checkout = await createCheckout(await ucpSlot('svc_haircut'))
    const answer = await complete(checkout, [instrument(totalOf(checkout.totals))])
    const codes = [answer.body.code, ...refusals(answer.body).map(({ code }) => code)]
    must(codes.includes('validation_error') && charged.size === before, answer)
    const paid = await complete(checkout, [])
    must(
      mustSucceed(paid).status === 'completed' && charged.size === before,
      paid,
      'expected completion without instruments',
    )
    const order = mustSucceed(await shop('GET', `/ucp/v1/orders/${paid.body.order.id}`))
    must(
      order.payment?.accepted_term && order.settlement,
      { story: `the order; ${short(order, 900)}` },
      'expected settlement',
    )
  },
)

// ---- A stand-in for Stripe: the calls of its API that the business makes for a payment token ----

const limits = new Map<string, number>()
const intents = new Map<string, Json>()
/** The amount of each charge that was made. */
const charged = new Map<string, number>()

function answerAsStripe(path: string, form: Record<string, string>): Json {
  const [, , resource, name = `pi_${randomUUID().replaceAll('-', '')}`, action] = path.split('/')
  const amount = Number(form.amount)
  if (resource === 'refunds')
    return { ...form, id: `re_${randomUUID()}`, object: 'refund', amount, status: 'succeeded' }
  const { currency, 'metadata[charge]': charge, 'payment_method_data[shared_payment_granted_token]': token = '' } = form
  const created = { id: name, object: 'payment_intent', amount, currency, metadata: { charge } }
  const intent = intents.get(name) ?? { ...created, status: 'requires_payment_method' }
  intents.set(name, intent)
  if (action === 'cancel') intent.status = 'canceled'
  if (action !== 'confirm') return intent
  if (intent.amount > (limits.get(token) ?? 0)) return { error: { message: 'The token does not allow this amount.' } }
  charged.set(name, intent.amount)
  return Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
}
const stripe = createPlainServer(async (incoming, response) => {
  const body = Buffer.concat(await incoming.toArray()).toString()
  const answer = answerAsStripe(incoming.url ?? '', Object.fromEntries(new URLSearchParams(body)))
  response.writeHead(answer.error ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})

// ---- The run ----

const development = new URL('../../src/core/egress/development/', import.meta.url)
const tls = {
  cert: readFileSync(process.env.PLATFORM_CERT ?? new URL('loopback-cert.pem', development)),
  key: readFileSync(process.env.PLATFORM_CERT_KEY ?? new URL('loopback-key.pem', development)),
}
const publisher = createServer(tls, async (incoming, response) => {
  const body = Buffer.concat(await incoming.toArray()).toString()
  const path = incoming.url ?? ''
  const answer = published.get(path) ?? (await asListedBusiness(path, incoming.method ?? 'GET', body))
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=600' })
  response.end(JSON.stringify(answer))
})
await once(publisher.listen(Number(PLATFORM_PORT), '127.0.0.1'), 'listening')
await once(stripe.listen(Number(STRIPE_STAND_IN_PORT), '127.0.0.1'), 'listening')

const { body: business } = await request('GET', `${ucp}/.well-known/ucp`)
handlerId = business.ucp.payment_handlers['com.stripe.payments'][0].id

// The hints describe the calendar before the first booking, so their rules come first.
const isAboutHints = ({ id }: { id: string }) => ['LIV-042', 'LIV-039', 'LIV-038'].includes(id)
for (const { id, title, check } of [...rules.filter(isAboutHints), ...rules.filter((one) => !isAboutHints(one))]) {
  try {
    await check()
    console.log(`${id} ok: ${title}`)
  } catch (error) {
    console.log(`${id} deviates: ${error instanceof Deviation ? error.message : (error as Error).stack}; ${title}`)
  }
}
process.exit()
