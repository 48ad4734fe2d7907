import { type Content, html } from '../../infra/util/html-template.ts'
import type { PageContext } from './load-booking-page-context.ts'

/**
 * A link to the calendar file (iCalendar) of the booking. The page shows the link only while the booking can still take
 * place.
 */
export const calendarLink = ({ booking, pathOf, localizer: { say } }: PageContext): Content =>
  (booking.status === 'confirmed' || booking.status === 'pending') &&
  html`<a class="button plain" href="${pathOf('manage')}/calendar.ics">${say('booking.calendar')}</a>
`
