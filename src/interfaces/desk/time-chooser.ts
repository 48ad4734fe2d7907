import { clockText, dayText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { secondsOf } from '../../infra/time/time-units.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { TimeSlot } from '../../protocol/types.generated.ts'
import { icon } from '../pages/icons.ts'
import type { FreeTimes } from './free-times-of-week.ts'

interface Choice {
  /** Renders the field or button that chooses a slot. `text` says what differs between the slots. */
  pick(slot: TimeSlot, text: Content): Content
  /** Renders the link or button to another week. `text` is an icon with a text for screen readers. */
  otherWeek(date: string, text: Content): Content
  chosen?: TimeSlot | undefined
}

/**
 * Shows the free slots of a week. A strip of days is at the top, and the style sheet shows only the slots of the chosen
 * day. If several people are free at the same time, the time is in front of the names.
 */
export function timeChooser(
  { slots, zone, days, earlier, later }: FreeTimes,
  { pick, otherWeek, chosen = slots[0] }: Choice,
  localizer: Localizer,
): Content {
  const { say } = localizer
  const slotsByDay = Map.groupBy(slots, ({ start }) => dateIn(zone, Date.parse(start)))
  const weekday = localizer.dates('UTC', { weekday: 'short' })
  const dayNumber = localizer.dates('UTC', { day: 'numeric' })
  const openDay = chosen && dateIn(zone, Date.parse(chosen.start))
  const step = (date: string, name: 'previous' | 'next', text: string) =>
    otherWeek(date, html`${icon(name)}<span class="sr">${text}</span>`)
  const strip = days.map((day, nth) => {
    const date = new Date(day)
    const state = slotsByDay.has(day) ? day === openDay && html` checked` : html` disabled`
    return html`<input class="sr" type="radio" name="day" id="day-${nth}" value="${day}"${state}><label for="day-${nth}">${weekday.format(date)} <b>${dayNumber.format(date)}</b></label>
`
  })
  const times = days.map((day, nth) => {
    const slotsOfDay = slotsByDay.get(day) ?? []
    const [first] = slotsOfDay
    if (!first) return undefined
    const name = dayText(localizer, new Date(first.start), zone)
    return html`<fieldset class="day-times" data-day="${nth}"><legend>${name}</legend>${timesOfDay(slotsOfDay, slots, pick, { localizer, zone })}</fieldset>
`
  })
  return html`<div class="time-chooser"><div class="day-strip" role="group" aria-label="${say('desk.day')}">${earlier !== undefined && step(earlier, 'previous', say('desk.week.before'))}
${strip}${step(later, 'next', say('desk.week.after'))}</div>
${slots.length === 0 ? html`<p class="note">${say('desk.no_times')}</p>` : times}</div>`
}

function timesOfDay(
  slotsOfDay: readonly TimeSlot[],
  all: readonly TimeSlot[],
  pick: Choice['pick'],
  { localizer, zone }: { localizer: Localizer; zone: string },
): Content {
  const byStart = Map.groupBy(slotsOfDay, ({ start }) => start)
  const clock = (start: string) => clockText(localizer, new Date(start), zone)
  const details = (slot: TimeSlot) => detailsOf(slot, all, localizer)
  if (byStart.size === slotsOfDay.length)
    return html`<div class="picks">${slotsOfDay.map((slot) => {
      const text = details(slot)
      return html`${pick(slot, html`${clock(slot.start)}${text !== '' && html` <span class="soft">${text}</span>`}`)}
`
    })}</div>`
  return [...byStart].map(
    ([start, slotsAtTime]) =>
      html`<div class="time-row" role="group" aria-label="${clock(start)}"><b>${clock(start)}</b><div class="chips">${slotsAtTime.map(
        (slot) => html`${pick(slot, details(slot))}
`,
      )}</div></div>
`,
  )
}

/** The people of a slot. Adds the duration or the location if the offered slots have different ones. */
function detailsOf({ duration, resources = [], location }: TimeSlot, all: readonly TimeSlot[], localizer: Localizer) {
  const isAnywhere = all.some((one) => one.location?.id !== location?.id)
  const isAnyLength = all.some((one) => one.duration !== duration)
  const length = isAnyLength ? localizer.length(secondsOf(duration ?? '') * 1000) : ''
  const people = localizer.list(resources.flatMap(({ name }) => name ?? []))
  return [people, length, isAnywhere ? location?.name : ''].filter(Boolean).join(' · ')
}

/** The link to another week, for pages where the user has not entered anything yet. */
export const weekLink = (addressOf: (date: string) => string) => (date: string, text: Content) =>
  html`<a class="button plain icon-only" href="${addressOf(date)}">${text}</a>`
