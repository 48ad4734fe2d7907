import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseOtherMethods } from '../bindings/other-methods.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Runtime } from '../runtime.ts'
import { countAddress } from '../trust/check-rate.ts'
import { ForgedNotice, type Notice, type Provider } from './provider.ts'
import { type CheckoutRow, checkoutFind } from './queries.ts'
import { settleCheckout } from './settle-checkout.ts'

const PATH = '/payments/stripe'

/** Where Stripe tells what became of a checkout. It tells again until it hears that it was understood. */
export function serveStripe(app: FastifyInstance, runtime: Runtime) {
  const { db, payments } = runtime
  app.post(PATH, { config: { operation: 'stripe' } }, async (request, reply) => {
    const provider = await payments.named('stripe')
    if (!provider) return reply.callNotFound()
    const notice = await read(request, provider, runtime)
    // One account may serve others besides: what is not ours is none of our business.
    const row = notice && (await checkoutFind(db, notice.id))
    if (row && isOf(row, notice)) await settleCheckout(runtime, row, notice.checkout)
    return reply.header('cache-control', 'no-store').send({ received: true })
  })
  refuseOtherMethods(app, PATH, ['POST'])
}

/** A session of somebody else's may bear any name, also that of a checkout of ours. */
const isOf = ({ provider, reference }: CheckoutRow, { checkout }: Notice) =>
  provider === 'stripe' && (reference === null || reference === checkout.reference)

async function read(
  { body, headers, ip }: FastifyRequest,
  provider: Provider,
  runtime: Runtime,
): Promise<Notice | undefined> {
  try {
    const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    return provider.notified(raw, String(headers['stripe-signature'] ?? ''), runtime.clock())
  } catch (error) {
    if (!(error instanceof ForgedNotice)) throw error
    await countAddress(runtime, 'stripe', ip)
    throw new ProtocolError('invalid_request', 'This is not signed by Stripe, or it was signed too long ago.')
  }
}
