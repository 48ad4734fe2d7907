import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { afterRefund } from '../../src/domain/bookings/report-finished-refund.ts'
import { closeCheckouts } from '../../src/domain/checkouts/close-checkouts.ts'
import { refundAllDue } from '../../src/domain/payments/refund-worker.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { browser, continueUrl, studio } from '../pages/shop.ts'
import { type Desk, restDesk, type Shop, testShop } from '../support/desk.ts'
import { type Session, type StripeStandIn, stripeStandIn } from '../support/stripe.ts'

/** A shop that takes cards, and what its buyers and Stripe do. */
export interface PaidShop {
  shop: Shop
  desk: Desk
  stripe: StripeStandIn
  page: ReturnType<typeof browser>
  /** Books the last free slot of a service, unless another is named; with the address of the payment page. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
  booked(service: string, more?: Record<string, unknown>, slot?: object): Promise<any>
  /** The booking as a platform sees it. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  now(booking: { id: string }): Promise<any>
  /** Sends the form of the payment page, and finds the session that it led to. */
  checkout(booking: { page: string }): Promise<Session>
  /** Pays it at Stripe, which tells of it. */
  pay(session: Session): Promise<void>
  /** Books, and pays on the page. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  bookedAndPaid(service: string, more?: Record<string, unknown>, slot?: object): Promise<any>
  /** What a minute later is done by itself. */
  aMinuteLater(): Promise<void>
  /** The refunds that Stripe gave for a session. */
  refundsOf(session: Session): number[]
}

interface PaidShopOptions {
  /** Whether its platform is trusted to collect. */
  collects?: boolean
  mails?: BusinessDefinition['mails']
  env?: NodeJS.ProcessEnv
  databaseUrl?: string
}

export async function paidShop({
  collects = false,
  mails = {},
  env = {},
  databaseUrl = '',
}: PaidShopOptions = {}): Promise<PaidShop> {
  const stripe = await stripeStandIn()
  const payments = { provider: 'stripe', tax: { percent: 10, included: false } } as const
  const shop = await testShop(studio({ payments, mails }), {
    env: { ...stripe.env, BASE_URL: 'https://book.example', ...env },
    databaseUrl,
  })
  if (collects) {
    const { business, db } = shop.runtime
    const definition = await business.get()
    if (!definition) throw new Error('There is no business')
    await shop.apply({ ...definition, payments: { ...definition.payments, collected_by: [shop.platform.principal] } })
    await business.seenBy(db)
  }
  stripe.now = () => shop.time.now.getTime() / 1000
  const desk = restDesk(shop)
  const page = browser(shop)
  const paid: PaidShop = {
    shop,
    desk,
    stripe,
    page,
    async booked(service, more = {}, slot) {
      const { booking } = (await desk.book(slot ?? (await desk.slots(service)).at(-1), more)).data
      return { ...booking, page: continueUrl(booking, 'payment') }
    },
    now: async ({ id }) => (await desk.get(id)).data.booking,
    async checkout(booking) {
      const { headers } = await page.send(booking.page)
      const session = stripe.sessions.find(({ url }) => url !== null && url === headers.location)
      if (!session) throw new Error(`The form led to ${headers.location}`)
      return session
    },
    async pay(session) {
      await stripe.notify(shop, 'checkout.session.completed', stripe.pay(session))
    },
    async bookedAndPaid(service, more, slot) {
      const booking = await paid.booked(service, more, slot)
      const session = await paid.checkout(booking)
      await paid.pay(session)
      return { ...(await paid.now(booking)), page: booking.page, session }
    },
    async aMinuteLater() {
      shop.minutesLater(1.01)
      await runHousekeeping(shop.runtime)
      await closeCheckouts(shop.runtime)
      await refundAllDue(shop.runtime, afterRefund(shop.runtime))
    },
    refundsOf: ({ payment_intent }) =>
      stripe.refunds.filter((one) => one.payment_intent === payment_intent).map(({ amount }) => amount),
  }
  return paid
}
