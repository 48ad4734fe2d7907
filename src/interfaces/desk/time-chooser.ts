import { clockText, dayText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { secondsOf } from '../../infra/time/time-units.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { TimeSlot } from '../../protocol/types.generated.ts'
import { icon } from '../pages/icons.ts'
import type { FreeTimes } from './free-times-of-week.ts'

interface Choice {
  /**
   * Renders the form field or button with which staff choose a slot. `text` says how the slot differs from the other
   * slots.
   */
  pick(slot: TimeSlot, text: Content): Content
  /** Renders the link or button to the week that begins on a date. */
  otherWeek(date: string, text: Content): Content
  /** The day whose slots are visible first. The default is the day of the first slot. */
  openDay?: string | undefined
  /** One more choice on a day, such as an exact time that staff clicked. */
  exact?: { day: string; option: Content } | undefined
  /**
   * Whether the form also submits the chosen day. If not, the day fields stay outside the form, because the Enter key
   * in a field would press the first button of the form.
   */
  isDaySubmitted?: boolean
}

/**
 * Shows the free slots of a week. A strip of days is at the top, and the style sheet shows only the slots of the chosen
 * day. If several people are free at the same time, the time is in front of the names.
 */
export function timeChooser(week: FreeTimes, choice: Choice, localizer: Localizer): Content {
  const { slots, zone, days, earlier, later } = week
  const { otherWeek, exact } = choice
  const { say } = localizer
  const slotsByDay = Map.groupBy(slots, ({ start }) => dateIn(zone, Date.parse(start)))
  const step = (date: string, name: 'previous' | 'next', text: string) =>
    otherWeek(date, html`${icon(name)}<span class="sr">${text}</span>`)
  const times = days.map((day, nth) => {
    const slotsOfDay = slotsByDay.get(day) ?? []
    const isExactDay = exact?.day === day
    if (slotsOfDay.length === 0 && !isExactDay) return undefined
    const name = dayText(localizer, new Date(day), 'UTC')
    return html`<fieldset class="day-times" data-day="${nth}"><legend>${name}</legend>${isExactDay && exact.option}${timesOfDay(slotsOfDay, slots, choice.pick, { localizer, zone })}</fieldset>
`
  })
  return html`<div class="time-chooser"><div class="week-steps">${earlier !== undefined && step(earlier, 'previous', say('desk.week.before'))}${step(later, 'next', say('desk.week.after'))}</div>
<div class="day-strip" role="group" aria-label="${say('desk.day')}">${dayStrip(week, choice, [...slotsByDay.keys()], localizer)}</div>
${slots.length === 0 && !exact ? html`<p class="note">${say('desk.no_times')}</p>` : times}</div>`
}

/**
 * The fields with which staff choose a day. If the slots of a day are not read yet, the day is a link or button to the
 * week that begins on it.
 */
function dayStrip(
  { days, firstUnread }: FreeTimes,
  { otherWeek, exact, openDay, isDaySubmitted }: Choice,
  freeDays: readonly string[],
  localizer: Localizer,
): Content {
  const weekday = localizer.dates('UTC', { weekday: 'short' })
  const dayNumber = localizer.dates('UTC', { day: 'numeric' })
  const shownDays = exact ? [exact.day, ...freeDays] : freeDays
  const open = openDay !== undefined && shownDays.includes(openDay) ? openDay : shownDays[0]
  return days.map((day, nth) => {
    const date = new Date(day)
    const text = html`<span>${weekday.format(date)}</span> <b>${dayNumber.format(date)}</b>`
    if (firstUnread !== undefined && day >= firstUnread) return otherWeek(day, text)
    const state = shownDays.includes(day) ? day === open && html` checked` : html` disabled`
    return html`<input class="sr" type="radio" name="day" id="day-${nth}" value="${day}"${!isDaySubmitted && html` form=""`}${state}><label for="day-${nth}">${text}</label>
`
  })
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
      html`<div class="time-row"><b aria-hidden="true">${clock(start)}</b><div class="chips">${slotsAtTime.map(
        (slot) => html`${pick(slot, html`<span class="sr">${clock(start)} </span>${details(slot) || clock(start)}`)}
`,
      )}</div></div>
`,
  )
}

/**
 * Returns the names of the people of a slot. Adds the duration or the location if these differ among the offered slots.
 */
function detailsOf({ duration, resources = [], location }: TimeSlot, all: readonly TimeSlot[], localizer: Localizer) {
  const hasSeveralLocations = all.some((one) => one.location?.id !== location?.id)
  const hasSeveralDurations = all.some((one) => one.duration !== duration)
  const length = hasSeveralDurations ? localizer.length(secondsOf(duration ?? '') * 1000) : ''
  const people = localizer.list(resources.flatMap(({ name }) => name ?? []))
  return [people, length, hasSeveralLocations ? location?.name : ''].filter(Boolean).join(' · ')
}

/** A button that submits a slot at once when the user presses it. */
export const slotButton = (slot: TimeSlot, text: Content): Content =>
  html`<button class="plain" name="slot" value="${slot.id}">${text}</button>`

/** A link to another week, for pages where the user has not entered anything yet. */
export const weekLink = (addressOf: (date: string) => string) => (date: string, text: Content) =>
  html`<a class="button plain icon-only" href="${addressOf(date)}">${text}</a>`
