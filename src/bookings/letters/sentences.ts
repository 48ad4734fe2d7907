import { momentText } from '../../languages/times.ts'
import { secondsOf } from '../../time/duration.ts'
import { owedFee } from '../owed-fee.ts'
import { type PaymentInstructions, paymentInstructions, sumToPay } from '../payment-instructions.ts'
import { type About, sum, valuesOf } from './about.ts'

/** What has to be done, until when, and how. */
export function toDo(about: About): string[] {
  const { say } = about.speech
  const pending = pendingTasks(about)
  if (pending.length === 0) return []
  const values = valuesOf(about)
  return [
    say('letter.to_do.until', values),
    ...pending.map((type) => say(`letter.to_do.${type}`, values)),
    ...howToPay(about).paragraphs,
  ]
}

/** How to pay by hand what is to be paid, if anything is: the fee of who did not come is paid to the business itself. */
export function howToPay({ booking, speech, definition, isPaidOnline }: About): PaymentInstructions {
  const isByHand = sumToPay(booking) !== undefined && (owedFee(booking) !== undefined || !isPaidOnline)
  return isByHand ? paymentInstructions(definition, booking, speech) : { paragraphs: [], rows: [] }
}

export const pendingTasks = ({ booking: { status, record } }: About) =>
  status === 'requires_action' ? record.tasks.filter((task) => task.status === 'pending').map(({ type }) => type) : []

/** What the staff wrote when they agreed. */
export const wordOfBusiness = ({ booking, speech, definition }: About): string[] =>
  (booking.record.messages ?? [])
    .filter(({ code }) => code === 'business_note')
    .map(({ content }) => speech.say('letter.note', { business: definition.business.name, words: content }))

/** Why it was canceled, where whoever did so said why. */
export function reasonGiven(about: About, message: 'letter.reason' | 'letter.staff.reason'): string[] {
  const words = about.booking.record.cancellation?.reason
  return words === undefined ? [] : [about.speech.say(message, { ...valuesOf(about), words })]
}

export const feeOfCanceling = (about: About): string[] =>
  about.booking.record.cancellation?.fee ? [about.speech.say('letter.fee', valuesOf(about))] : []

/** How much goes back, and in all where that is more. */
export function refundIn(about: About): string[] {
  const { say } = about.speech
  return about.booking.returned ? [say('letter.refund', valuesOf(about)), ...refundTotal(about)] : []
}

export function refundTotal(about: About): string[] {
  const values = valuesOf(about)
  return values.total === values.refund ? [] : [about.speech.say('letter.refund.total', values)]
}

/** What canceling costs from now on, by the terms of the booking; nothing where a deposit makes it more than a sentence. */
export function termsOfCanceling(about: About): string[] {
  const { booking, speech } = about
  const { say } = speech
  const { policies, zone, payment, deposit_refundable, fee_waived } = booking.record
  const { allowed, free_cancellation_until, no_cancellation_after, late_cancellation_fee } = policies.cancellation
  if (!allowed) return [say('letter.cancel.never')]
  if (payment?.deposit !== undefined && !deposit_refundable) return []
  const last = ahead(booking, no_cancellation_after)
  const free = ahead(booking, free_cancellation_until)
  if (last && last <= booking.updated_at) return [say('letter.cancel.over')]
  const late = fee_waived ? '' : sum(about, late_cancellation_fee)
  const moment = (instant: Date) => momentText(speech, instant, zone)
  const isFree = free !== undefined && free > booking.updated_at
  return [
    ...(late !== '' && isFree ? [say('letter.cancel.late', { free: moment(free), late })] : []),
    ...(late !== '' && free && !isFree ? [say('letter.cancel.costs', { late })] : []),
    ...(last ? [say('letter.cancel.last', { last: moment(last) })] : []),
  ]
}

const ahead = ({ starts_at }: About['booking'], duration: string | undefined): Date | undefined =>
  duration === undefined ? undefined : new Date(starts_at.getTime() - secondsOf(duration) * 1000)
