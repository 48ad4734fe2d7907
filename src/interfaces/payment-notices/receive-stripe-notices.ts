import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordCheckoutResult, recordFailedRefund } from '../../domain/checkouts/record-checkout-result.ts'
import type { Providers } from '../../domain/payments/find-payment-provider.ts'
import {
  type ChargeNotice,
  type CheckoutNotice,
  type FailedRefund,
  ForgedNoticeError,
  type Provider,
} from '../../domain/payments/payment-provider.ts'
import { type CheckoutRow, checkoutFind } from '../../domain/payments/queries.ts'
import { chargeOfReversal } from '../../domain/ucp-checkouts/carry-out-charge.ts'
import { chargeFind } from '../../domain/ucp-checkouts/charge-queries.ts'
import { endReversal, settleCharge } from '../../domain/ucp-checkouts/settle-charge.ts'
import { type CountingDependencies, countAddress } from '../../pipeline/limit-calls-per-caller.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { guarded, refuseOtherMethods, withoutGuard } from '../http/route-guards.ts'

type StripeDependencies = CountingDependencies & Dependencies<'makeChange' | 'log' | 'tag'> & { payments: Providers }

const PATH = '/payments/stripe'

/**
 * Receives the notices (webhook calls) from Stripe about checkouts, charges and refunds. Stripe repeats a notice until
 * the server confirms it.
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
      // Other systems can use the same Stripe account. For a payment of such a system, `notice` is undefined or matches
      // no stored payment. The server then ignores it.
      if (notice && 'refund' in notice) await recordFailure(notice, dependencies)
      else if (notice && 'chargeId' in notice) await settleNoted(notice, dependencies)
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
 * Settles the charge that a Stripe notice describes. The notice can arrive before or after Stripe's answer to the
 * server's own request.
 */
async function settleNoted({ chargeId, charge }: ChargeNotice, dependencies: StripeDependencies) {
  const row = await chargeFind(dependencies.db, chargeId)
  if (row?.reference === charge.reference) await settleCharge(dependencies, chargeId, charge)
}

/** Records a failed refund of a booking, or of a charge without a booking. */
async function recordFailure(notice: FailedRefund, dependencies: StripeDependencies) {
  const charge = chargeOfReversal(notice.refund)
  if (charge === undefined) return recordFailedRefund(dependencies, notice)
  await endReversal(dependencies, charge, { step: 'refuse_return', reason: notice.why })
}

/**
 * Whether a Stripe notice belongs to a stored checkout. A notice about a payment of another system can contain the id
 * of this checkout. Therefore the stored reference must match too.
 */
const isNoticeOf = ({ provider, reference }: CheckoutRow, { checkout }: CheckoutNotice) =>
  provider === 'stripe' && (reference === null || reference === checkout.reference)

async function read(
  { body, headers, ip }: FastifyRequest,
  provider: Provider,
  dependencies: StripeDependencies,
): Promise<CheckoutNotice | ChargeNotice | FailedRefund | undefined> {
  try {
    const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0)
    return provider.readNotification(raw, String(headers['stripe-signature'] ?? ''), dependencies.clock())
  } catch (error) {
    if (!(error instanceof ForgedNoticeError)) throw error
    await countAddress(dependencies, 'stripe', ip)
    throw new ProtocolError('invalid_request', 'This has no valid Stripe signature, or it was signed too long ago.')
  }
}
