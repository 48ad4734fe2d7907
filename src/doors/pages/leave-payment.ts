import { awaits } from '../../bookings/tasks.ts'
import { checkCheckouts } from '../../checkouts/check-checkouts.ts'
import { ProviderError } from '../../payments/provider.ts'
import type { View } from './layout.ts'
import type { PageMeans } from './page-kind.ts'
import { paymentView } from './payment.ts'
import { returnAddress } from './return-address.ts'
import type { Visit } from './visit.ts'

type Leave = (visit: Visit, means: PageMeans, again: () => Promise<Visit>) => Promise<View | { to: string }>

/** The buyer goes without paying: back to the platform that asked for it, else the page stays as it was. */
const back: Leave = async (visit, means) =>
  home(visit) ?? paymentView(visit, means, { note: 'Nothing was paid. You can still do it here.' })

/** The buyer says to have paid, or comes back from having done so. Nobody is sent on before it is known. */
const done: Leave = async (visit, means, again) => {
  if (!awaits(visit.booking, 'payment')) return home(visit) ?? paymentView(visit, means)
  try {
    await checkCheckouts(means, visit.booking.id)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    means.log.error({ err: error, booking: visit.booking.id }, 'checkout not read')
    return paymentView(visit, means, {
      status: 503,
      note: 'We cannot see your payment yet. Please do not pay again: reload this page in a moment.',
    })
  }
  const now = await again()
  if (awaits(now.booking, 'payment')) return paymentView(now, means, { note: 'Your payment has not arrived yet.' })
  return home(now) ?? paymentView(now, means)
}

const home = ({ booking: { record } }: Visit) => record.return_request && { to: returnAddress(record.return_request) }

/** The ways out of the payment page. */
export const ways: Record<string, Leave> = { back, done }
