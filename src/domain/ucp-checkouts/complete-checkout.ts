import { type ChangeContext, defineOperation, type PrepareContext, UNSETTLED } from '../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput } from '../../protocol/errors.ts'
import { shape } from '../../protocol/json-schemas.ts'
import type { CompleteCheckout, Message } from '../../protocol/types.generated.ts'
import type { BookingRow } from '../bookings/booking-row.ts'
import { issueCredential } from '../bookings/issue-booking-credential.ts'
import type { Providers } from '../payments/find-payment-provider.ts'
import { type Begun, beginCharge } from './begin-charge.ts'
import { type BookedCheckout, bookCheckout, requireBookable } from './book-completed-checkout.ts'
import { bookingOf } from './booking-of-checkout.ts'
import { checkoutPageUrl, openTasks } from './buyer-tasks.ts'
import { carryOutCharge, resumeCharge } from './carry-out-charge.ts'
import { chargeFind, chargeLease } from './charge-queries.ts'
import { checkSignals } from './check-agent-ip-address.ts'
import { toCheckout } from './checkout-response.ts'
import { type CheckoutRow, dueNow } from './checkout-row.ts'
import { messageAbout } from './error-messages.ts'
import { lockCheckout } from './lock-checkout.ts'
import { checkoutId, onCheckouts } from './operation-defaults.ts'
import { paymentFailed } from './settle-charge.ts'
import { unchangeable } from './update-checkout.ts'

type Input = CompleteCheckout['input']

/** The result of an attempt to pay for a UCP checkout. */
interface Payment {
  messages: Message[]
  /** Set if this request, or an earlier copy of it, tried to pay. */
  isOwn: boolean
  /** The checkout with its booking, if this request completed it. */
  booked?: BookedCheckout | undefined
}

export const completeCheckout = defineOperation<
  CompleteCheckout & { prepared: Payment; needs: { payments: Providers } }
>({
  ...onCheckouts,
  id: 'completeCheckout',
  rest: 'POST /checkout-sessions/{id}/complete',
  tool: 'complete_checkout',
  title: 'Complete a checkout',
  description:
    'Takes the amount that is due now with a payment token, books the slot and places the order. A price that is due on the spot needs no payment instrument. A failure changes nothing, and the slot stays held.',
  effect: 'update',
  needsKey: 'always',
  input: {
    type: 'object',
    required: ['id'],
    properties: { id: checkoutId, payment: shape('UcpPaymentInput'), signals: shape('UcpSignals') },
  },
  prepare: takePayment,
  async handle(context, { messages, isOwn, booked }) {
    if (booked) return completed(context, booked, [])
    const row = await lockCheckout(context, context.input.id)
    if (row.status === 'completed') return completedBefore(context, row, isOwn ? [] : [unchangeable(row)])
    if (row.status === 'canceled')
      return toCheckout(row, context, { messages: messages.length > 0 ? messages : [unchangeable(row)] })
    if (row.status === 'completing' || row.status === 'escalated') {
      const busy = isOwn ? [] : [unchangeable(row)]
      return { ...(await toCheckout(row, context, { messages: busy })), [UNSETTLED]: true as const }
    }
    if (messages.length > 0 || row.faults.length > 0 || openTasks(row).length > 0)
      return toCheckout(row, context, { messages })
    if (dueNow(row) > 0)
      return { ...(await toCheckout(row, context, { messages: [overtaken] })), [UNSETTLED]: true as const }
    refuseInstruments(context.input)
    return bookUnpaid(context, row)
  },
})

/** The message after another request tried to pay for the UCP checkout at the same time, and its payment failed. */
const overtaken = paymentFailed('Another request tried to pay this checkout, and failed. Send this request again.')

/**
 * Takes the payment before the transaction that completes the checkout. The calls to the payment provider cannot be
 * part of a database transaction.
 */
async function takePayment(context: PrepareContext<Input> & { payments: Providers }): Promise<Payment> {
  const { input, db, makeChange, payments, now, config, tag } = context
  checkSignals(input.signals)
  const begun = await makeChange((tx) => beginCharge({ ...context, db: tx }))
  if (begun.kind === 'refused') return { messages: begun.messages, isOwn: true }
  if (begun.kind === 'nothing') return { messages: [], isOwn: false }
  const provider = await payments.find(begun.charge.provider)
  if (!provider) throw new Error(`The settings have no account for ${begun.charge.provider}`)
  const dependencies = { ...context, clock: () => now }
  const returnUrl = checkoutPageUrl(config.baseUrl, tag, input.id)
  if (begun.kind === 'begun') {
    const booked = await carryOutCharge(dependencies, provider, { ...begun, returnUrl })
    if (booked) return { messages: [], isOwn: true, booked }
  } else await resumeIfAbandoned(begun)
  const { problem } = (await chargeFind(db, begun.charge.id)) ?? {}
  return { messages: problem ? [problem] : [], isOwn: true }

  async function resumeIfAbandoned({ charge }: Extract<Begun, { kind: 'earlier' }>) {
    const leased = await chargeLease(db, charge.id)
    if (leased && provider) await resumeCharge(dependencies, provider, leased)
  }
}

/**
 * Refuses a request that contains a way to pay although nothing is due. The checkout has already shown to the platform
 * that nothing is due.
 */
function refuseInstruments({ payment }: Input): void {
  if ((payment?.instruments ?? []).length > 0)
    throw invalidInput('Nothing is due now: send no payment instrument.', '$.payment.instruments')
}

async function bookUnpaid(context: ChangeContext<Input>, row: CheckoutRow) {
  const { db, caller, now } = context
  const bookable = await requireBookable(context, row).catch((error: unknown) => {
    if (!(error instanceof BusinessRefusal)) throw error
    return error
  })
  if (bookable instanceof BusinessRefusal) return toCheckout(row, context, { messages: [messageAbout(bookable)] })
  const by = { actor: caller.principal, stranger: caller.stranger }
  return completed(context, await bookCheckout(db, row, { ...bookable, ...by }, now), [])
}

async function completedBefore(context: ChangeContext<Input>, checkout: CheckoutRow, messages: Message[]) {
  return completed(context, { checkout, booking: await bookingOf(context, checkout) }, messages)
}

async function completed(
  context: ChangeContext<Input>,
  { checkout, booking }: { checkout: CheckoutRow; booking: BookingRow | undefined },
  messages: Message[],
) {
  const answer = await toCheckout(checkout, context, { booking, messages })
  const credential = booking && messages.length === 0 ? await issueCredential(context, booking) : undefined
  return { ...answer, ...(credential && { booking_scoped_credential: credential }) }
}
