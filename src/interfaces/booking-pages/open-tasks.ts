import { isBeingChecked } from '../../domain/bookings/booking-as-of.ts'
import type { BookingRow, Task } from '../../domain/bookings/booking-row.ts'
import { untilText } from '../../infra/i18n/times.ts'
import { type Content, html } from '../../infra/util/html.ts'
import { calendarLink } from './calendar-link.ts'
import type { PageContext } from './page-context.ts'
import { summary } from './summary.ts'
import { whatComesByMail } from './what-comes-by-mail.ts'

/** Until when the booking waits for what is still to be done; after that, that its payment is being checked. */
export function deadlineText({ booking, now, speech }: PageContext): string {
  const { record, expires_at } = booking
  if (isBeingChecked(booking, now)) return speech.say('booking.payment.checking.text')
  return expires_at ? speech.say('booking.kept_until', { time: untilText(speech, expires_at, record.zone, now) }) : ''
}

/** Who says to have paid still waits for the business, and for no longer than the place is kept. */
export function claimedText(context: PageContext): string {
  const { say } = context.speech
  const business = context.definition.business.name
  const until = deadlineText(context)
  return [
    say('booking.payment.claimed', { business }),
    ...(until ? [until, say('booking.payment.claimed.otherwise', { business })] : []),
  ].join(' ')
}

/** Whether the page of a task names the others. Whoever only pays has no part in them. */
export const leadsOn = ({ isOpenedBefore }: PageContext, from: Task['type']): boolean =>
  from !== 'payment' || isOpenedBefore

/** The tasks that the buyer still has to do, without the one that this page is for. */
export function openTasks({ booking, now, pathOf, speech: { say } }: PageContext, but?: Task['type']): Content {
  const { status, record } = booking
  if (isBeingChecked(booking, now)) return undefined
  const open = record.tasks.filter((task) => task.status === 'pending' && task.type !== but)
  if (status !== 'requires_action' || open.length === 0) return undefined
  return html`<h2>${say(but ? 'booking.to_do.also' : 'booking.to_do')}</h2>
<ul class="steps">
${open.map(({ type }) => html`<li><a href="${pathOf(type)}">${say(`booking.to_do.${type}`)}</a></li>`)}
</ul>`
}

/** Whoever has just done one thing goes on to the next; nowhere else once nothing is left, or nothing can be done any more. */
export function nextTask(booking: BookingRow | undefined, { pathOf }: PageContext): { to: string } | undefined {
  if (booking?.status !== 'requires_action') return undefined
  const next = booking.record.tasks.find(({ status }) => status === 'pending')
  return next && { to: pathOf(next.type) }
}

/**
 * The rest of a page whose own task is done: where to go from here, the tasks that are left, and the booking. Who has nothing
 * but the link for paying is led nowhere else, and nobody to where the booking can be canceled who was not there before.
 */
export function completedContent(context: PageContext, but: Task['type'], onwards?: Content): Content {
  const { status } = context.booking
  const { say } = context.speech
  return html`${status === 'confirmed' && html`<p>${say('booking.stands')}</p>`}
${status === 'requires_action' && html`<p>${deadlineText(context)}</p>`}
${context.isOpenedBefore && whatComesByMail(context)}
${onwards}
${leadsOn(context, but) && openTasks(context)}
${summary(context)}
${
  context.isOpenedBefore &&
  html`<div class="done">${calendarLink(context)}<a class="button plain" href="${context.pathOf('manage')}">${say('booking.see')}</a></div>`
}`
}
