import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordCheckoutResult, recordFailedRefund } from '../../domain/checkouts/record-checkout-result.ts'
import {
  type CheckoutNotice,
  type FailedRefund,
  ForgedNoticeError,
  type Provider,
} from '../../domain/payments/provider.ts'
import type { Providers } from '../../domain/payments/providers.ts'
import { type CheckoutRow, checkoutFind } from '../../domain/payments/queries.ts'
import { type CountingDependencies, countAddress } from '../../pipeline/check-rate.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { guarded, refuseOtherMethods, withoutGuard } from '../http/guards.ts'

type StripeDependencies = CountingDependencies & Dependencies<'makeChange' | 'log'> & { payments: Providers }

const PATH = '/payments/stripe'

/**
 * Receives notices of Stripe about checkouts and failed refunds. Stripe repeats a notice until the server confirms it.
 */
export function serveStripe(app: FastifyInstance, dependencies: StripeDependencies) {
  const { payments } = dependencies
  app.post(
    PATH,
    guarded('stripe', withoutGuard('signed by Stripe; who forges it is counted')),
    async (request, reply) => {
      const provider = await payments.find('stripe')
      if (!provider) return reply.callNotFound()
      const notice = await read(request, provider, dependencies)
      // `read` returns undefined for a notice of another system that uses the same Stripe account. The server ignores
      // these notices.
      if (notice && 'refund' in notice) await recordFailedRefund(dependencies, notice)
      else if (notice) await recordNotice(notice, dependencies)
      return reply.header('cache-control', 'no-store').send({ received: true })
    },
  )
  refuseOtherMethods(app, PATH, ['POST'])
}

async function recordNotice(notice: CheckoutNotice, dependencies: StripeDependencies) {
  const row = await checkoutFind(dependencies.db, notice.id)
  if (row && isNoticeOf(row, notice)) await recordCheckoutResult(dependencies, row, notice.checkout)
}

/**
 * Whether a notice belongs to the checkout. A Stripe session of another system may use the same checkout id, so the
 * reference must be equal too.
 */
const isNoticeOf = ({ provider, reference }: CheckoutRow, { checkout }: CheckoutNotice) =>
  provider === 'stripe' && (reference === null || reference === checkout.reference)

async function read(
  { body, headers, ip }: FastifyRequest,
  provider: Provider,
  dependencies: StripeDependencies,
): Promise<CheckoutNotice | FailedRefund | undefined> {
  try {
    const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    return provider.readNotification(raw, String(headers['stripe-signature'] ?? ''), dependencies.clock())
  } catch (error) {
    if (!(error instanceof ForgedNoticeError)) throw error
    await countAddress(dependencies, 'stripe', ip)
    throw new ProtocolError('invalid_request', 'This has no valid Stripe signature, or it was signed too long ago.')
  }
}
