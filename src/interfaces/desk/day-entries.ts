import { planOf } from '../../domain/availability/service-scheduling-plan.ts'
import { isPossible } from '../../domain/bookings/operations-by-status.ts'
import { clockRange } from '../../infra/i18n/format-times.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { mapWithYields } from '../../infra/util/yield-to-event-loop.ts'
import type { Booking, BusinessDefinition, GetBusinessDay } from '../../protocol/types.generated.ts'
import { type IconName, icon } from '../pages/icons.ts'
import { huesOf } from './assign-entry-colors.ts'

export type Day = GetBusinessDay['output']

/**
 * An entry in the day view: a booking, a class session, a blocked time, a time that is busy in another calendar, or a hold
 * (a reserved slot). The start and end are in milliseconds since 1970.
 */
export interface DayEntry {
  from: number
  to: number
  /** The person or room must stay free for this many milliseconds before the booking. */
  before: number
  after: number
  resources: readonly string[]
  kind: string
  /** The color of the entry (see `assign-entry-colors.ts`). Undefined for entries without a service. */
  hue?: number
  body: Content
  /**
   * The ids of the booking and of its service, which the page needs to move the booking. Undefined if staff cannot move
   * the entry.
   */
  movable?: { id: string; service: string }
}

const line = (content: Content): Content => html`<span class="line">${content}</span>`

const STATE_ICONS: Partial<Record<string, IconName>> = {
  pending: 'requested',
  requires_action: 'alert',
  in_progress: 'inProgress',
  completed: 'completed',
  no_show: 'noShow',
}

/**
 * The icon of a booking's state. A confirmed booking has an icon only if the buyer has confirmed to come, because most
 * bookings are confirmed.
 */
function state({ status, attending }: Day['bookings'][number], { say }: Localizer): Content {
  const text = attending ? say('desk.attending') : say(`desk.state.${status}` as Message)
  const name = attending ? 'attending' : STATE_ICONS[status]
  return (
    (attending || status !== 'confirmed') &&
    html`<span class="state" title="${text}">${name && icon(name)}<span class="sr">${text}</span></span>`
  )
}

/** The icon and the text for a booking whose buyer has confirmed to come. */
export const attendingMark = ({ say }: Localizer): Content =>
  html`<span class="attending">${icon('attending')} ${say('desk.attending')}</span>`

export const tagList = (tags: readonly string[] = []): Content =>
  tags.map((tag) => html` <span class="tag">${tag}</span>`)

/**
 * The icon of a booking whose customer has tags. A low card has no space for the line with the tags. Screen readers read
 * this line nevertheless, so the icon needs no text for them.
 */
const tagMark = (tags: readonly string[] = [], localizer: Localizer): Content =>
  tags.length > 0 && html`<span class="state tagged" title="${localizer.list(tags)}">${icon('tag')}</span>`

/**
 * Returns all entries of the day view, sorted by start. A large business has thousands of entries on one day. Therefore
 * the function pauses from time to time, so that the server can handle other requests.
 */
export async function dayEntries(
  day: Day,
  definition: BusinessDefinition | undefined,
  localizer: Localizer,
): Promise<DayEntry[]> {
  const { say } = localizer
  const services = new Map(definition?.services.map(({ id, name }) => [id, name]))
  const hueOf = huesOf(definition?.services)
  const time = (one: { start: string; end: string }) => clockRange(localizer, one, day.timezone)
  const spanOf = ({ start, end, service }: { start: string; end: string; service?: string }) => {
    const { before = 0, after = 0 } = (service !== undefined && planOf(definition, service)) || {}
    return { from: Date.parse(start), to: Date.parse(end), before, after }
  }
  const bookings = await mapWithYields(
    day.bookings,
    (one): DayEntry => ({
      ...spanOf({ ...one, service: one.service_id }),
      resources: one.resource_ids,
      kind: one.status,
      ...(isPossible('reschedule', { status: one.status as Booking['status'] }) && {
        movable: { id: one.id, service: one.service_id },
      }),
      hue: hueOf(one.service_id),
      body: html`<a href="/desk/bookings/${one.id}"><span class="line">${state(one, localizer)}${tagMark(one.tags, localizer)}<strong>${one.name}</strong></span>${line([one.service_name, one.party_size > 1 && ` · ${say('booking.people', { count: one.party_size })}`])}${line(time(one))}${one.tags?.length ? line(tagList(one.tags)) : undefined}</a>`,
    }),
  )
  const holds = await mapWithYields(
    day.holds,
    (one): DayEntry => ({
      ...spanOf(one),
      resources: [one.resource_id],
      kind: 'kept',
      body: html`<div>${line(say('desk.kept'))}${line(time(one))}</div>`,
    }),
  )
  return [
    ...bookings,
    ...day.sessions.map((one) => ({
      ...spanOf({ ...one, service: one.service_id }),
      resources: one.resource_ids,
      kind: 'session',
      hue: hueOf(one.service_id),
      body: html`<a href="/desk/classes/${one.id}"><span class="line"><span class="state">${one.taken}/${one.capacity}</span><strong>${services.get(one.service_id) ?? one.service_id}</strong></span>${line(time(one))}</a>`,
    })),
    ...day.blocks.map((one) => ({
      ...spanOf(one),
      resources: [one.resource_id],
      kind: 'block',
      body: html`<div>${line(html`<strong>${one.reason ?? say('desk.blocked')}</strong>`)}${line(time(one))}</div>`,
    })),
    ...day.busy.map((one) => ({
      ...spanOf(one),
      resources: [one.resource_id],
      kind: 'busy',
      body: html`<div>${line(say('desk.busy_elsewhere'))}${line(time(one))}</div>`,
    })),
    ...holds,
  ].toSorted((one, other) => one.from - other.from)
}

export function entriesByResource(entries: readonly DayEntry[]): ReadonlyMap<string, DayEntry[]> {
  const by = new Map<string, DayEntry[]>()
  for (const thing of entries)
    for (const id of new Set(thing.resources)) {
      const entriesOfResource = by.get(id)
      if (entriesOfResource) entriesOfResource.push(thing)
      else by.set(id, [thing])
    }
  return by
}
