import type { Task } from '../../bookings/booking-row.ts'
import { type Content, html } from './html.ts'
import { summary } from './summary.ts'
import type { Visit } from './visit.ts'
import { until } from './words.ts'

const NAMES: Record<Task['type'], string> = {
  waiver: 'Read and agree to the terms',
  intake: 'Answer a few questions',
  payment: 'Pay',
}

/** Until when the booking waits for what is still to be done. */
export const deadline = ({ booking: { record, expires_at }, now }: Visit): string =>
  expires_at ? `Your place is kept until ${until(expires_at, record.zone, now)}.` : ''

/** What the buyer still has to do, but for what this page is for. */
export function steps({ booking, pathOf }: Visit, but?: Task['type']): Content {
  const { status, record } = booking
  const open = record.tasks.filter((task) => task.status === 'pending' && task.type !== but)
  if (status !== 'requires_action' || open.length === 0) return undefined
  return html`<h2>${but ? 'Also to be done' : 'Still to be done'}</h2>
<ul class="steps">
${open.map(({ type }) => html`<li><a href="${pathOf(type)}">${NAMES[type]}</a></li>`)}
</ul>`
}

/** How a page ends once its own part is done: with where to go from here, what is left to do, and the booking. */
export function afterwards(visit: Visit, onwards?: Content): Content {
  const { status } = visit.booking
  return html`${status === 'confirmed' && html`<p>Your booking is confirmed. See you then!</p>`}
${status === 'requires_action' && html`<p>${deadline(visit)}</p>`}
${onwards}
${steps(visit)}
${summary(visit)}
<p><a href="${visit.pathOf('manage')}">See or cancel your booking</a></p>`
}
