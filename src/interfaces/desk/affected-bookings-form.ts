import { guestOf } from '../../domain/bookings/people-of-booking.ts'
import { shortMomentText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { BusinessDefinition, ListAffectedBookings } from '../../protocol/types.generated.ts'
import { radioChoice } from '../pages/form-inputs.ts'
import { contactLines } from './booking-page.ts'

type Affected = ListAffectedBookings['output']
type AffectedBooking = Affected['bookings'][number]
type AffectedClass = Affected['sessions'][number]

interface ListContext {
  /**
   * The decisions that the staff member submitted before. Each parameter name is the id of a booking or class session.
   */
  decisions: URLSearchParams
  /**
   * Whether the server shows the form once more, because other bookings are affected now. The form then marks each
   * booking and class session without a valid decision.
   */
  isAgain: boolean
  definition: BusinessDefinition | undefined
  localizer: Localizer
}

/**
 * Lists the bookings and class sessions that cannot take place as agreed. Staff choose an action for each of them. If
 * the server suggests an action, the form preselects this action.
 */
export function affectedList({ bookings, sessions, timezone }: Affected, showing: ListContext): Content {
  const { say } = showing.localizer
  if (bookings.length + sessions.length === 0) return html`<p class="note">${say('desk.away.none')}</p>`
  return html`${bookings.map((one) => bookingChoice(one, showing, timezone))}
${sessions.map((one) => classChoice(one, showing, timezone))}
${sessions.length > 0 && html`<p class="soft">${say('desk.away.class')}</p>`}`
}

interface Choice {
  action: string
  value: string
  label: Content
}

function bookingChoice(one: AffectedBooking, showing: ListContext, zone: string): Content {
  const { localizer, definition } = showing
  const { say } = localizer
  const { id, revision, suggestion, actions } = one
  const namesOf = (ids: readonly string[]) =>
    ids.flatMap((wanted) => definition?.resources?.find((resource) => resource.id === wanted)?.name ?? [])
  const at = (start: string) => shortMomentText(localizer, new Date(start), zone)
  const toValue = (action: string) => new URLSearchParams({ action, revision })
  const choices: Choice[] = []
  if (suggestion) {
    const value = toValue('move')
    value.set('start', suggestion.start)
    for (const resource of suggestion.resource_ids) value.append('with', resource)
    if (suggestion.location_id !== undefined) value.set('place', suggestion.location_id)
    const names = namesOf(suggestion.resource_ids)
    const label = html`${say('desk.away.move', { time: at(suggestion.start) })}${names.length > 0 && html` <span class="soft">${localizer.list(names)}</span>`}`
    choices.push({ action: 'move', value: String(value), label })
  }
  if (actions.includes('cancel'))
    choices.push({ action: 'cancel', value: String(toValue('cancel')), label: say('desk.cancel') })
  choices.push({ action: 'keep', value: String(toValue('keep')), label: say('desk.away.keep') })
  const about = html`<p>${contactLines(guestOf(one))}</p>${one.notes !== undefined && html`<p class="soft">${one.notes}</p>`}`
  const more =
    actions.includes('move') &&
    html`<p>${!suggestion && html`${say('desk.away.no_time')} `}<a href="/desk/bookings/${id}/move">${say('desk.move')}</a></p>`
  const title = `${at(one.start)} · ${one.service_name}`
  const usual = suggestion ? 'move' : undefined
  return choose({ id, title, about, choices, more, usual: choices.length === 1 ? 'keep' : usual }, showing)
}

function classChoice(one: AffectedClass, showing: ListContext, zone: string): Content {
  const { localizer, definition } = showing
  const { say } = localizer
  const { id, taken, capacity, service_id, start } = one
  const toValue = (action: string) => String(new URLSearchParams({ action, taken: String(taken) }))
  const choices = [
    { action: 'cancel', value: toValue('cancel'), label: say('desk.cancel') },
    { action: 'keep', value: toValue('keep'), label: say('desk.away.keep') },
  ]
  const name = definition?.services.find((service) => service.id === service_id)?.name ?? service_id
  const title = `${shortMomentText(localizer, new Date(start), zone)} · ${name}`
  const about = html`<p><a href="/desk/classes/${id}">${taken}/${capacity}</a></p>`
  // If a class session has no participants, a cancellation concerns no buyer. Therefore the form preselects "cancel".
  // For all other sessions, the staff member must choose.
  return choose({ id, title, about, choices, more: undefined, usual: taken === 0 ? 'cancel' : undefined }, showing)
}

interface Choosing {
  id: string
  title: string
  about: Content
  choices: readonly Choice[]
  more: Content
  /** The action that the form preselects for an affected booking. If undefined, the staff member must choose. */
  usual: string | undefined
}

function choose(
  { id, title, about, choices, more, usual }: Choosing,
  { decisions, isAgain, localizer }: ListContext,
): Content {
  const before = decisions.get(id)
  const same = choices.find(({ value }) => value === before)
  const action = new URLSearchParams(before ?? '').get('action')
  const chosen = same ?? choices.find((one) => one.action === action) ?? choices.find((one) => one.action === usual)
  return html`<fieldset><legend>${title}</legend>
${isAgain && !same && html`<p class="note">${localizer.say('desk.away.new')}</p>`}${about}
<div class="picks">${choices.map(
    (one) => html`${radioChoice({ name: id, value: one.value, isChosen: one === chosen, isRequired: true }, one.label)}
`,
  )}</div>${more}</fieldset>
`
}
