import type { Task } from '../../bookings/booking-row.ts'
import { awaits } from '../../bookings/tasks.ts'
import { money } from '../pages/format.ts'
import { type Content, html } from '../pages/html.ts'
import type { View } from '../pages/layout.ts'
import { completedContent } from './open-tasks.ts'
import type { PageContext } from './page-context.ts'
import { wayBack } from './return-address.ts'

const DONE: Record<Task['type'], { title: string; text: string }> = {
  waiver: { title: 'You have agreed', text: 'Thank you, that is all we needed here.' },
  intake: { title: 'Your answers are in', text: 'Thank you, that is all we needed here.' },
  payment: { title: 'It is paid', text: 'Thank you, your payment has arrived.' },
}

/** What a task's page shows when there is nothing to do on it, or no longer; undefined while there is. */
export function taskStatusView(context: PageContext, type: Task['type']): View | undefined {
  const { booking, definition } = context
  const { status, record } = booking
  if (awaits(booking, type)) return undefined
  if (status === 'canceled') return over(context, type)
  if (record.tasks.some((task) => task.type === type && task.status === 'completed')) {
    const { title, text } = DONE[type]
    return view(200, title, html`<p>${text}</p>${completedContent(context, type === 'payment' && wayBack(booking))}`)
  }
  if (status === 'pending')
    return view(
      200,
      'Not yet',
      html`<p>${definition.business.name} has yet to agree to this booking.</p>${completedContent(context)}`,
    )
  return view(200, 'Nothing to do here', html`<p>This booking asks for nothing here.</p>${completedContent(context)}`)
}

const view = (status: number, title: string, body: Content): View => ({ status, title, body: html`${body}` })

function over(context: PageContext, type: Task['type']): View {
  const { booking } = context
  const expired = booking.record.cancellation?.canceled_by === 'system'
  const title = expired ? 'This has expired' : 'This booking was canceled'
  const text = expired
    ? `The time for it has passed, and the place is free for others again. ${type === 'payment' ? 'Please do not pay any more. ' : ''}You are welcome to book anew.`
    : 'There is nothing to do here any more.'
  return view(
    410,
    title,
    html`<p>${text}</p>${refund(context)}${type === 'payment' && wayBack(booking)}
<p><a href="${context.pathOf('manage')}">See the booking</a></p>`,
  )
}

/** What goes back to the buyer of a canceled booking. */
export function refund({ booking: { record } }: PageContext): Content {
  const { payment, cancellation } = record
  if (!payment || !cancellation?.refund_amount) return undefined
  return html`<p class="note">${money(cancellation.refund_amount, payment.currency)} goes back to you the way you paid.</p>`
}
