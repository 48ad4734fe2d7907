import { grouped } from '../../core/business/ways-to-reach.ts'
import type { Speech } from '../../infra/i18n/speech.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { BookingRow } from './booking-row.ts'
import { owedFee } from './owed-fee.ts'
import { referenceOf } from './reference.ts'

/** How to pay where the staff take the money. */
export interface PaymentInstructions {
  paragraphs: string[]
  /** What has to be copied into a form of the bank. */
  rows: [name: string, value: string][]
}

/** What is to be paid of a booking now, which may be the fee of somebody who did not come; nothing before it is agreed to. */
export function sumToPay(
  booking: Pick<BookingRow, 'record' | 'status'>,
): { amount: number; currency: string } | undefined {
  const fee = owedFee(booking)
  if (fee) return { amount: fee.amount_due, currency: fee.currency }
  const { payment } = booking.record
  const isAsked = booking.status !== 'pending' && booking.status !== 'canceled'
  return payment && isAsked && payment.due > 0 ? { amount: payment.due, currency: payment.currency } : undefined
}

/** In the order in which the business would have it: in its own words, to its account, by phone; else to get in touch. */
export function paymentInstructions(
  { business, payments, website }: Pick<BusinessDefinition, 'business' | 'payments' | 'website'>,
  booking: Pick<BookingRow, 'id' | 'record' | 'status'>,
  { say, money, direction }: Speech,
): PaymentInstructions {
  const { how, bank_transfer: account, phone: byPhone = false } = payments?.manual ?? {}
  const phone = byPhone ? website?.contact?.phone : undefined
  const sum = sumToPay(booking)
  const amount = sum === undefined ? '' : money(sum.amount, sum.currency)
  const paragraphs = [
    ...(how === undefined ? [] : [how]),
    ...(account ? [say('letter.pay.transfer', { amount })] : []),
    ...(phone === undefined
      ? []
      : [say('letter.pay.phone', { phone: asWritten(grouped(phone), direction), reference: referenceOf(booking) })]),
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

/** Among words that are read from the right, the groups of a number would change places. */
const asWritten = (number: string, direction: Speech['direction']): string =>
  direction === 'rtl' ? `\u2066${number}\u2069` : number
