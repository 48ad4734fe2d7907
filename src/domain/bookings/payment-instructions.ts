import { formattedPhone } from '../../core/business/contact-channels.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { owedFee } from './booking-amounts-owed.ts'
import { referenceOf } from './booking-response.ts'
import type { BookingRow } from './booking-row.ts'

export interface PaymentInstructions {
  paragraphs: string[]
  rows: [name: string, value: string][]
}

/**
 * Returns the amount that the buyer must pay now: a fee for not coming (a no-show), or the due part of the price. The
 * result is undefined if nothing is due. For pending and canceled bookings, no part of the price is due.
 */
export function amountToPay(
  booking: Pick<BookingRow, 'record' | 'status'>,
): { amount: number; currency: string } | undefined {
  const fee = owedFee(booking)
  if (fee) return { amount: fee.amount_due, currency: fee.currency }
  const { payment } = booking.record
  const isAsked = booking.status !== 'pending' && booking.status !== 'canceled'
  return payment && isAsked && payment.due > 0 ? { amount: payment.due, currency: payment.currency } : undefined
}

/**
 * Returns the instructions for a payment without an online payment page: the business's own text, bank account and
 * phone number. If the business has set none of these, the text tells the buyer to contact the business.
 */
export function paymentInstructions(
  { business, payments, website }: Pick<BusinessDefinition, 'business' | 'payments' | 'website'>,
  booking: Pick<BookingRow, 'id' | 'record' | 'status'>,
  { say, money, direction }: Localizer,
): PaymentInstructions {
  const { how, bank_transfer: account, phone: byPhone = false } = payments?.manual ?? {}
  const phone = byPhone ? website?.contact?.phone : undefined
  const sum = amountToPay(booking)
  const amount = sum === undefined ? '' : money(sum.amount, sum.currency)
  const paragraphs = [
    ...(how === undefined ? [] : [how]),
    ...(account ? [say('letter.pay.transfer', { amount })] : []),
    ...(phone === undefined
      ? []
      : [
          say('letter.pay.phone', {
            phone: asWritten(formattedPhone(phone), direction),
            reference: referenceOf(booking),
          }),
        ]),
  ]
  return {
    paragraphs:
      paragraphs.length > 0
        ? paragraphs
        : [say('letter.pay.ask', { business: business.name, reference: referenceOf(booking) })],
    rows: account
      ? [
          [say('letter.pay.account_holder'), account.account_holder],
          [say('letter.pay.iban'), account.iban],
          ...(account.bic === undefined ? [] : [[say('letter.pay.bic'), account.bic] as [string, string]]),
          ...(account.bank === undefined ? [] : [[say('letter.pay.bank'), account.bank] as [string, string]]),
          [say('letter.pay.amount'), amount],
          [say('letter.pay.reference'), referenceOf(booking)],
        ]
      : [],
  }
}

/**
 * Marks a phone number as left-to-right text. Otherwise, within a right-to-left text such as Arabic, the groups of
 * digits would appear in reverse order.
 */
const asWritten = (number: string, direction: Localizer['direction']): string =>
  direction === 'rtl' ? `\u2066${number}\u2069` : number
