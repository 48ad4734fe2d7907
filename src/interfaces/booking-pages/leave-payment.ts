import { awaits } from '../../domain/bookings/tasks.ts'
import { checkCheckouts } from '../../domain/checkouts/check-checkouts.ts'
import { ProviderError } from '../../domain/payments/provider.ts'
import type { Answer } from '../pages/layout.ts'
import type { PageContext } from './page-context.ts'
import type { PageMeans } from './page-kind.ts'
import { paymentView } from './payment.ts'
import { returnAddress } from './return-address.ts'

type Leave = (context: PageContext, means: PageMeans, again: () => Promise<PageContext>) => Promise<Answer>

/** The buyer goes without paying: the page says that nothing was paid, and links to the platform. */
const back: Leave = async (context, means) =>
  home(context) ?? paymentView(context, means, { note: context.speech.say('booking.payment.left') })

/** The buyer returns from paying, or claims to have paid. The redirect follows once the server knows the payment. */
const done: Leave = async (context, means, again) => {
  if (!awaits(context.booking, 'payment')) return home(context) ?? paymentView(context, means)
  try {
    await checkCheckouts(means, context.booking)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    means.log.error({ err: error, booking: context.booking.id }, 'The checkout of a booking could not be read.')
    return paymentView(context, means, {
      status: 503,
      note: context.speech.say('booking.payment.unseen'),
    })
  }
  const now = await again()
  if (awaits(now.booking, 'payment'))
    return paymentView(now, means, { note: now.speech.say('booking.payment.missing') })
  return home(now) ?? paymentView(now, means)
}

/**
 * The redirect target, only after a completed payment.
 * Any platform chooses this URL, so without the check the page would be an open redirect.
 */
const home = ({ booking: { status, record } }: PageContext) => {
  const isPaid =
    status !== 'canceled' && record.tasks.some((task) => task.type === 'payment' && task.status === 'completed')
  return isPaid && record.return_request ? { to: returnAddress(record.return_request) } : undefined
}

export const ways: ReadonlyMap<string, Leave> = new Map([
  ['back', back],
  ['done', done],
])
