import type { AvailableTime } from '../../domain/availability/available-times.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { clockText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { HOUR } from '../../infra/time/time-units.ts'
import { offsetAt } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { formToken } from '../pages/form-token.ts'
import { latestOf, TIME, timeText } from './chosen-time.ts'
import { type CurrentHold, detailsAddress, isHeldTime, leftText } from './current-hold.ts'
import { isFree } from './search-free-times.ts'
import { leastPrice, timeLength } from './service-description-texts.ts'
import { type Choice, queryOf, type ServiceChoice } from './visitor-choices.ts'

const PARTS = ['morning', 'afternoon', 'evening'] as const

/**
 * The times of a day, grouped by morning, afternoon and evening. Each time is a button. The button reserves the time
 * for the visitor.
 */
export function timesOfDay(
  { plan, choice }: ServiceChoice,
  times: readonly AvailableTime[],
  { localizer, now, currentHold }: { localizer: Localizer; now: Date; currentHold: CurrentHold | undefined },
  dependencies: Dependencies<'cursors' | 'clock' | 'tag'>,
): Content {
  const shown = (group: readonly AvailableTime[]) =>
    currentHold && isHeldTime(currentHold, { plan, choice }, group, dependencies)
      ? ownTime(currentHold, { plan, choice }, group, { localizer, now })
      : button(plan, choice, group, localizer)
  return html`<form method="post" action="${`/book/${plan.service.id}?${queryOf(plan, choice)}`}">
${formToken(dependencies)}
${partsOfDay(plan, times, localizer, shown)}
</form>
${zoneOfTimes(plan, times, localizer)}`
}

/**
 * Groups the times of a day by morning, afternoon and evening. Times with the same start and end share one button. If
 * the duration depends on the person or room, all times with the same start share one button.
 */
export function partsOfDay(
  { zone, resourceDurations }: Plan,
  times: readonly AvailableTime[],
  { say }: Localizer,
  shown: (together: readonly AvailableTime[]) => Content,
): Content {
  const together = Map.groupBy(times, ({ start, end }) => (resourceDurations.size > 0 ? `${start}` : `${start} ${end}`))
  const parts = Map.groupBy(together.values(), ([one]) => PARTS[partOf(zone, one?.start ?? 0)])
  return PARTS.map((part) => {
    const groups = parts.get(part)
    return (
      groups &&
      html`<h3>${say(`book.${part}`)}</h3><ul class="times">${groups.map((group) => html`<li>${shown(group)}</li>`)}</ul>`
    )
  })
}

/** The name of the time zone of the shown times. A script adds the local time of the visitor. */
export const zoneOfTimes = ({ zone }: Plan, times: readonly AvailableTime[], localizer: Localizer): Content =>
  html`<p class="soft zone">${localizer.say('book.zone', { zone: localizer.zone(zone) })} <span hidden data-zone="${zone}" data-instant="${new Date(times[0]?.start ?? 0).toISOString()}" data-words="${localizer.say('book.zone.yours', { time: '{time}', zone: '{zone}' })}"></span></p>`

function ownTime(
  currentHold: CurrentHold,
  { plan, choice }: ServiceChoice,
  [time]: readonly AvailableTime[],
  { localizer, now }: { localizer: Localizer; now: Date },
): Content {
  const clock = clockText(localizer, new Date(time?.start ?? 0), plan.zone)
  const left = localizer.say('book.yours', { left: leftText(currentHold, localizer, now) })
  return html`<a class="button own" href="${detailsAddress(plan, choice, currentHold)}" rel="nofollow">${clock}<small>${left}</small></a>`
}

/**
 * A button for all times with the same start. If the visitor has not chosen people or rooms, the server chooses them
 * after the press.
 */
function button(plan: Plan, choice: Choice, group: readonly AvailableTime[], localizer: Localizer): Content {
  const { say } = localizer
  // Several times can share this button. The button says “full” only if all of them are full.
  const first = group.find(isFree) ?? group[0]
  if (!first) return undefined
  const clock = clockText(localizer, new Date(first.start), plan.zone)
  const { capacity } = first
  if (!isFree(first)) {
    const query = queryOf(plan, choice)
    query.set(TIME, timeText(first))
    return html`<a class="button plain" href="${`/book/${plan.service.id}/waitlist?${query}`}" rel="nofollow">${clock}<small>${say('book.full')}</small></a>`
  }
  const price = leastPrice(localizer, plan, group)
  const length = timeLength(localizer, plan, group)
  const left =
    plan.service.type === 'group' && capacity ? say('book.places_left', { count: capacity.remaining }) : undefined
  return html`<button name="${TIME}" value="${timeText(latestOf(group))}">${clock}${[length, price, left].map((more) => more && html`<small>${more}</small>`)}</button>`
}

/** Returns the part of the day for a time: 0 in the morning, 1 from 12:00 on, 2 from 17:00 on. */
function partOf(zone: string, instant: number): number {
  const hour = Math.floor(((instant + offsetAt(zone, instant)) % (24 * HOUR)) / HOUR)
  return hour < 12 ? 0 : hour < 17 ? 1 : 2
}
