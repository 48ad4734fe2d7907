import { type Content, html } from '../../../basics/html.ts'
import type { Speech } from '../../../languages/speech.ts'

/** Bookings that a change leaves without what they were agreed with, as far as it tells of any. */
export interface Stranding {
  stranded?: { total: number; bookings: { id: string; reference: string; service_name: string; start: string }[] }
}

/** How many there are, and the first of them; times as they are written for the business. */
export const strandedList = (stranded: Stranding['stranded'], { say }: Speech): Content =>
  stranded !== undefined &&
  stranded.total > 0 &&
  html`<p class="note wrong">${say('setup.stranded', { count: stranded.total })}</p>
<ul>${stranded.bookings.map(
    ({
      id,
      reference,
      service_name,
      start,
    }) => html`<li><a href="/desk/bookings/${id}">${reference}</a> ${service_name}, <span dir="ltr">${start.slice(0, 16).replace('T', ' ')}</span></li>
`,
  )}</ul>`
