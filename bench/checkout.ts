/**
 * Compares the time of a paid UCP checkout, from its creation to the order, with a hold and a booking over REST. A fake
 * payment provider answers at once. One caller sends one request after another, so the benchmark measures latency, not
 * throughput.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TimeSlot } from '../src/protocol/types.generated.ts'
import { call } from './support/call.ts'
import { checkTarget } from './support/check-target.ts'
import { median, shoot } from './support/load.ts'
import { pairsOf } from './support/pairs.ts'
import { openPlatform } from './support/platform.ts'
import { business, day, service, staff } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const ROUNDS = { warmUp: 20, count: Number(process.env.BENCH_ROUNDS ?? 200) }
/**
 * The number of staff members for each of the two ways to book. Separate staff members prevent that one way uses the
 * slots of the other.
 */
const PEOPLE = 10
const DAYS = 3
/** The calls use the keys in turn, because the server limits the holds of one key. */
const KEYS = 50

/** The result varies by 0.1 between two runs of the same code. */
const STOPPED = { at: 2.2, why: 'docs/decisions/0101-performance-targets.md' }

const buyer = { first_name: 'Ann', last_name: 'Other', email: 'ann@example.com' }

const credential = { type: 'stripe_payment_token', token: 'spt_bench' }
const payment = {
  payment: { instruments: [{ id: 'one', handler_id: 'stripe_payments', type: 'card', selected: true, credential }] },
}

const provider = await openProvider()
const stage = await openStage()
const platform = await openPlatform(KEYS)
try {
  const unpaid = staff(PEOPLE).map((one) => service(`svc_${one}`, [one]))
  const paid = staff(PEOPLE, PEOPLE + 1).map((one) => {
    const plain = service(`svc_${one}`, [one])
    return { ...plain, policies: { ...plain.policies, payment_timing: 'at_booking' as const } }
  })
  const { origin } = await stage.serve(
    'checkout',
    {
      ...business([...unpaid, ...paid], 2 * PEOPLE),
      deployment_mode: 'ucp_native',
      ucp_checkout: { enabled: true },
      payments: { provider: 'stripe' },
    },
    provider.env,
  )
  const slotsOf = async (services: typeof unpaid) => {
    const answers = services.map(({ id: service_id }) =>
      shoot(origin, '/usp/v1/availability/query', { service_id, start_date: day(1), end_date: day(DAYS), limit: 200 }),
    )
    return (await Promise.all(answers)).flatMap(({ slots }): TimeSlot[] => slots)
  }
  const slots = { unpaid: await slotsOf(unpaid), paid: await slotsOf(paid) }
  let turn = 0
  const caller = () => {
    const key = platform.keys[turn++ % KEYS]
    if (!key) throw new Error('There is no key')
    return async (path: string, input: object) => {
      const { headers, body } = await platform.sign(key, origin, path, input)
      const begun = performance.now()
      const answer = await call(origin + path, body, { method: 'POST', headers })
      if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.body}`)
      return { ms: performance.now() - begun, body: JSON.parse(answer.body) }
    }
  }
  const book = async (slot: TimeSlot) => {
    const send = caller()
    const wish = { service_id: slot.service_id, slot_id: slot.id }
    const held = await send('/usp/v1/availability/holds', wish)
    const booked = await send('/usp/v1/bookings', { ...wish, hold_id: held.body.hold.id, buyer })
    return held.ms + booked.ms
  }
  const buy = async ({ id, service_id, start, end, duration }: TimeSlot) => {
    const send = caller()
    const booking = { service_id, service_type: 'appointment', slot: { id, start, end, duration } }
    const line_items = [{ item: { id: service_id }, quantity: 1 }]
    const created = await send('/ucp/v1/checkout-sessions', { line_items, buyer, booking })
    const done = await send(`/ucp/v1/checkout-sessions/${created.body.id}/complete`, payment)
    if (done.body.status !== 'completed') throw new Error(`The checkout is not completed: ${JSON.stringify(done.body)}`)
    return created.ms + done.ms
  }
  const pairs = await pairsOf(ROUNDS, (isPaid) => {
    const slot = (isPaid ? slots.paid : slots.unpaid).pop()
    if (!slot) throw new Error('There are no slots left')
    return isPaid ? buy(slot) : book(slot)
  })
  const [checkout, booking] = [median(pairs.map(({ on }) => on)), median(pairs.map(({ off }) => off))]
  console.log(`hold and booking      ${booking.toFixed(1)} ms`)
  console.log(`checkout to its order ${checkout.toFixed(1)} ms`)
  checkTarget('a checkout beside hold and booking', checkout / booking, { atMost: 2, stopped: STOPPED }, 'times')
} finally {
  platform.close()
  await stage.close()
  provider.close()
}

interface Intent {
  id: string
  amount: number
  currency: string
  metadata: object
}

/**
 * Starts a fake payment provider. It accepts each payment, and its answers have the members of Stripe answers that the
 * server reads.
 */
async function openProvider() {
  const intents = new Map<string, Intent>()
  const server = createServer(async (request, response) => {
    const [, id, action] = /^\/v1\/payment_intents(?:\/(\w+)\/(\w+))?$/.exec(request.url ?? '') ?? []
    const asked = new URLSearchParams(await text(request))
    const intent = intents.get(id ?? '') ?? {
      id: `pi_${intents.size}`,
      amount: Number(asked.get('amount')),
      currency: asked.get('currency') ?? '',
      metadata: Object.fromEntries(
        ['charge', 'order', 'booking'].map((name) => [name, asked.get(`metadata[${name}]`)]),
      ),
    }
    intents.set(intent.id, intent)
    const isPaid = action === 'confirm'
    const status = isPaid ? 'succeeded' : 'requires_payment_method'
    const more = { object: 'payment_intent', status, amount_received: isPaid ? intent.amount : 0, next_action: null }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...intent, ...more }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    env: {
      STRIPE_SECRET_KEY: 'sk_test_bench',
      STRIPE_WEBHOOK_SECRET: 'whsec_bench',
      STRIPE_API_BASE: `http://127.0.0.1:${typeof address === 'object' && address?.port}`,
      STRIPE_NETWORK_ID: 'profile_bench',
      STRIPE_ACCOUNT_ID: 'acct_bench',
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
