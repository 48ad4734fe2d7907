import type { Task } from '../../bookings/booking-row.ts'
import { formatUntil } from '../pages/format.ts'
import { type Content, html } from '../pages/html.ts'
import type { PageContext } from './page-context.ts'
import { summary } from './summary.ts'

const NAMES: Record<Task['type'], string> = {
  waiver: 'Read and agree to the terms',
  intake: 'Answer a few questions',
  payment: 'Pay',
}

/** Until when the booking waits for what is still to be done. */
export const deadlineText = ({ booking: { record, expires_at }, now }: PageContext): string =>
  expires_at ? `Your place is kept until ${formatUntil(expires_at, record.zone, now)}.` : ''

/** The tasks that the buyer still has to do, without the one that this page is for. */
export function openTasks({ booking, pathOf }: PageContext, but?: Task['type']): Content {
  const { status, record } = booking
  const open = record.tasks.filter((task) => task.status === 'pending' && task.type !== but)
  if (status !== 'requires_action' || open.length === 0) return undefined
  return html`<h2>${but ? 'Also to be done' : 'Still to be done'}</h2>
<ul class="steps">
${open.map(({ type }) => html`<li><a href="${pathOf(type)}">${NAMES[type]}</a></li>`)}
</ul>`
}

/** The rest of a page whose own task is done: where to go from here, the tasks that are left, and the booking. */
export function completedContent(context: PageContext, onwards?: Content): Content {
  const { status } = context.booking
  return html`${status === 'confirmed' && html`<p>Your booking is confirmed. See you then!</p>`}
${status === 'requires_action' && html`<p>${deadlineText(context)}</p>`}
${onwards}
${openTasks(context)}
${summary(context)}
<p><a href="${context.pathOf('manage')}">See or cancel your booking</a></p>`
}
