import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { FreeWeeks } from './find-weeks-to-show.ts'
import type { CalendarPlace } from './free-days-calendar.ts'
import { type Choice, queryOf } from './visitor-choices.ts'

/** The heading above the times of a day. A note tells the visitor if the chosen day has no times or is full. */
export function dayHeading(
  plan: Plan,
  choice: Choice,
  { day: shown = '', days, next }: Pick<FreeWeeks, 'day' | 'days' | 'next'>,
  place: CalendarPlace,
): Content {
  const { say, day: name } = place.localizer
  const { day: chosen } = choice
  const isFull = !days.get(shown)?.isFree
  return html`<h2 id="times" tabindex="-1">${name(shown)}</h2>
${chosen !== undefined && chosen !== shown && html`<p class="note" role="status">${whyOther(chosen)}</p>`}
${isFull && html`<p class="note">${say('book.day.all_full')} ${next !== undefined && nextFreeLink(plan, choice, next, place)}</p>`}`

  function whyOther(day: string): string {
    if (shown < day || isFull) return say('book.day.over', { day: name(day) })
    return say('book.day.full', { day: name(day), next: name(shown) })
  }
}

export const nextFreeLink = (plan: Plan, choice: Choice, day: string, place: CalendarPlace): Content =>
  dayLink(plan, choice, { day, label: place.localizer.say('book.next_free', { day: place.localizer.day(day) }) }, place)

export const dayLink = (
  plan: Plan,
  choice: Choice,
  { day, label }: { day: string; label: string },
  { path = `/book/${plan.service.id}` }: CalendarPlace,
): Content =>
  html`<a class="way" href="${`${path}?${queryOf(plan, choice, { day })}`}#times" data-swap rel="nofollow">${label}</a>`
