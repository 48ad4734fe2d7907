import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { shortMomentText } from '../../../infra/i18n/times.ts'
import { type Content, html } from '../../../infra/util/html.ts'

/** Bookings that a change affects, if the operation reports any. */
export interface AffectedBookings {
  stranded?: { total: number; bookings: { id: string; reference: string; service_name: string; start: string }[] }
}

export const affectedBookingsList = (
  stranded: AffectedBookings['stranded'],
  zone: string,
  speech: Localizer,
): Content =>
  stranded !== undefined &&
  stranded.total > 0 &&
  html`<p class="note wrong">${speech.say('setup.stranded', { count: stranded.total })}</p>
<ul>${stranded.bookings.map(
    ({
      id,
      reference,
      service_name,
      start,
    }) => html`<li><a href="/desk/bookings/${id}">${reference}</a> ${service_name}, ${speech.isolate(shortMomentText(speech, new Date(start), zone))}</li>
`,
  )}</ul>`
