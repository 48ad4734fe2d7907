import { type Content, html } from '../../infra/util/html-template.ts'
import type { PageContext } from './load-booking-page-context.ts'
import { isMovableStatus } from './reschedule-costs-and-limits.ts'

/**
 * A link to the calendar file (iCalendar) of the booking. The page shows the link only while the booking can still take
 * place.
 */
export const calendarLink = ({ booking, pathOf, localizer: { say } }: PageContext): Content =>
  isMovableStatus(booking) &&
  html`<a class="button plain" href="${pathOf('manage')}/calendar.ics">${say('booking.calendar')}</a>
`
