import { zoneOf } from '../../core/business/definition-facts.ts'
import { queryAvailability } from '../../domain/availability/query-availability.ts'
import { clockText, dayText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { secondsOf } from '../../infra/time/time-units.ts'
import { dateIn, daysLater } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { QueryAvailability, TimeSlot } from '../../protocol/types.generated.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest } from './call-operation-as-staff.ts'
import { readDay } from './local-time-input.ts'

const DAYS = 7
const MOST_TIMES = 200

export interface FreeTimes {
  slots: TimeSlot[]
  zone: string
  date: string
  otherWeeks: Content
}

export async function freeTimes(
  search: Pick<QueryAvailability['input'], 'service_id' | 'party_size' | 'resource_id'>,
  requestedDate: string | null,
  { addressOf, ...deskRequest }: DeskRequest & { addressOf: (date: string) => string },
  dependencies: DeskDependencies,
): Promise<FreeTimes> {
  const { say } = deskRequest.request.localizer
  const zone = await zoneOf(dependencies)
  const today = dateIn(zone, dependencies.clock().getTime())
  const date = readDay(requestedDate) ?? today
  const range = { ...search, start_date: date, end_date: daysLater(date, DAYS - 1), limit: MOST_TIMES }
  const answer = await callAsStaff(queryAvailability, range, deskRequest, dependencies)
  const otherWeeks = html`<div class="week">${date > today && html`<a class="button plain" href="${addressOf(daysLater(date, -DAYS))}">${say('desk.week.before')}</a>`}
<a class="button plain" href="${addressOf(daysLater(date, DAYS))}">${say('desk.week.after')}</a></div>`
  return {
    slots: answer.refusal ? [] : answer.result.slots.filter(({ state }) => state !== 'waitlist'),
    zone,
    date,
    otherWeeks,
  }
}

/**
 * Groups free slots by day. The page expands only one day, because a whole week would be too long to read. This day is
 * the day of the chosen slot, or else the first day.
 */
export function byDay(
  slots: readonly TimeSlot[],
  shown: (slot: TimeSlot) => Content,
  { localizer, zone, chosen = slots[0] }: { localizer: Localizer; zone: string; chosen?: TimeSlot | undefined },
): Content {
  const dayOf = ({ start }: TimeSlot) => dayText(localizer, new Date(start), zone)
  const opened = chosen && dayOf(chosen)
  return [...Map.groupBy(slots, dayOf)].map(([day, slotsOfDay]) => {
    const times = slotsOfDay.map(
      (slot) => html`${shown(slot)}
`,
    )
    return day === opened
      ? html`<fieldset><legend>${day}</legend><div class="picks">
${times}</div></fieldset>`
      : html`<details><summary>${day}</summary><div class="picks" role="group" aria-label="${day}">
${times}</div></details>`
  })
}

/**
 * Describes a free slot by its start and people. Adds the duration if the listed slots have different durations. Adds
 * the location if the listed slots have different locations.
 */
export function slotText(
  { start, duration, resources = [], location }: TimeSlot,
  among: readonly TimeSlot[],
  localizer: Localizer,
  zone: string,
): Content {
  const isAnywhere = among.some((one) => one.location?.id !== location?.id)
  const isAnyLength = among.some((one) => one.duration !== duration)
  const length = isAnyLength ? localizer.length(secondsOf(duration ?? '') * 1000) : ''
  const people = localizer.list(resources.flatMap(({ name }) => name ?? []))
  const details = [people, length, isAnywhere ? location?.name : ''].filter(Boolean).join(' · ')
  return html`${clockText(localizer, new Date(start), zone)}${details !== '' && html` <span class="soft">${details}</span>`}`
}
