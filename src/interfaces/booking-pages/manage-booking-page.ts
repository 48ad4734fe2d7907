import { isAhead } from '../../domain/bookings/booking-amounts-owed.ts'
import { referenceOf } from '../../domain/bookings/booking-response.ts'
import { canConfirmAttendance, isAttending } from '../../domain/bookings/confirm-attendance.ts'
import { isPossible } from '../../domain/bookings/operations-by-status.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { bookAgain } from '../booking-flow/book-again-link.ts'
import { getInTouch } from '../pages/business-contact-links.ts'
import { policyItems } from '../pages/policy-and-legal-links.ts'
import { businessMessages, stateText } from './booking-status-text.ts'
import { summary } from './booking-summary.ts'
import { calendarLinks } from './calendar-links.ts'
import { termsOf } from './cancellation-cost-text.ts'
import { fee, refund } from './closed-task-page.ts'
import { openTasks } from './list-open-tasks.ts'
import type { PageContext, PageKind } from './load-booking-page-context.ts'
import { receipt } from './payment-receipt.ts'
import { MOVED, moveRefusal } from './reschedule-costs-and-limits.ts'
import { nextMailText } from './upcoming-mail-note.ts'

/** The main page of a booking, with links to the possible actions. Each action has its own page with a confirmation. */
export const manage: PageKind = {
  show: (context) => ({
    status: 200,
    title: context.localizer.say('booking.title'),
    body: html`${isJustMoved(context) && html`<p class="note" role="status">${context.localizer.say('booking.moved')}</p>`}
<p class="note">${stateText(context)}</p>
${isAttending(context.booking) && html`<p>${context.localizer.say('booking.attending')}</p>`}
${context.booking.status === 'canceled' && html`${fee(context)}${refund(context)}`}
${businessMessages(context)}
${nextMailText(context)}
${openTasks(context)}
${summary(context)}
${calendarLinks(context)}
${actions(context)}
${!isAhead(context.booking) && bookAgain(context.definition, context.booking.service_id, context.localizer)}
${receipt(context)}
<p class="soft">${context.localizer.say('booking.reference', { reference: referenceOf(context.booking) })}</p>
${policyLinks(context)}`,
  }),
}

/** Whether the buyer has just moved the booking, and the booking is not over. The page then confirms the move. */
const isJustMoved = ({ booking, query }: PageContext): boolean =>
  query.has(MOVED) && booking.record.reschedules > 0 && isAhead(booking)

/**
 * Links to the possible actions, such as a cancellation. If an action is not possible, the page shows the reason and
 * the contact data of the business.
 */
function actions(context: PageContext): Content {
  const { booking, now, pathOf, localizer } = context
  const { say } = localizer
  const canceling = termsOf(booking, now)
  const why = isPossible('reschedule', booking) ? moveRefusal(booking, now) : undefined
  const refusals = [
    why && say(`booking.move.${why}`),
    canceling?.allowed === false && say(`booking.cancel.${canceling.why}`),
  ]
  const links: Content[] = [
    canConfirmAttendance(booking, now) && link('plain', pathOf('attend'), say('booking.attend')),
    isPossible('reschedule', booking) && !why && link('plain', pathOf('move'), say('booking.move')),
    canceling?.allowed && link('danger', pathOf('cancel'), say('booking.cancel')),
  ]
  return html`${links.some(Boolean) && html`<div class="done">${links}</div>`}
${refusals.map((text) => text && html`<p class="soft">${text}</p>`)}
${refusals.some(Boolean) && getInTouch(context)}`
}

const link = (className: string, to: string, label: string): Content =>
  html`<a class="button ${className}" href="${to}">${label}</a>
`

function policyLinks({ booking, definition, localizer }: PageContext): Content {
  const service = definition.services.find(({ id }) => id === booking.service_id)
  const items = policyItems(service, definition, localizer)
  return items.length > 0 && html`<h2>${localizer.say('booking.links')}</h2><ul class="reach">${items}</ul>`
}
