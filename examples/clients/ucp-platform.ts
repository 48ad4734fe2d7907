/**
 * Buys as a platform of the Universal Commerce Protocol (UCP). It needs only the origin of a business with a UCP checkout:
 *
 *   npx node ucp-platform.ts http://127.0.0.1:8080
 *
 * It buys with a payment token, buys with a deposit, and books a service that the buyer pays at the visit. Then it reschedules the
 * first booking, and cancels it. README.md in this folder describes how to start a business for a trial.
 *
 * - The business must be able to read the profile of the platform. The program publishes it on PLATFORM_PORT (default: 8444), with
 *   the TLS certificate in PLATFORM_CERT and PLATFORM_CERT_KEY. PLATFORM_URL is its public origin.
 * - The signing key of the platform is in the file PLATFORM_KEY. The program creates it.
 * - PLATFORM_STRIPE_KEY is the key of the platform at Stripe. Without it, the program starts a stand-in for Stripe on
 *   STRIPE_STAND_IN_PORT (default: 12111). The business must use the same stand-in.
 */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: the schemas of UCP and USP describe the answers
type Json = any

const [, , origin = 'http://127.0.0.1:8080'] = process.argv
/** A certificate for trials on one machine, which the business accepts only in development. */
const trial = new URL('../../packages/conformance/data/', import.meta.url)
const {
  PLATFORM_PORT = '8444',
  PLATFORM_URL = `https://127.0.0.1:${PLATFORM_PORT}`,
  PLATFORM_CERT = new URL('loopback-cert.pem', trial),
  PLATFORM_CERT_KEY = new URL('loopback-key.pem', trial),
  PLATFORM_KEY = join(tmpdir(), 'ucp-platform-key.pem'),
  PLATFORM_STRIPE_KEY = '',
  STRIPE_STAND_IN_PORT = '12111',
} = process.env

// ---- The platform: its key and its profile ----

/** The key identifies the platform, so it must survive a restart. Its id is its thumbprint (RFC 7638). */
function readOrCreateKey() {
  if (!existsSync(PLATFORM_KEY)) {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    writeFileSync(PLATFORM_KEY, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  }
  const privateKey = createPrivateKey(readFileSync(PLATFORM_KEY))
  const { crv, kty, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  return { privateKey, kid, jwk: { kid, kty, crv, x, y, use: 'sig', alg: 'ES256' } }
}
const key = readOrCreateKey()

const UCP = '2026-08-25'
const USP = '2026-08-20'
const CHECKOUT = 'dev.ucp.shopping.checkout'
const ORDER = 'dev.ucp.shopping.order'
const TERMS = 'dev.ucp.common.payment.terms'
const PAID_BOOKINGS = 'dev.usp-protocol.services.paid_bookings'
const PAY_AT_SERVICE = 'dev.usp-protocol.services.pay_at_service'

const ofUcp = (page: string, schema: string, parents?: string[]) => {
  const site = `https://ucp.dev/${UCP}`
  const entry = { version: UCP, spec: `${site}/specification/${page}/`, schema: `${site}/schemas/${schema}.json` }
  return { ...entry, ...(parents && { extends: parents }) }
}
const ofUsp = (schema: string, parent?: string) => {
  const site = 'https://usp-protocol.dev'
  const entry = { version: USP, spec: `${site}/specification`, schema: `${site}/schemas/services/${schema}.json` }
  return { ...entry, ...(parent && { extends: parent }) }
}
/** The parts of both protocols that this platform knows. */
const capabilities = {
  [CHECKOUT]: ofUcp('shopping/checkout', 'shopping/checkout'),
  [ORDER]: ofUcp('shopping/order', 'shopping/order'), // to get each change of an order, add { config: { webhook_url } }
  [TERMS]: ofUcp('payment/extensions/terms', 'common/payment_terms', [CHECKOUT, ORDER]),
  'dev.usp-protocol.services.catalog': ofUsp('catalog'),
  'dev.usp-protocol.services.availability': ofUsp('availability'),
  'dev.usp-protocol.services.bookings': ofUsp('booking'),
  [PAID_BOOKINGS]: ofUsp('paid_bookings', CHECKOUT),
  [PAY_AT_SERVICE]: ofUsp('pay_at_service', CHECKOUT),
}
const stripeHandler = {
  ...{ id: 'stripe', version: '2026-06-25', available_instruments: [{ type: 'card' }] },
  spec: 'https://docs.stripe.com/agentic-commerce/ucp/stripe-payments-handler',
  schema: 'https://ucp.stripe.com/payments/2026-06-25/schema.json',
}
const listed = Object.fromEntries(Object.entries(capabilities).map(([name, entry]) => [name, [entry]]))
const payment_handlers = { 'com.stripe.payments': [stripeHandler] }
const profile = { ucp: { version: UCP, services: {}, capabilities: listed, payment_handlers }, keys: [key.jwk] }

const tls = { cert: readFileSync(PLATFORM_CERT), key: readFileSync(PLATFORM_CERT_KEY) }
const publisher = createServer(tls, (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=60' })
  response.end(JSON.stringify(profile))
})

// ---- Calls ----

/** Signs a call (RFC 9421). The signature covers the profile, the idempotency key and the body. */
function signed(method: string, url: URL, body: string | undefined): Record<string, string> {
  const headers: Record<string, string> = { 'ucp-agent': `profile="${PLATFORM_URL}/profile.json"` }
  if (method !== 'GET') headers['idempotency-key'] = randomUUID()
  if (body !== undefined) {
    headers['content-digest'] = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
    headers['content-type'] = 'application/json'
  }
  const covered = Object.entries({ '@method': method, '@authority': url.host, '@path': url.pathname, ...headers })
  const names = covered.map(([name]) => `"${name}"`).join(' ')
  const parameters = `(${names});created=${Math.floor(Date.now() / 1000)};keyid="${key.kid}"`
  const base = [...covered, ['@signature-params', parameters]].map(([name, value]) => `"${name}": ${value}`)
  const signature = sign('sha256', Buffer.from(base.join('\n')), { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
  headers['request-id'] = randomUUID()
  headers['signature-input'] = `sig1=${parameters}`
  headers.signature = `sig1=:${signature.toString('base64')}:`
  return headers
}

/**
 * Calls the business. If the answer is lost or the business is busy, it sends the same call again, with the same idempotency key.
 * So a repeated call never pays or books twice.
 */
async function call(method: string, address: string, input?: unknown): Promise<Json> {
  const url = new URL(address)
  const body = input === undefined ? undefined : JSON.stringify(input)
  const headers = signed(method, url, body)
  for (let attempt = 1; attempt <= 4; attempt++) {
    const response = await fetch(url, { method, headers, body: body ?? null }).catch(() => undefined)
    if (response && ![429, 502, 503, 504].includes(response.status)) {
      const answer: Json = await response.json()
      if (response.ok) return answer
      throw new Error(`${method} ${url}: ${answer.code}. ${answer.content ?? answer.detail}`)
    }
    await setTimeout(Math.min(Number(response?.headers.get('retry-after') ?? attempt), 30) * 1_000)
  }
  throw new Error(`${method} ${url}: no answer.`)
}

/** A rule of the business can refuse a call with HTTP 200. Then a message of the type `error` has the reason. */
function accepted(answer: Json): Json {
  const error = answer.messages?.find(({ type }: Json) => type === 'error')
  if (error) throw new Error(`${error.code}: ${error.content}`)
  return answer
}

// ---- Discovery ----

/** A schema must come from the owner of its name: that of dev.ucp.shopping.checkout from ucp.dev. */
function isFromOwner(name: string, schema: string): boolean {
  const owner = new URL(schema).hostname.split('.').reverse().join('.')
  return name === owner || name.startsWith(`${owner}.`)
}

async function discover() {
  const response = await fetch(new URL('/.well-known/ucp', origin), { redirect: 'error' })
  if (!response.ok) throw new Error(`${origin} has no UCP profile: ${response.status}.`)
  const { ucp }: Json = await response.json()
  if (ucp.version !== UCP) throw new Error(`This program knows UCP ${UCP}, not ${ucp.version}.`)

  const entries = (name: string): Json[] => ucp.capabilities?.[name] ?? []
  const offers = (name: keyof typeof capabilities) =>
    entries(name).some((entry) => entry.version === capabilities[name].version && isFromOwner(name, entry.schema))
  const holdsSlots = entries('dev.usp-protocol.services.availability').some(({ holds }) => holds === true)
  const addressOf = (service: string): string | undefined =>
    ucp.services[service]?.find(({ transport }: Json) => transport === 'rest')?.endpoint
  const [shopping, scheduling] = [addressOf('dev.ucp.shopping'), addressOf('dev.usp-protocol.services')]
  if (!shopping || !scheduling) throw new Error(`${origin} offers no checkout of bookings over REST.`)
  return { offers, holdsSlots, shopping, scheduling }
}

/** What a business must offer for each time of payment. Without it, the platform must not book. */
const needed = {
  at_booking: [CHECKOUT, PAID_BOOKINGS],
  deposit_required: [CHECKOUT, PAID_BOOKINGS, TERMS],
  at_service: [CHECKOUT, PAID_BOOKINGS, TERMS, PAY_AT_SERVICE],
} as const
type Timing = keyof typeof needed

async function findAppointment(timing: Timing): Promise<Json> {
  const missing = needed[timing].find((capability) => !business.offers(capability))
  if (missing) return console.log(`  The business does not offer ${missing}.`)
  const { services } = accepted(await call('POST', `${business.scheduling}/services/list`, {}))
  const fits = ({ type, policies }: Json) => type === 'appointment' && policies?.payment_timing === timing
  return services.find(fits) ?? console.log('  The business has no such appointment.')
}

/** Free times in some days, when a cancellation is usually free. A real platform lets the buyer choose one. */
async function findSlots(service_id: string): Promise<Json[]> {
  const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const query = { service_id, start_date: dayAfter(4), end_date: dayAfter(14), party_size: 1 }
  return accepted(await call('POST', `${business.scheduling}/availability/query`, query)).slots
}

/** Reserves a slot for some minutes, if the business offers this. */
async function hold({ service_id, id }: Json): Promise<{ hold_id?: string }> {
  if (!business.holdsSlots) return {}
  const answer = await call('POST', `${business.scheduling}/availability/holds`, { service_id, slot_id: id })
  const { hold } = accepted(answer)
  console.log(`  Held until ${hold.expires_at}`)
  return { hold_id: hold.id }
}

// ---- Checkout ----

const buyer = { first_name: 'Rosa', last_name: 'Díaz', email: 'rosa@example.com', phone_number: '+12125550143' }

/** Buys one appointment. Returns the completed checkout, or nothing if the business has no such appointment. */
async function buy(timing: Timing): Promise<Json> {
  console.log(`\n${timing}`)
  const service = await findAppointment(timing)
  if (!service) return
  const [slot] = await findSlots(service.id)
  if (!slot) return console.log(`  ${service.name} has no free time.`)
  console.log(`  ${service.name}, ${slot.start}`)

  const { id, start, end, duration } = slot
  const booked = { service_id: service.id, service_type: service.type, slot: { id, start, end, duration } }
  const checkout = await call('POST', `${business.shopping}/checkout-sessions`, {
    line_items: [{ item: { id: service.id }, quantity: 1 }],
    buyer,
    booking: { ...booked, ...(await hold(slot)) },
  })
  if (accepted(checkout).status !== 'ready_for_complete') throw new Error(`The checkout is ${checkout.status}.`)
  present(checkout)
  return complete(checkout)
}

/** Shows the buyer what the business wants to be shown. If the totals do not add up, a platform must not pay. */
function present({ totals, payment, currency, messages = [] }: Json) {
  for (const { type, display_text = type, amount } of totals) console.log(`  ${display_text}: ${amount} ${currency}`)
  for (const { type, content } of messages) if (type === 'warning') console.log(`  Warning: ${content}`)
  const term = selectedTerm(payment)
  if (term) console.log(`  ${term.title}`)
  for (const { description, amount } of term?.schedules ?? []) console.log(`  - ${description.plain} (${amount})`)

  const sum = (entries: Json[]) => entries.reduce((total, { amount }) => total + amount, 0)
  const parts = totals.filter(({ type }: Json) => type !== 'total')
  const addsUp = sum(parts) === totalOf(totals) && (!term || sum(term.schedules) === totalOf(totals))
  if (!addsUp) throw new Error('The totals do not add up.')
}

const totalOf = (totals: Json[]): number => totals.find(({ type }) => type === 'total').amount
const selectedTerm = (payment: Json) => payment?.terms?.find(({ id }: Json) => id === payment.selected_term_id)

/** Without terms, the total is due now. With terms, only the immediate payments of the selected term are due now. */
function dueNow({ totals, payment }: Json): number {
  const term = selectedTerm(payment)
  if (!term) return totalOf(totals)
  return term.schedules.reduce((sum: number, { type, amount }: Json) => sum + (type === 'immediate' ? amount : 0), 0)
}

async function complete(checkout: Json): Promise<Json> {
  const address = `${business.shopping}/checkout-sessions/${checkout.id}`
  const instruments = dueNow(checkout) > 0 ? [await issueToken(checkout)] : []
  let answer = await call('POST', `${address}/complete`, { payment: { instruments } })
  if (answer.status === 'requires_escalation') console.log(`  The buyer must open ${answer.continue_url}`)
  const isPending = () => ['requires_escalation', 'complete_in_progress'].includes(answer.status)
  while (isPending() && Date.now() < Date.parse(checkout.expires_at)) {
    await setTimeout(2_000)
    answer = await call('GET', address)
  }
  if (accepted(answer).status !== 'completed') throw new Error(`The checkout is ${answer.status}.`)
  console.log(`  Order ${answer.order.id}, booking ${answer.booking.booking_id} is ${answer.booking.booking_status}`)
  return answer
}

/** Allows the business to charge the card of the buyer, at most the amount that is due now: a shared payment token of Stripe. */
async function issueToken(checkout: Json) {
  const handler = checkout.ucp.payment_handlers['com.stripe.payments']?.[0]
  const instrument = handler?.available_instruments.find(({ type }: Json) => type === 'card')
  if (!instrument) throw new Error('The business takes no cards through Stripe.')
  const response = await fetch(`${stripe}/v1/shared_payment/issued_tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${PLATFORM_STRIPE_KEY}`, 'stripe-version': '2026-04-22.preview' },
    body: new URLSearchParams({
      payment_method: 'pm_card_visa',
      'usage_limits[currency]': checkout.currency.toLowerCase(),
      'usage_limits[max_amount]': String(dueNow(checkout)),
      'seller_details[network_business_profile]': instrument.config.network_id,
    }),
  })
  const { id, error }: Json = await response.json()
  if (!id) throw new Error(`Stripe issues no token: ${error?.message}`)
  const credential = { type: 'stripe_payment_token', token: id }
  return { id: randomUUID(), handler_id: handler.id, type: instrument.type, selected: true, credential }
}

// ---- After the purchase ----

async function reschedule({ booking }: Json) {
  const slots = await findSlots(booking.service_id)
  const slot = slots.find(({ start }) => start.slice(0, 10) > booking.slot.start.slice(0, 10))
  if (!slot) throw new Error('No later day is free.')
  const address = `${business.scheduling}/bookings/${booking.booking_id}/reschedule`
  const { booking: moved } = accepted(await call('POST', address, { slot_id: slot.id, ...(await hold(slot)) }))
  console.log(`  Rescheduled to ${moved.slot.start}`)
}

async function cancel({ booking, order }: Json) {
  const address = `${business.scheduling}/bookings/${booking.booking_id}/cancel`
  const { booking: canceled } = accepted(await call('POST', address, { reason: 'Something came up.' }))
  console.log(`  Canceled. The business returns ${canceled.cancellation.refund_amount ?? 0}`)
  const { adjustments } = await call('GET', `${business.shopping}/orders/${order.id}`)
  for (const { type, status } of adjustments ?? []) console.log(`  The order has a ${type}, ${status}`)
}

// ---- A stand-in for Stripe: the calls of its API that the platform and the business need in this trial ----

const limits = new Map<string, number>()
const intents = new Map<string, Json>()

function answerAsStripe(path: string, form: Record<string, string>): Json {
  const id = randomUUID().replaceAll('-', '')
  const amount = Number(form.amount)
  const [, , resource, name = `pi_${id}`, action] = path.split('/')
  if (resource === 'shared_payment') {
    limits.set(`spt_${id}`, Number(form['usage_limits[max_amount]']))
    return { id: `spt_${id}` }
  }
  if (resource === 'refunds') return { ...form, id: `re_${id}`, object: 'refund', amount, status: 'succeeded' }
  // The business finds its own charge in the metadata.
  const { currency, 'metadata[charge]': charge, 'payment_method_data[shared_payment_granted_token]': token = '' } = form
  const created = { id: name, object: 'payment_intent', amount, currency, metadata: { charge } }
  const intent = intents.get(name) ?? { ...created, status: 'requires_payment_method' }
  intents.set(name, intent)
  if (action === 'cancel') intent.status = 'canceled'
  if (action !== 'confirm') return intent
  if (intent.amount > (limits.get(token) ?? 0)) return { error: { message: 'The token does not allow this amount.' } }
  return Object.assign(intent, { status: 'succeeded', amount_received: intent.amount })
}

const standIn = createPlainServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString()
  const answer = answerAsStripe(request.url ?? '', Object.fromEntries(new URLSearchParams(body)))
  response.writeHead(answer.error ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})

// ---- The trial ----

const stripe = PLATFORM_STRIPE_KEY ? 'https://api.stripe.com' : `http://127.0.0.1:${STRIPE_STAND_IN_PORT}`
if (!PLATFORM_STRIPE_KEY) await once(standIn.listen(Number(STRIPE_STAND_IN_PORT), '127.0.0.1'), 'listening')
await once(publisher.listen(Number(PLATFORM_PORT)), 'listening')
const business = await discover()
const paid = await buy('at_booking')
await buy('deposit_required')
await buy('at_service')
if (paid) {
  console.log('\nAfter the purchase')
  await reschedule(paid)
  await cancel(paid)
}
process.exit()
