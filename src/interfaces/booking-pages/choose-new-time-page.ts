import { type Plan, planOf } from '../../domain/availability/service-scheduling-plan.ts'
import { clockText, timeRange } from '../../infra/i18n/format-times.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { weekStartOf } from '../booking-flow/calendar-weeks.ts'
import { type ChosenTime, latestOf, TIME, timeText } from '../booking-flow/chosen-time.ts'
import { dayHeading, nextFreeLink } from '../booking-flow/day-heading.ts'
import { freeWeeks } from '../booking-flow/find-weeks-to-show.ts'
import { calendar } from '../booking-flow/free-days-calendar.ts'
import { personChoosers } from '../booking-flow/party-and-resource-form.ts'
import { leastPrice, timeLength } from '../booking-flow/service-description-texts.ts'
import { partsOfDay, zoneOfTimes } from '../booking-flow/times-of-chosen-day.ts'
import { type Choice, queryOf } from '../booking-flow/visitor-choices.ts'
import { getInTouch } from '../pages/business-contact-links.ts'
import { hidden } from '../pages/form-inputs.ts'
import type { View } from '../pages/page-layout.ts'
import { whatIsBooked } from './booking-summary.ts'
import type { PageContext } from './load-booking-page-context.ts'
import { moveSearch } from './search-new-times.ts'

export async function otherTimes(
  context: PageContext,
  { db, tag }: Dependencies<'db' | 'tag'>,
  note?: Message,
): Promise<View> {
  const { booking, definition, pathOf, localizer } = context
  const { say } = localizer
  const plan = planOf(definition, booking.service_id)
  if (!plan) throw new Error(`Booking ${booking.id} is of a service that there is not`)
  const timeSearch = moveSearch(plan, context, tag)
  const { choice } = timeSearch
  const weeks = await freeWeeks(db, plan, timeSearch, weekStartOf(localizer.locale))
  const { day, next } = weeks
  const times = day === undefined ? undefined : await weeks.days.get(day)?.times()
  const place = { localizer, path: pathOf('move') }
  // If the buyer chose no day, the search uses the current day of the booking. The heading must not present this day as
  // the buyer's choice.
  const headingChoice = context.query.has('day') ? choice : { ...choice, day: undefined }
  return {
    status: note === undefined ? 200 : 409,
    title: say('booking.move'),
    wide: true,
    body: html`${note !== undefined && html`<p class="note wrong" role="alert">${say(note)}</p>`}
<p>${whatIsBooked(context)}</p>
<p class="soft">${say('booking.move.now', { time: timeRange(localizer, booking.starts_at, booking.ends_at, booking.record.zone) })}</p>
<div data-swapped>
${who(plan, choice, context)}
<div class="pick" id="pick">
<section aria-labelledby="days">${calendar(plan, { ...choice, day }, weeks, place)}</section>
<section aria-labelledby="times">
${
  times && day !== undefined
    ? html`${dayHeading(plan, headingChoice, weeks, place)}
${partsOfDay(plan, times, localizer, (together) => {
  const time = latestOf(together)
  return html`<a class="button" rel="nofollow" href="${`${place.path}?${timeQuery(plan, { ...choice, day }, time)}`}">${clockText(localizer, new Date(time.start), plan.zone)}${[timeLength(localizer, plan, together), leastPrice(localizer, plan, together)].map(small)}</a>`
})}
${zoneOfTimes(plan, times, localizer)}`
    : html`<h2 id="times">${say(next === undefined ? 'book.none' : 'book.none_in_weeks')}</h2>
${next === undefined ? getInTouch(context) : html`<p>${nextFreeLink(plan, choice, next, place)}</p>`}`
}
</section>
</div>
</div>
<p><a class="way" href="${pathOf('manage')}">${say('booking.keep')}</a></p>`,
  }
}

function who(plan: Plan, choice: Choice, { localizer, pathOf }: PageContext): Content {
  const { day, from } = choice
  const fields = personChoosers(plan, choice, localizer)
  if (fields.length === 0) return undefined
  return html`<form class="choose" data-swap action="${pathOf('move')}">
<div class="two">${fields}</div>
${hidden({ day, from: day === undefined ? from : undefined })}
<button class="plain" data-needless>${localizer.say('book.show_times')}</button>
</form>`
}

const small = (text: string | undefined): Content => text !== undefined && html`<small>${text}</small>`

function timeQuery(plan: Plan, choice: Choice, time: ChosenTime): URLSearchParams {
  const query = queryOf(plan, choice)
  query.set(TIME, timeText(time))
  return query
}
