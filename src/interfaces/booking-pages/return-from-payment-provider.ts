import { awaits } from '../../domain/bookings/buyer-tasks.ts'
import { refreshCheckouts } from '../../domain/checkouts/record-checkout-result.ts'
import { ProviderError } from '../../domain/payments/payment-provider.ts'
import type { Answer } from '../pages/page-layout.ts'
import type { PageContext, PageDependencies } from './load-booking-page-context.ts'
import { paymentView } from './payment-page.ts'
import { returnAddress } from './return-to-platform-link.ts'

type PaymentExit = (
  context: PageContext,
  dependencies: PageDependencies,
  again: () => Promise<PageContext>,
) => Promise<Answer>

/**
 * Handles the return of a buyer who did not pay at the payment provider. The payment page says that the buyer has not
 * paid, and links back to the platform that made the booking.
 */
const leaveUnpaid: PaymentExit = async (context, dependencies) =>
  returnToPlatform(context) ??
  paymentView(context, dependencies, { note: context.localizer.say('booking.payment.left') })

/**
 * Handles the return of a buyer from the payment provider. The URL does not prove a payment, so the server asks the
 * provider for the result. After a payment, the server redirects the buyer to the platform that made the booking.
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
 * Returns a redirect to the platform that made the booking, but only after a completed payment. A platform can choose
 * any URL. Without this check, an attacker could use the server to redirect people to any site.
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
