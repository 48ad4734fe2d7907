import { type Content, html } from '../../basics/html.ts'
import type { Speech } from '../../languages/speech.ts'
import { momentText } from '../../languages/times.ts'

/** What a move leaves behind: when it was before, and the way back. */
export function undoMove(id: string, query: URLSearchParams, speech: Speech, zone: string): Content {
  const was = query.get('was') ?? ''
  if (Number.isNaN(Date.parse(was))) return undefined
  const { say } = speech
  return html`<form method="post" action="/desk/bookings/${id}/move" class="note" role="status">
<p>${say('desk.moved', { time: momentText(speech, new Date(was), zone) })}</p>
<input type="hidden" name="start" value="${was}"><input type="hidden" name="override" value="all">
${['with', 'place'].flatMap((name) => query.getAll(name).map((one) => html`<input type="hidden" name="${name}" value="${one}">`))}
<button class="plain">${say('desk.undo')}</button></form>`
}
