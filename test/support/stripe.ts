import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import type { Answer, TestServer } from './server.ts'

const KEY = 'sk_test_swordfish'
const WEBHOOK_SECRET = 'whsec_swordfish'
const HALF_AN_HOUR = 30 * 60
const DAY = 24 * 60 * 60

/** Stripe takes amounts in these currencies only as multiples: https://docs.stripe.com/currencies#special-cases */
const STEPS: Record<string, number> = { bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10, isk: 100, ugx: 100 }

export interface Session {
  id: string
  object: 'checkout.session'
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid'
  client_reference_id: string
  payment_intent: string | null
  amount_total: number
  currency: string
  url: string | null
  success_url: string
  cancel_url: string
  expires_at: number
}

/** A payment token of an assistant, as its platform granted it. */
export interface GrantedToken {
  id: string
  max_amount: number
  currency: string
  /** In seconds since 1970. */
  expires_at: number
  revoked: boolean
  card: 'good' | 'declined' | 'asks_buyer' | 'asks_script' | 'processing'
  method: 'card' | 'link'
}

export interface Intent {
  id: string
  object: 'payment_intent'
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'succeeded'
    | 'canceled'
  amount: number
  amount_received: number
  currency: string
  metadata: Record<string, string>
  next_action: object | null
  payment_method_types: string[]
}

export interface Refund {
  id: string
  object: 'refund'
  status: 'succeeded' | 'failed' | 'canceled'
  payment_intent: string
  amount: number
  metadata: Record<string, string>
}

interface Asked {
  method: string
  path: string
  /** In Stripe's form encoding: `line_items[0][quantity]`. */
  params: Record<string, string>
  idempotencyKey: string | undefined
  version: string | undefined
}

/** A stand-in for the used parts of Stripe, on loopback: sessions, refunds, idempotency keys, signed webhook calls. */
export interface StripeStandIn {
  env: NodeJS.ProcessEnv
  asked: Asked[]
  sessions: Session[]
  intents: Intent[]
  tokens: GrantedToken[]
  refunds: Refund[]
  refundsEnd: Refund['status']
  /** The stand-in's clock, in seconds since 1970. */
  now: () => number
  /** Runs between the execution of a request and its answer. */
  beforeAnswer: (asked: Asked) => Promise<unknown>
  /**
   * `down` hangs up, and `silent` never answers. `deaf` executes the request and hangs up, `mute` executes it and never
   * answers.
   */
  mood: 'well' | 'down' | 'silent' | 'deaf' | 'mute'
  forget(): void
  /** An assistant grants a token to the business: by default 1,000 dollars for an hour. */
  grant(limits?: Partial<GrantedToken>): GrantedToken
  /** The buyer pays on the checkout page now. */
  pay(session: Session): Session
  /** The buyer confirms a payment to the bank, or does not. */
  confirmAtBank(intent: Intent | undefined, isConfirmed?: boolean): Intent
  /** Sends a signed webhook call to the server. A test may forge parts of it. */
  notify(server: TestServer, type: string, object: object, forgery?: Forgery): Promise<Answer>
  notifyText(server: TestServer, text: string, forgery?: Forgery): Promise<Answer>
}

interface Forgery {
  secret?: string
  signedAt?: number
  body?: string
  signature?: string
}

class Refusal extends Error {
  readonly status: number
  readonly code: string

  readonly more: object

  constructor(status: number, code: string, message: string, more: object = {}) {
    super(message)
    this.status = status
    this.code = code
    this.more = more
  }
}

export async function stripeStandIn(): Promise<StripeStandIn> {
  const answers = new Map<string, { asked: string; answer: [number, string] }>()
  /** Seconds since 1970, by the id of the session. */
  const paidAt = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const asked = await read(request)
    standIn.asked.push(asked)
    if (standIn.mood === 'down') return void response.destroy()
    if (standIn.mood === 'silent') return
    const [status, answer] = answered(asked, request)
    await standIn.beforeAnswer(asked)
    if (standIn.mood === 'deaf') return void response.destroy()
    if (standIn.mood === 'mute') return
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': `req_${randomUUID()}` }).end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  /** A repeated key gets the first answer, also if it is a refusal. With another request it is refused. */
  function answered(asked: Asked, request: IncomingMessage): [number, string] {
    const { idempotencyKey: key } = asked
    const same = JSON.stringify([asked.path, asked.params])
    const earlier = key === undefined ? undefined : answers.get(key)
    if (earlier) {
      if (earlier.asked !== same) return refused(new Refusal(400, 'idempotency_key_in_use', 'Other parameters'))
      return earlier.answer
    }
    try {
      if (request.headers.authorization !== `Bearer ${KEY}`) throw new Refusal(401, 'api_key_invalid', 'Who is this?')
      const answer = executed(asked)
      if (key !== undefined) answers.set(key, { asked: same, answer })
      return answer
    } catch (error) {
      // Stripe does not keep the refusal of a request that it did not begin to execute.
      if (error instanceof Refusal) return refused(error)
      throw error
    }
  }

  function executed(asked: Asked): [number, string] {
    try {
      return [200, JSON.stringify(answerTo(asked))]
    } catch (error) {
      if (error instanceof Refusal && !error.code.startsWith('parameter_')) return refused(error)
      throw error
    }
  }

  const types: Record<number, string> = { 401: 'authentication_error', 402: 'card_error' }
  const refused = ({ status, code, message, more }: Refusal): [number, string] => [
    status,
    JSON.stringify({ error: { type: types[status] ?? 'invalid_request_error', code, message, ...more } }),
  ]

  function answerTo({ method, path, params, version }: Pick<Asked, 'method' | 'path' | 'params' | 'version'>): object {
    const [, id = '', action] = /^\/v1\/checkout\/sessions(?:\/([^/]+)(?:\/(expire))?)?$/.exec(path) ?? []
    if (method === 'POST' && path === '/v1/checkout/sessions') return newSession(params)
    if (id !== '') {
      const session = standIn.sessions.find((one) => one.id === id)
      if (!session) throw new Refusal(404, 'resource_missing', `No such session: ${id}`)
      if (action === undefined) return expanded(session, params)
      if (session.status !== 'open') throw new Refusal(400, 'checkout_session_not_open', 'It is not open')
      return Object.assign(session, { status: 'expired', url: null })
    }
    const intent = intentAnswer({ method, path, params, version })
    if (intent) return intent
    if (path.startsWith('/v1/refunds')) return method === 'POST' ? newRefund(params) : refundsOf(params.payment_intent)
    throw new Refusal(404, 'url_invalid', `${method} ${path}`)
  }

  function intentAnswer({ method, path, params, version }: Pick<Asked, 'method' | 'path' | 'params' | 'version'>) {
    const [, id, action] = /^\/v1\/payment_intents(?:\/([^/]+)(?:\/(confirm|cancel))?)?$/.exec(path) ?? []
    if (!path.startsWith('/v1/payment_intents')) return undefined
    if (id === undefined) return newIntent(params)
    const intent = standIn.intents.find((one) => one.id === id)
    if (!intent) throw new Refusal(404, 'resource_missing', `No such payment_intent: ${id}`)
    if (method === 'GET') return { ...intent }
    return action === 'cancel' ? canceled(intent) : confirmed(intent, params, version)
  }

  function newIntent(params: Record<string, string>): Intent {
    const amount = Number(params.amount)
    if (!Number.isInteger(amount) || amount < 1) throw new Refusal(400, 'parameter_invalid_integer', 'Invalid amount')
    if (amount % (STEPS[params.currency ?? ''] ?? 1) !== 0)
      throw new Refusal(400, 'parameter_invalid_integer', 'Invalid amount for this currency')
    const intent: Intent = {
      id: `pi_${randomUUID().replaceAll('-', '')}`,
      object: 'payment_intent',
      status: 'requires_payment_method',
      amount,
      amount_received: 0,
      currency: params.currency ?? '',
      next_action: null,
      metadata: metadataOf(params),
      payment_method_types: Object.keys(params)
        .filter((name) => name.startsWith('payment_method_types['))
        .map((name) => params[name] ?? ''),
    }
    standIn.intents.push(intent)
    return { ...intent }
  }

  const isOpen = ({ status }: Intent) => status.startsWith('requires_')

  function canceled(intent: Intent): Intent {
    if (!isOpen(intent))
      throw new Refusal(400, 'payment_intent_unexpected_state', `Its status is ${intent.status}`, {
        payment_intent: { ...intent },
      })
    return { ...Object.assign(intent, { status: 'canceled', next_action: null }) }
  }

  /** Tokens are a preview: other versions of the interface do not know the parameter. */
  function confirmed(intent: Intent, params: Record<string, string>, version: string | undefined): Intent {
    const given = params['payment_method_data[shared_payment_granted_token]']
    if (given !== undefined && version !== '2026-04-22.preview')
      throw new Refusal(400, 'parameter_unknown', 'Received unknown parameter: shared_payment_granted_token')
    if (!isOpen(intent)) throw new Refusal(400, 'payment_intent_unexpected_state', `Its status is ${intent.status}`)
    const token = standIn.tokens.find(({ id }) => id === given)
    if (!token) throw new Refusal(400, 'resource_missing', `No such shared payment token: ${given}`)
    if (token.revoked || token.expires_at <= standIn.now())
      throw new Refusal(400, 'payment_method_not_available', 'The shared payment token is deactivated')
    if (token.currency !== intent.currency || token.max_amount < intent.amount)
      throw new Refusal(400, 'amount_too_large', 'The amount exceeds the usage limits of the shared payment token')
    if (!intent.payment_method_types.includes(token.method))
      throw new Refusal(400, 'payment_intent_incompatible_payment_method', `It does not take ${token.method}`)
    if (token.card === 'declined')
      throw new Refusal(402, 'card_declined', 'Your card has insufficient funds.', {
        decline_code: 'insufficient_funds',
        payment_intent: { ...intent },
      })
    if (token.card === 'asks_buyer') {
      const redirect_to_url = { url: `https://hooks.stripe.com/3ds/${intent.id}`, return_url: params.return_url ?? '' }
      return {
        ...Object.assign(intent, {
          status: 'requires_action',
          next_action: { type: 'redirect_to_url', redirect_to_url },
        }),
      }
    }
    // For a script of Stripe in the page of the seller. There is no page to lead the buyer to.
    if (token.card === 'asks_script')
      return {
        ...Object.assign(intent, {
          status: 'requires_action',
          next_action: { type: 'use_stripe_sdk', use_stripe_sdk: {} },
        }),
      }
    // A token is spent by its first payment.
    token.revoked = true
    if (token.card === 'processing') return { ...Object.assign(intent, { status: 'processing' }) }
    return { ...Object.assign(intent, { status: 'succeeded', amount_received: intent.amount }) }
  }

  /** Includes the payment and its charge when the caller expands them. */
  function expanded(session: Session, params: Record<string, string>): object {
    const created = paidAt.get(session.id)
    if (params['expand[0]'] !== 'payment_intent.latest_charge' || created === undefined) return session
    const latest_charge = { id: `ch_${randomUUID()}`, object: 'charge', created }
    return { ...session, payment_intent: { id: session.payment_intent, object: 'payment_intent', latest_charge } }
  }

  function newSession(params: Record<string, string>): Session {
    const expires_at = Number(params.expires_at)
    if (expires_at < standIn.now() + HALF_AN_HOUR || expires_at > standIn.now() + DAY)
      throw new Refusal(400, 'parameter_invalid_integer', 'expires_at must be half an hour to a day from now')
    const id = `cs_test_${randomUUID().replaceAll('-', '')}`
    const session: Session = {
      id,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      client_reference_id: params.client_reference_id ?? '',
      amount_total: totalOf(params),
      expires_at,
      currency: params['line_items[0][price_data][currency]'] ?? '',
      url: `https://checkout.stripe.com/c/pay/${id}`,
      success_url: params.success_url ?? '',
      cancel_url: params.cancel_url ?? '',
    }
    standIn.sessions.push(session)
    return { ...session }
  }

  function newRefund({ payment_intent = '', amount, ...rest }: Record<string, string>): Refund {
    const session = standIn.sessions.find((one) => one.payment_intent === payment_intent)
    const intent = standIn.intents.find(({ id, status }) => id === payment_intent && status === 'succeeded')
    const paid = session ?? (intent && { amount_total: intent.amount_received })
    if (!paid) throw new Refusal(404, 'resource_missing', `No such payment_intent: ${payment_intent}`)
    const given = standIn.refunds.filter((one) => one.payment_intent === payment_intent && one.status === 'succeeded')
    const left = paid.amount_total - given.reduce((sum, one) => sum + one.amount, 0)
    if (left === 0) throw new Refusal(400, 'charge_already_refunded', 'It has been refunded')
    if (Number(amount) > left) throw new Refusal(400, 'amount_too_large', 'More than is left')
    const metadata = metadataOf(rest)
    const id = `re_${randomUUID()}`
    const refund: Refund = {
      id,
      object: 'refund',
      status: standIn.refundsEnd,
      payment_intent,
      amount: Number(amount),
      metadata,
    }
    standIn.refunds.push(refund)
    return refund
  }

  const refundsOf = (intent: string | undefined) => ({
    object: 'list',
    url: '/v1/refunds',
    has_more: false,
    data: standIn.refunds.filter((one) => one.payment_intent === intent),
  })

  const { port } = server.address() as AddressInfo
  const standIn: StripeStandIn = {
    env: {
      STRIPE_SECRET_KEY: KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    },
    asked: [],
    sessions: [],
    intents: [],
    tokens: [],
    refunds: [],
    refundsEnd: 'succeeded',
    now: () => Date.now() / 1000,
    beforeAnswer: async () => {},
    mood: 'well',
    forget: () => answers.clear(),
    grant(limits = {}) {
      const token: GrantedToken = {
        id: `spt_${randomUUID()}`,
        max_amount: 100_000,
        currency: 'usd',
        expires_at: standIn.now() + 3600,
        revoked: false,
        card: 'good',
        method: 'card',
        ...limits,
      }
      standIn.tokens.push(token)
      return token
    },
    pay(session) {
      paidAt.set(session.id, Math.floor(standIn.now()))
      return Object.assign(session, {
        status: 'complete',
        payment_status: 'paid',
        url: null,
        payment_intent: `pi_${randomUUID()}`,
      })
    },
    confirmAtBank(intent, isConfirmed = true) {
      if (!intent) throw new Error('There is no PaymentIntent')
      const paid = { status: 'succeeded' as const, amount_received: intent.amount }
      const outcome = isConfirmed ? paid : { status: 'requires_payment_method' as const }
      return Object.assign(intent, { ...outcome, next_action: null })
    },
    notify(to, type, object, forgery) {
      const created = ('id' in object && paidAt.get(String(object.id))) || Math.floor(standIn.now())
      const event = { id: `evt_${randomUUID()}`, object: 'event', type, created, data: { object } }
      return standIn.notifyText(to, JSON.stringify(event), forgery)
    },
    async notifyText(to, sent, forgery = {}) {
      const { secret = WEBHOOK_SECRET, signedAt = to.time.now.getTime() / 1000, body = sent } = forgery
      const at = Math.floor(signedAt)
      const signature =
        forgery.signature ?? `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${sent}`).digest('hex')}`
      const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
      return to.raw({ method: 'POST', url: '/payments/stripe', headers, payload: body })
    },
  }
  return standIn
}

async function read(request: IncomingMessage): Promise<Asked> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stripe.example')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const key = request.headers['idempotency-key']
  return {
    method: request.method ?? '',
    path: pathname,
    params: Object.fromEntries([...searchParams, ...new URLSearchParams(Buffer.concat(chunks).toString())]),
    idempotencyKey: typeof key === 'string' ? key : undefined,
    version: String(request.headers['stripe-version'] ?? '') || undefined,
  }
}

const metadataOf = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => {
      const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? []
      return key === undefined ? [] : [[key, value]]
    }),
  )

function totalOf(params: Record<string, string>): number {
  let total = 0
  for (let index = 0; params[`line_items[${index}][quantity]`] !== undefined; index++) {
    const unit = Number(params[`line_items[${index}][price_data][unit_amount]`])
    if (!Number.isInteger(unit)) throw new Refusal(400, 'parameter_invalid_integer', 'unit_amount must be an integer')
    total += unit * Number(params[`line_items[${index}][quantity]`])
  }
  return total
}
