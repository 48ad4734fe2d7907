import { type BookingRow, isBeingChecked, type Task } from '../../domain/bookings/booking-row.ts'
import { untilText } from '../../infra/i18n/format-times.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { summary } from './booking-summary.ts'
import { calendarLinks } from './calendar-links.ts'
import type { PageContext } from './load-booking-page-context.ts'
import { nextMailText } from './upcoming-mail-note.ts'

/**
 * Describes the deadline for the buyer's open tasks. If the deadline has passed and the server still checks a payment,
 * the text says so.
 */
export function deadlineText({ booking, now, localizer }: PageContext): string {
  const { record, expires_at } = booking
  if (isBeingChecked(booking, now)) return localizer.say('booking.payment.checking.text')
  return expires_at
    ? localizer.say('booking.kept_until', { time: untilText(localizer, expires_at, record.zone, now) })
    : ''
}

/**
 * Returns the text for a buyer who has reported a payment. The text names the deadline for the business to confirm the
 * payment.
 */
export function claimedText(context: PageContext): string {
  const { say } = context.localizer
  const business = context.definition.business.name
  const until = deadlineText(context)
  return [
    say('booking.payment.claimed', { business }),
    ...(until ? [until, say('booking.payment.claimed.otherwise', { business })] : []),
  ].join(' ')
}

/**
 * Whether the page of one task links to the buyer's other tasks. A person who got only the link to the payment page
 * must not see these tasks.
 */
export const showsOtherTasks = ({ isOpenedBefore }: PageContext, from: Task['type']): boolean =>
  from !== 'payment' || isOpenedBefore

export function openTasks({ booking, now, pathOf, localizer: { say } }: PageContext, but?: Task['type']): Content {
  const { status, record } = booking
  if (isBeingChecked(booking, now)) return undefined
  const open = record.tasks.filter((task) => task.status === 'pending' && task.type !== but)
  if (status !== 'requires_action' || open.length === 0) return undefined
  return html`<h2>${say(but ? 'booking.to_do.also' : 'booking.to_do')}</h2>
<ul class="steps">
${open.map(({ type }) => html`<li><a href="${pathOf(type)}">${say(`booking.to_do.${type}`)}</a></li>`)}
</ul>`
}

/**
 * Returns a redirect to the buyer's next open task, such as the payment. Returns undefined if no task is open or the
 * booking has ended.
 */
export function nextTask(booking: BookingRow | undefined, { pathOf }: PageContext): { to: string } | undefined {
  if (booking?.status !== 'requires_action') return undefined
  const next = booking.record.tasks.find(({ status }) => status === 'pending')
  return next && { to: pathOf(next.type) }
}

/**
 * The content of the page for a completed task. A person who got only the payment link must not be able to cancel the
 * booking. Therefore the page links to the main booking page only if this browser has opened the main page before.
 */
export function completedContent(context: PageContext, but: Task['type'], onwards?: Content): Content {
  const { status } = context.booking
  const { say } = context.localizer
  return html`${status === 'confirmed' && html`<p>${say('booking.stands')}</p>`}
${status === 'requires_action' && html`<p>${deadlineText(context)}</p>`}
${context.isOpenedBefore && nextMailText(context)}
${onwards}
${showsOtherTasks(context, but) && openTasks(context)}
${summary(context)}
${
  context.isOpenedBefore &&
  html`${calendarLinks(context)}<div class="done"><a class="button plain" href="${context.pathOf('manage')}">${say('booking.see')}</a></div>`
}`
}
