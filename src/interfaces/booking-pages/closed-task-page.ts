import { restAtVisit } from '../../domain/bookings/booking-amounts-owed.ts'
import type { Task } from '../../domain/bookings/booking-row.ts'
import { awaits } from '../../domain/bookings/buyer-tasks.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { bookAgain } from '../booking-flow/book-again-link.ts'
import type { View } from '../pages/page-layout.ts'
import { completedContent } from './list-open-tasks.ts'
import type { PageContext } from './load-booking-page-context.ts'
import { platformLink } from './return-to-platform-link.ts'

/**
 * Returns the page for a task of the buyer (waiver, intake or payment) that is complete or no longer possible. Returns
 * undefined while the task is open.
 */
export function taskStatusView(context: PageContext, type: Task['type']): View | undefined {
  const { booking, definition, localizer } = context
  const { status, record } = booking
  const { say } = localizer
  const view = (title: string, text: string, onwards?: Content): View => ({
    status: 200,
    title,
    body: html`<p>${text}</p>${completedContent(context, type, onwards)}`,
  })
  if (awaits(booking, type)) return undefined
  if (status === 'canceled') return over(context, type)
  if (record.tasks.some((task) => task.type === type && task.status === 'completed')) {
    const isPaid = type === 'payment'
    const rest = isPaid ? restAtVisit(booking) : undefined
    if (rest) {
      const text = say('booking.done.deposit.text', { rest: localizer.money(rest.amount, rest.currency) })
      return view(say('booking.done.deposit'), text, platformLink(booking, localizer))
    }
    const text = say(isPaid ? 'booking.done.payment.text' : 'booking.done.text')
    return view(say(`booking.done.${type}`), text, isPaid && platformLink(booking, localizer))
  }
  if (status === 'pending')
    return view(say('booking.not_yet'), say('booking.not_yet.text', { business: definition.business.name }))
  return view(say('booking.nothing'), say('booking.nothing.text'))
}

function over(context: PageContext, type: Task['type']): View {
  const { booking, localizer, pathOf } = context
  const { say } = localizer
  const isExpired = booking.record.cancellation?.canceled_by === 'system'
  const isPayment = type === 'payment'
  const expired = isPayment ? 'booking.expired.payment' : 'booking.expired.text'
  return {
    status: 410,
    title: say(isExpired ? 'booking.expired' : 'booking.over'),
    body: html`<p>${say(isExpired ? expired : 'booking.over.text')}</p>${refund(context)}${isPayment && platformLink(booking, localizer)}
${bookAgain(context.definition, booking.service_id, localizer)}
${context.isOpenedBefore && html`<p><a class="way" href="${pathOf('manage')}">${say('booking.see.over')}</a></p>`}`,
  }
}

export function fee({ booking: { record }, definition, localizer: { say, money } }: PageContext): Content {
  const { payment, cancellation } = record
  if (!cancellation?.fee) return undefined
  const currency = payment?.currency ?? definition.business.currency
  return html`<p>${say('letter.fee', { fee: money(cancellation.fee, currency) })}</p>`
}

export function refund({ booking: { record }, localizer: { say, money } }: PageContext): Content {
  const { payment, cancellation } = record
  if (!payment || !cancellation?.refund_amount) return undefined
  return html`<p class="note">${say('booking.goes_back', { amount: money(cancellation.refund_amount, payment.currency) })}</p>`
}
