import { oneLine } from '../../infra/util/plain-text.ts'
import { currencyOf, owedFee } from '../bookings/booking-amounts-owed.ts'
import { cancellationFacts, cancellationText } from '../bookings/cancellation-costs.ts'
import { amountToPay, type PaymentInstructions, paymentInstructions } from '../bookings/payment-instructions.ts'
import { type NotificationContext, valuesOf } from './notification-context.ts'

export function taskSentences(context: NotificationContext): string[] {
  const { say } = context.localizer
  const pending = pendingTasks(context)
  if (pending.length === 0) return []
  const values = valuesOf(context)
  return [
    say('letter.to_do.until', values),
    ...pending.map((type) => say(`letter.to_do.${type}`, values)),
    ...howToPay(context).paragraphs,
  ]
}

/**
 * Returns the instructions for a payment that the buyer makes directly to the business. They are empty if nothing is
 * due or if the buyer pays online. A no-show fee is never paid online.
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
  context: NotificationContext,
  message: 'letter.reason' | 'letter.staff.reason',
): string[] {
  const words = context.booking.record.cancellation?.reason
  return words === undefined ? [] : [context.localizer.say(message, { ...valuesOf(context), words: oneLine(words) })]
}

export const cancellationFee = (context: NotificationContext): string[] =>
  context.booking.record.cancellation?.fee ? [context.localizer.say('letter.fee', valuesOf(context))] : []

/**
 * Returns a sentence with the amount of the latest refund. If the booking had other refunds before, a second sentence
 * says the total.
 */
export function refundSentences(context: NotificationContext): string[] {
  const { say } = context.localizer
  return context.booking.returned ? [say('letter.refund', valuesOf(context)), ...refundTotal(context)] : []
}

export function refundTotal(context: NotificationContext): string[] {
  const values = valuesOf(context)
  return values.total === values.refund ? [] : [context.localizer.say('letter.refund.total', values)]
}

export const seriesText = ({ booking: { others = [] }, localizer }: NotificationContext): string =>
  localizer.say('letter.series', { count: others.length + 1 })

/**
 * Describes the cancellation terms of a booking as text. The text is correct for the time when the booking last
 * changed.
 */
export function cancellationTermsText(context: NotificationContext): string[] {
  const { booking, localizer } = context
  const facts = cancellationFacts(booking.record, booking.starts_at, booking.updated_at)
  return cancellationText(
    facts,
    { zone: booking.record.zone, currency: currencyOf(context.booking, context.definition) },
    localizer,
  )
}
