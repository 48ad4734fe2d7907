import { isPublished } from '../../core/authentication/bind-key-to-profile.ts'
import { platformOf } from '../../core/authentication/principals.ts'
import { type Agent, type Caller, isStaff } from '../../protocol/caller-types.ts'
import type { PrepareContext } from '../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput, ProtocolError } from '../../protocol/errors.ts'
import type { BusinessDefinition, ConfirmPayment } from '../../protocol/types.generated.ts'
import { type BookingRow, bookingAsOf, isBeingChecked } from '../bookings/booking-row.ts'
import { awaits } from '../bookings/buyer-tasks.ts'
import { ownerOf, refuseStale } from '../bookings/lock-and-save-booking.ts'
import { bookingFind } from '../bookings/queries.ts'
import type { Providers } from '../payments/find-payment-provider.ts'
import { ProviderError } from '../payments/payment-provider.ts'
import { isDeposit, type Payment } from '../pricing/payment-amounts.ts'
import { refreshCheckouts } from './record-checkout-result.ts'

/**
 * Says why the server trusts a payment that a caller reports. 'taken': the business trusts the caller. 'confirmed': the
 * provider has confirmed the payment. 'none': the server has no reason to trust the report, and refuses it.
 */
export type ReportTrust = 'taken' | 'confirmed' | 'none'

/**
 * Verifies a reported payment before the transaction begins. If the business does not trust the caller, the server asks
 * the provider about the payment pages. It also asks after the time to pay. It immediately records each payment that
 * the provider has received.
 */
export async function verifyPaymentReport(
  context: PrepareContext<ConfirmPayment['input']> & { payments: Providers },
): Promise<ReportTrust> {
  const { input, caller, agent, business, db, makeChange, payments, now, tag, ifMatch } = context
  const definition = await business.get()
  const find = async (): Promise<BookingRow | undefined> => {
    const found = await bookingFind(db, input.booking_id, ownerOf(caller), { lock: false })
    return found && bookingAsOf(found, now)
  }
  const ask = (booking: BookingRow) =>
    refreshCheckouts({ db, makeChange, payments, clock: () => now }, booking).catch(tryLater)
  const booking = await find()
  if (!definition || mayReport(definition, caller, agent)) {
    if (booking && isBeingChecked(booking, now)) await ask(booking)
    return 'taken'
  }
  if (!booking?.record.payment || !awaits(booking, 'payment')) return 'none'
  refuseStale(tag, booking, ifMatch)
  refuseOtherAmount(booking.record.payment, input.payment_result)
  await ask(booking)
  const after = await find()
  return after && awaits(after, 'payment') ? 'none' : 'confirmed'
}

function tryLater(error: unknown): never {
  if (!(error instanceof ProviderError)) throw error
  throw new ProtocolError(
    'service_unavailable',
    'The payment provider does not answer at present. Report the payment again shortly.',
    {
      retryAfter: 10,
    },
  )
}

export const notReceived = () =>
  new BusinessRefusal(
    'payment_not_received',
    'No such payment has arrived: this business takes payments on its own page. Send the buyer to the continue_url of the payment action.',
    '$.payment_result.transaction_id',
  )

type Result = Pick<ConfirmPayment['input']['payment_result'], 'status' | 'amount_paid' | 'currency'>

export function refuseOtherAmount(payment: Payment, result: Result): void {
  const { timing, due, currency } = payment
  const usual = isDeposit(payment) ? 'deposit_paid' : 'paid'
  // A deposit of the whole price is a deposit and a full payment, so the caller may report either.
  const isEither = timing === 'deposit_required' && usual === 'paid'
  if (result.status !== usual && !isEither)
    throw invalidInput(`This booking awaits the payment status ${usual}.`, '$.payment_result.status')
  if (result.currency !== currency)
    throw new BusinessRefusal(
      'payment_amount_mismatch',
      `The payment must be in ${currency}.`,
      '$.payment_result.currency',
    )
  if (result.amount_paid !== due)
    throw new BusinessRefusal(
      'payment_amount_mismatch',
      `The amount due is exactly ${due}.`,
      '$.payment_result.amount_paid',
    )
}

/**
 * Tells whether the business trusts the caller to report payments. If a provider takes the payments, the business
 * trusts only its staff and the platforms in the setting `collected_by`. If this setting names a platform's profile,
 * the platform must use a key from the profile. A booking credential (a secret for one booking) is never enough,
 * because a buyer may pass it on.
 */
export function mayReport(
  { payments }: Pick<BusinessDefinition, 'payments'>,
  { principal, mechanism, profile }: Pick<Caller, 'principal' | 'mechanism' | 'profile'>,
  agent: Agent | undefined,
): boolean {
  if ((payments?.provider ?? 'manual') === 'manual' || isStaff({ principal })) return true
  if (mechanism === 'booking_scoped_credential') return false
  const collectors = payments?.collected_by ?? []
  return collectors.includes(platformOf(principal)) || (isKeyOf(agent, principal) && collectors.includes(profile))
}

const isKeyOf = (agent: Agent | undefined, principal: string): boolean =>
  agent !== undefined && isPublished(principal, agent)
