import { type Content, html } from '../../basics/html.ts'
import { fullName, guestOf } from '../../bookings/people.ts'
import { zoneOf } from '../../business/zone-of.ts'
import { keep } from '../../desk/bookings/keep.ts'
import { listStranded } from '../../desk/bookings/list-stranded.ts'
import { shortMomentText } from '../../languages/times.ts'
import { hidden } from '../pages/inputs.ts'
import { type Asking, ask, type DeskMeans, may } from './desk-calls.ts'

/** Of the inbox: what a change of the definition left without what it needs. Nothing where all is well. */
export async function strandedPart(asking: Asking, means: DeskMeans): Promise<Content> {
  const { speech } = asking.request
  const { say } = speech
  const answer = await ask(listStranded, {}, asking, means)
  if (answer.refusal || answer.result.total === 0) return undefined
  const { total, stranded } = answer.result
  const zone = await zoneOf(means)
  const kept = (id: string) =>
    may(asking.who, keep) &&
    html`<form method="post" action="/desk/inbox">${hidden({ keep: id })}<button class="plain">${say('desk.away.keep')}</button></form>`
  return html`<h2>${say('desk.stranded')} (${total})</h2><ul class="story">
${stranded.map(
  ({
    booking,
    reasons,
  }) => html`<li><a href="/desk/bookings/${booking.id}"><strong>${fullName(guestOf(booking))}</strong></a><br>
${shortMomentText(speech, new Date(booking.slot.start), zone)} · ${booking.service_name}<br>
<span class="soft">${reasons.map((one) => say(`desk.stranded.${one}`)).join(' · ')}</span>
<div class="acts">${kept(booking.id)}</div></li>
`,
)}</ul>`
}
