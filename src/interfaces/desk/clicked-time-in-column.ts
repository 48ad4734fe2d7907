import { type Plan, planOf } from '../../domain/availability/service-scheduling-plan.ts'
import { clockText } from '../../infra/i18n/format-times.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { CreateBusinessBooking, TimeSlot } from '../../protocol/types.generated.ts'
import { radioChoice } from '../pages/form-inputs.ts'
import type { DeskDependencies, DeskRequest } from './call-operation-as-staff.ts'
import { explainUnavailableTime } from './explain-unavailable-time.ts'
import { lengthAt, obstacleAt, readStaffDay } from './free-time-of-person.ts'
import type { FreeTimes } from './free-times-of-week.ts'
import { readLocalInput } from './local-time-input.ts'

/**
 * The prefix of a form value that contains an exact time, such as `at:2026-12-01T10:15`. The id of a person can follow
 * after a space. A form value without this prefix is the id of a slot (an offered time).
 */
const EXACT_TIME_PREFIX = 'at:'

/** The form value of an exact time, with the person if the form offers the time with several people. */
export const exactTimeValue = (local: string, person?: string): string =>
  `${EXACT_TIME_PREFIX}${local}${person === undefined ? '' : ` ${person}`}`

/**
 * Returns the name of the form field for the slots of one day. Each day has its own field, because the form shows only
 * the slots of one day.
 */
export const slotField = (day: string) => `slot:${day}`

/**
 * The time that a staff member clicked in the day view. The time is an offered slot, another free time, or an
 * unavailable time with the reason.
 */
export interface ClickedTime {
  slot?: TimeSlot
  exact?: { day: string; option: Content }
  why?: Content
}

/**
 * Finds the time that a staff member clicked in the day view. Returns undefined if the query string contains no such
 * time.
 */
export async function clickedTime(
  { serviceId, query }: { serviceId: string; query: URLSearchParams },
  { slots, zone, days }: FreeTimes,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<ClickedTime | undefined> {
  const chosen = query.get('slot')
  const exact = exactIn(chosen)
  if (chosen !== null && exact === undefined) return undefined
  const local = exact?.local ?? `${days[0]}T${query.get('at') ?? ''}`
  const from = readLocalInput(zone, local)
  const plan = planOf(await dependencies.business.get(), serviceId)
  if (from === undefined || !plan) return undefined
  const slot = slots.find(({ start }) => Date.parse(start) === from)
  if (slot) return { slot }
  const { localizer } = deskRequest.request
  const time = clockText(localizer, new Date(from), zone)
  const person = exact?.person ?? query.get('with')
  const day = local.slice(0, 'YYYY-MM-DD'.length)
  const why = await conflictAt(plan, { from, person, date: day }, deskRequest, dependencies)
  if (why !== undefined) return { why: html`${localizer.say('desk.book.not_at', { time })}${why && html`<br>${why}`}` }
  const length =
    plan.durations.length > 1 && html` <span class="soft">${localizer.length(lengthAt(plan, person))}</span>`
  const option = radioChoice(
    { name: slotField(day), value: chosen ?? exactTimeValue(local), isChosen: true },
    html`${time}${length}`,
  )
  return { exact: { day, option: html`<div class="chips">${option}</div>` } }
}

/**
 * Returns the reason why a booking cannot start at the time. Returns undefined if the time is free in the day view. If
 * the day view cannot tell, for example for a class, returns an empty text. The page then refuses the time without a
 * reason.
 */
async function conflictAt(
  plan: Plan,
  { from, person, date }: { from: number; person: string | null; date: string },
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Content> {
  const staffDay = await readStaffDay(date, deskRequest, dependencies)
  const obstacle = staffDay ? obstacleAt(plan, { from, person }, staffDay) : 'unknown'
  if (obstacle === undefined) return undefined
  if (obstacle === 'unknown' || person === null) return ''
  const resources = obstacle === 'other taken' ? othersNeeded(plan, person) : [person]
  const wantedTime = { from, to: from + lengthAt(plan, person), resources }
  const code = obstacle === 'away' ? 'validation_error' : 'slot_unavailable'
  return explainUnavailableTime({ type: 'error', code, content: '' }, wantedTime, deskRequest, dependencies)
}

/** The rooms and the equipment that a booking with the person needs too. */
const othersNeeded = ({ requirements }: Plan, person: string): string[] =>
  requirements
    .map(({ candidates }) => candidates.map(({ id }) => id))
    .filter((ids) => !ids.includes(person))
    .flat()

/** Reads the result of `exactTimeValue`. Returns undefined if the form value is the id of a slot. */
function exactIn(value: string | null): { local: string; person: string | null } | undefined {
  if (!value?.startsWith(EXACT_TIME_PREFIX)) return undefined
  const text = value.slice(EXACT_TIME_PREFIX.length)
  const length = 'YYYY-MM-DDThh:mm'.length
  return { local: text.slice(0, length), person: text.slice(length + 1) || null }
}

/**
 * Reads the time of a booking from the form. The form contains the id of a slot, or the clicked time with the person or
 * room of the clicked column.
 */
export function readTime(
  form: URLSearchParams,
  zone: string,
): Pick<CreateBusinessBooking['input'], 'slot_id' | 'start' | 'resource_ids' | 'override'> {
  const slot_id = form.get('slot') ?? ''
  const exact = exactIn(slot_id)
  const start = exact && readLocalInput(zone, exact.local)
  // Staff may book a start time in the past. For example, the form was open for some minutes, or the buyer came without
  // a booking. Therefore the server skips the limits on when buyers may book.
  const override: ['booking_window'] = ['booking_window']
  if (start === undefined) return { slot_id, override }
  const person = exact?.person ?? form.get('with')
  return { start: rfc3339(zone, start), ...(person && { resource_ids: [person] }), override }
}
