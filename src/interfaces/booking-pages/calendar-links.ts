import { addToCalendarLinks } from '../../domain/calendar/add-to-calendar-links.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { PageContext } from './load-booking-page-context.ts'

/**
 * Links that add the booking to the buyer's calendar. The business has not agreed to a pending booking yet. Only the
 * calendar file can say so, as a tentative event. Therefore the page of a pending booking has no other links.
 */
export function calendarLinks({ booking, definition, pathOf, localizer }: PageContext): Content {
  const { say } = localizer
  const file = `${pathOf('manage')}/calendar.ics`
  if (booking.status === 'pending') return list([link(say('booking.calendar'), file)])
  if (booking.status !== 'confirmed') return undefined
  const { google, outlook } = addToCalendarLinks(booking, definition, localizer)
  return list([
    outside(say('booking.calendar.google'), google),
    outside(say('booking.calendar.outlook'), outlook),
    link(say('booking.calendar.file'), file),
  ])
}

const list = (links: readonly Content[]): Content =>
  html`<ul class="reach">${links.map((one) => html`<li>${one}</li>`)}</ul>
`

const link = (label: string, path: string): Content => html`<a href="${path}">${label}</a>`

/** The page can be in a frame on the website of the business. Google and Outlook.com refuse to be in a frame. */
const outside = (label: string, url: string): Content =>
  html`<a href="${url}" rel="noreferrer" target="_blank">${label}</a>`
