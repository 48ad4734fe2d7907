import { oneLine } from '../../infra/util/plain-text.ts'
import { currencyOf, owedFee } from '../bookings/booking-money.ts'
import { cancellationFacts, cancellationText } from '../bookings/cancellation-facts.ts'
import { amountToPay, type PaymentInstructions, paymentInstructions } from '../bookings/payment-instructions.ts'
import { type NotificationContext, valuesOf } from './notification-context.ts'

export function taskSentences(about: NotificationContext): string[] {
  const { say } = about.localizer
  const pending = pendingTasks(about)
  if (pending.length === 0) return []
  const values = valuesOf(about)
  return [
    say('letter.to_do.until', values),
    ...pending.map((type) => say(`letter.to_do.${type}`, values)),
    ...howToPay(about).paragraphs,
  ]
}

/**
 * How to pay by hand; empty when nothing is due or the buyer pays online. The buyer always pays a no-show fee to the
 * business directly.
 */
export function howToPay({ booking, localizer, definition, isPaidOnline }: NotificationContext): PaymentInstructions {
  const isByHand = amountToPay(booking) !== undefined && (owedFee(booking) !== undefined || !isPaidOnline)
  return isByHand ? paymentInstructions(definition, booking, localizer) : { paragraphs: [], rows: [] }
}

export const pendingTasks = ({ booking: { status, record } }: NotificationContext) =>
  status === 'requires_action' ? record.tasks.filter((task) => task.status === 'pending').map(({ type }) => type) : []

export const approvalNote = ({ booking, localizer, definition }: NotificationContext): string[] =>
  (booking.record.messages ?? [])
    .filter(({ code }) => code === 'business_note')
    .map(({ content }) => localizer.say('letter.note', { business: definition.business.name, words: content }))

export function cancellationReason(
  about: NotificationContext,
  message: 'letter.reason' | 'letter.staff.reason',
): string[] {
  const words = about.booking.record.cancellation?.reason
  return words === undefined ? [] : [about.localizer.say(message, { ...valuesOf(about), words: oneLine(words) })]
}

export const cancellationFee = (about: NotificationContext): string[] =>
  about.booking.record.cancellation?.fee ? [about.localizer.say('letter.fee', valuesOf(about))] : []

/** The amount of this refund, and the total of all refunds when it differs. */
export function refundSentences(about: NotificationContext): string[] {
  const { say } = about.localizer
  return about.booking.returned ? [say('letter.refund', valuesOf(about)), ...refundTotal(about)] : []
}

export function refundTotal(about: NotificationContext): string[] {
  const values = valuesOf(about)
  return values.total === values.refund ? [] : [about.localizer.say('letter.refund.total', values)]
}

export const seriesText = ({ booking: { others = [] }, localizer }: NotificationContext): string =>
  localizer.say('letter.series', { count: others.length + 1 })

/** The cancellation terms of the booking, as of its last change. */
export function cancellationTermsText(about: NotificationContext): string[] {
  const { booking, localizer } = about
  const facts = cancellationFacts(booking.record, booking.starts_at, booking.updated_at)
  return cancellationText(
    facts,
    { zone: booking.record.zone, currency: currencyOf(about.booking, about.definition) },
    localizer,
  )
}
