import { zoneOf } from '../../core/business/definition-facts.ts'
import { readWholeDay } from '../../domain/desk/hours/read-day-of-business.ts'
import { clockRange } from '../../infra/i18n/format-times.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Message } from '../../protocol/types.generated.ts'
import { refusalText } from '../pages/refusal-texts.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from './call-operation-as-staff.ts'

/**
 * A time that staff requested, with the requested people and rooms. If `resources` is empty, the booking can use any
 * suitable people and rooms.
 */
interface Wanted {
  from: number
  to: number
  resources: readonly string[]
}

/**
 * Explains why a time is not available. The text lists the bookings, blocked times, busy times of other calendars
 * and holds (reserved slots) at this time. Staff can then move these bookings.
 */
export async function explainUnavailableTime(
  { code, path }: Message,
  wanted: Wanted,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  const { localizer } = deskRequest.request
  if (path === '$.service_id') return localizer.say('failure.service')
  if (code === 'validation_error') return localizer.say('desk.not_there')
  const lines =
    code === 'slot_unavailable' && wanted.to > wanted.from ? await conflictsAt(wanted, deskRequest, dependencies) : []
  if (lines.length === 0) return refusalText(code, localizer)
  return html`${localizer.say('desk.taken')}${lines.map((line) => html`<br>${line}`)}`
}

async function conflictsAt(
  { from, to, resources }: Wanted,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content[]> {
  const { localizer } = deskRequest.request
  const zone = await zoneOf(dependencies)
  const answer = await callAsStaff(readWholeDay, { date: dateIn(zone, from) }, deskRequest, dependencies)
  if (answer.refusal) return []
  const day = answer.result
  const isInTheWay = (one: { start: string; end: string }, its: readonly string[]) =>
    Date.parse(one.start) < to &&
    Date.parse(one.end) > from &&
    (resources.length === 0 || its.some((id) => resources.includes(id)))
  const text = (one: { start: string; end: string }, name: string) => `${clockRange(localizer, one, zone)} · ${name}`
  return [
    ...day.bookings
      .filter((one) => isInTheWay(one, one.resource_ids))
      .map((one) => html`<a href="/desk/bookings/${one.id}">${text(one, `${one.name}, ${one.service_name}`)}</a>`),
    ...day.blocks
      .filter((one) => isInTheWay(one, [one.resource_id]))
      .map((one) => text(one, one.reason ?? localizer.say('desk.blocked'))),
    ...day.busy
      .filter((one) => isInTheWay(one, [one.resource_id]))
      .map((one) => text(one, localizer.say('desk.busy_elsewhere'))),
    ...day.holds
      .filter((one) => isInTheWay(one, [one.resource_id]))
      .map((one) => text(one, localizer.say('desk.kept'))),
  ]
}
