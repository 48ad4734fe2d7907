import type { Task } from '../../bookings/booking-row.ts'
import { awaits } from '../../bookings/tasks.ts'
import { type Content, html } from './html.ts'
import type { View } from './layout.ts'
import { wayBack } from './return-address.ts'
import { afterwards } from './steps.ts'
import type { Visit } from './visit.ts'
import { money } from './words.ts'

const DONE: Record<Task['type'], { title: string; text: string }> = {
  waiver: { title: 'You have agreed', text: 'Thank you, that is all we needed here.' },
  intake: { title: 'Your answers are in', text: 'Thank you, that is all we needed here.' },
  payment: { title: 'It is paid', text: 'Thank you, your payment has arrived.' },
}

/** What the page of a task says when there is nothing to do on it, or no more; nothing while there is. */
export function standing(visit: Visit, type: Task['type']): View | undefined {
  const { booking, definition } = visit
  const { status, record } = booking
  if (awaits(booking, type)) return undefined
  if (status === 'canceled') return over(visit, type)
  if (record.tasks.some((task) => task.type === type && task.status === 'completed')) {
    const { title, text } = DONE[type]
    return view(200, title, html`<p>${text}</p>${afterwards(visit, type === 'payment' && wayBack(booking))}`)
  }
  if (status === 'pending')
    return view(
      200,
      'Not yet',
      html`<p>${definition.business.name} has yet to agree to this booking.</p>${afterwards(visit)}`,
    )
  return view(200, 'Nothing to do here', html`<p>This booking asks for nothing here.</p>${afterwards(visit)}`)
}

const view = (status: number, title: string, body: Content): View => ({ status, title, body: html`${body}` })

function over(visit: Visit, type: Task['type']): View {
  const { booking } = visit
  const expired = booking.record.cancellation?.canceled_by === 'system'
  const title = expired ? 'This has expired' : 'This booking was canceled'
  const text = expired
    ? `The time for it has passed, and the place is free for others again. ${type === 'payment' ? 'Please do not pay any more. ' : ''}You are welcome to book anew.`
    : 'There is nothing to do here any more.'
  return view(
    410,
    title,
    html`<p>${text}</p>${refund(visit)}${type === 'payment' && wayBack(booking)}
<p><a href="${visit.pathOf('manage')}">See the booking</a></p>`,
  )
}

/** What goes back to the buyer of a canceled booking. */
export function refund({ booking: { record } }: Visit): Content {
  const { payment, cancellation } = record
  if (!payment || !cancellation?.refund_amount) return undefined
  return html`<p class="note">${money(cancellation.refund_amount, payment.currency)} goes back to you the way you paid.</p>`
}
