import { awaits } from '../../domain/bookings/buyer-tasks.ts'
import { refreshCheckouts } from '../../domain/checkouts/record-checkout-result.ts'
import { ProviderError } from '../../domain/payments/payment-provider.ts'
import type { Answer } from '../pages/page-layout.ts'
import type { PageContext, PageDependencies } from './open-booking-page.ts'
import { paymentView } from './payment-page.ts'
import { returnAddress } from './return-to-platform-link.ts'

type PaymentExit = (
  context: PageContext,
  dependencies: PageDependencies,
  again: () => Promise<PageContext>,
) => Promise<Answer>

/**
 * Handles a buyer who left the payment provider without paying. The page tells the buyer so, and links back to the
 * platform that made the booking.
 */
const leaveUnpaid: PaymentExit = async (context, dependencies) =>
  returnToPlatform(context) ??
  paymentView(context, dependencies, { note: context.localizer.say('booking.payment.left') })

/**
 * Handles a buyer who returns from the payment provider. The URL does not prove a payment, so the server reads the
 * checkout from the provider. Only after a payment, the server redirects to the platform that made the booking.
 */
const leavePaid: PaymentExit = async (context, dependencies, again) => {
  if (!awaits(context.booking, 'payment')) return returnToPlatform(context) ?? paymentView(context, dependencies)
  try {
    await refreshCheckouts(dependencies, context.booking)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    dependencies.log.error({ err: error, booking: context.booking.id }, 'The checkout of a booking could not be read.')
    return paymentView(context, dependencies, {
      status: 503,
      note: context.localizer.say('booking.payment.unseen'),
    })
  }
  const now = await again()
  if (awaits(now.booking, 'payment'))
    return paymentView(now, dependencies, { note: now.localizer.say('booking.payment.missing') })
  return returnToPlatform(now) ?? paymentView(now, dependencies)
}

/**
 * Redirects to the platform that made the booking, but only after a completed payment. A platform can choose any URL,
 * so a redirect without this check would be an open redirect.
 */
const returnToPlatform = ({ booking: { status, record } }: PageContext) => {
  const isPaid =
    status !== 'canceled' && record.tasks.some((task) => task.type === 'payment' && task.status === 'completed')
  return isPaid && record.return_request ? { to: returnAddress(record.return_request) } : undefined
}

export const paymentExits: ReadonlyMap<string, PaymentExit> = new Map([
  ['back', leaveUnpaid],
  ['done', leavePaid],
])
