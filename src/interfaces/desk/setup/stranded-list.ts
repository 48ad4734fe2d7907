import type { Speech } from '../../../infra/i18n/speech.ts'
import { shortMomentText } from '../../../infra/i18n/times.ts'
import { type Content, html } from '../../../infra/util/html.ts'

/** Bookings that a change leaves without what they were agreed with, as far as it tells of any. */
export interface Stranding {
  stranded?: { total: number; bookings: { id: string; reference: string; service_name: string; start: string }[] }
}

/** How many there are, and the first of them. */
export const strandedList = (stranded: Stranding['stranded'], zone: string, speech: Speech): Content =>
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
