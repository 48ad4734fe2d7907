import { bookingSourceOf } from '../../domain/bookings/booking-source.ts'
import { momentText, shortMomentText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { STAFF_PREFIX } from '../../protocol/caller-types.ts'
import type { GetBusinessBooking } from '../../protocol/types.generated.ts'
import { catalogText } from './setup/field-labels.ts'

type Change = GetBusinessBooking['output']['changes'][number]

/**
 * Lists the changes of a booking, the oldest first. Each entry shows the action, the result, the time, and the person
 * or program that made the change.
 */
export const bookingHistory = (
  changes: readonly Change[],
  context: { zone: string; currency: string; localizer: Localizer },
): Content =>
  html`<details><summary>${context.localizer.say('desk.story')}</summary><ol class="story">
${changes.map(
  (one) => html`<li>${actionText(one, context.localizer)}${resultText(one, context)}<br>
<span class="soft">${momentText(context.localizer, new Date(one.at), context.zone)} · ${actorText(one, context.localizer)}</span></li>
`,
)}</ol></details>`

/**
 * Returns the text for an action in the history of a booking. A newer server version may have stored an action that
 * this version does not know. The page then shows the stored name of the action.
 */
const actionText = ({ action }: Change, localizer: Localizer): string =>
  catalogText(`desk.did.${action}`, localizer) ?? action

/** Describes the result of a change to a booking: the old and new time, the refunded amount, and the new status. */
function resultText(
  { from, to, detail }: Change,
  { zone, currency, localizer }: { zone: string; currency: string; localizer: Localizer },
): Content {
  const time = (text: string) => localizer.isolate(shortMomentText(localizer, new Date(text), zone))
  const moved = [detail.from, detail.to].flatMap((one) => (isTime(one) ? time(one) : []))
  const { refund } = detail
  const state = to !== from && catalogText(`my.state.${to}`, localizer)
  return [
    moved.length === 2 && ` · ${moved.join(' – ')}`,
    typeof refund === 'number' && refund > 0 && ` · ${localizer.say('desk.back')} ${localizer.money(refund, currency)}`,
    state && ` · ${state}`,
  ]
}

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value))

function actorText({ actor, actor_name, detail: { agent } }: Change, { say, isolate }: Localizer): string {
  const who = isolate(actor_name ?? actorKindText(actor, say))
  return agent === undefined ? who : `${who} · ${isolate(String(agent))}`
}

function actorKindText(actor: string, say: Localizer['say']): string {
  if (actor === 'system') return say('desk.did.itself')
  if (actor.startsWith(STAFF_PREFIX)) return say('desk.reports.staff')
  const way = bookingSourceOf(actor)
  if (actor === 'buyer' || way === 'page') return say('desk.reports.page')
  return way === 'assistant' ? say('desk.reports.assistant') : actor
}
