import type { Plan } from '../../domain/availability/plan.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { momentText } from '../../infra/i18n/times.ts'
import { dateIn } from '../../infra/time/zone.ts'
import { html } from '../../infra/util/html.ts'
import { digestOfForm, isOurForm } from '../pages/form-token.ts'
import { bookHeld } from './book-held.ts'
import { blank, countryOf, readBuyerForm } from './buyer-form.ts'
import { choiceOf, queryOf } from './choice.ts'
import { readTime } from './chosen-time.ts'
import { convertedHoldAnswer, hasBooked } from './converted-hold.ts'
import { detailsAddress, findCurrentHold } from './current-hold.ts'
import { dayLink } from './day-heading.ts'
import { detailsPage } from './details-page.ts'
import { findHeld, type Held, isStillHeld } from './find-held.ts'
import { nextTime } from './free-times.ts'
import { holdTime, type Pressed } from './hold-time.ts'
import { openAssistantHold } from './open-assistant-hold.ts'
import { servicePage } from './service-page.ts'
import { haveTermsChanged } from './shown-terms.ts'
import type { BookDependencies, StepAnswer, StepRequest } from './step-request.ts'
import { fullTime, joinAndRedirect, waitlistPage } from './waitlist-page.ts'

export async function showService(
  plan: Plan,
  { query, remembered, speech }: StepRequest,
  means: BookDependencies,
): StepAnswer {
  const choice = choiceOf(plan, query)
  const kept = await findCurrentHold(plan, choice.kept ?? remembered, means)
  return servicePage(plan, choice, { speech, kept }, means)
}

/** Holds the pressed time and continues with the details form. */
export async function hold(plan: Plan, asking: StepRequest, means: BookDependencies): StepAnswer {
  const { query, form, remembered, speech } = asking
  const choice = choiceOf(plan, query)
  const kept = await findCurrentHold(plan, choice.kept ?? remembered, means)
  const time = readTime(form)
  if (!isOurForm(form, means) || !time)
    return servicePage(plan, choice, { speech, kept, status: 422, note: speech.say('book.once_more') }, means)
  const held = await holdTime(plan, { choice, kept, time, form: digestOfForm(form) }, asking, means)
  return held
    ? { to: detailsAddress(plan, choice, held), kept: held }
    : slotGonePage(plan, { choice, kept, time }, speech, means)
}

/** Another buyer was faster: says so, with the next free time. */
async function slotGonePage(
  plan: Plan,
  { choice, kept, time }: Omit<Pressed, 'form'>,
  speech: StepRequest['speech'],
  means: BookDependencies,
): StepAnswer {
  const next = await nextTime(means.db, plan, { choice, now: means.clock() }, { from: time.start })
  const note = next
    ? html`${speech.say('book.gone.next', { time: momentText(speech, new Date(next.start), plan.zone) })} ${dayLink(plan, choice, { day: dateIn(plan.zone, next.start), label: speech.say('book.show_times') }, { speech })}`
    : speech.say('book.gone')
  return servicePage(plan, choice, { speech, kept, status: 409, note }, means)
}

export async function details(plan: Plan, asking: StepRequest, means: BookDependencies): StepAnswer {
  const held = await findHeld(plan, asking.query, means)
  if (!held || 'booking' in held) return held && convertedHoldAnswer(plan, held.booking, asking, means)
  const { speech } = asking
  const now = await openAssistantHold(held, asking, means)
  return (
    endedHoldAnswer(now, asking, means) ??
    detailsPage(now, blank(countryOf(plan.business, speech.locale)), speech, means)
  )
}

export async function sendDetails(plan: Plan, asking: StepRequest, means: BookDependencies): StepAnswer {
  const held = await findHeld(plan, asking.query, means)
  if (!held || 'booking' in held) return held && convertedHoldAnswer(plan, held.booking, asking, means)
  const ended = endedHoldAnswer(held, asking, means)
  if (ended) return ended
  const { form, speech } = asking
  const written = readBuyerForm(form, plan.service, countryOf(plan.business, speech.locale))
  if (!isOurForm(form, means, true)) return detailsPage(held, written, speech, means, speech.say('book.send_again'))
  if (written.faults.size > 0) return detailsPage(held, written, speech, means)
  if (haveTermsChanged(form, held, means))
    return detailsPage(held, written, speech, means, speech.say('book.terms.changed'))
  const answer = (await bookHeld(held, written, asking, means)) ?? (await backToTimes(held, asking, 'book.gone', means))
  // Another form may have booked the same hold first.
  return answer && 'opened' in answer && !(await hasBooked(answer.opened, asking, means))
    ? convertedHoldAnswer(plan, answer.opened, asking, means)
    : answer
}

/**
 * Leads back to the times when the hold has ended.
 * An unopened hold of an assistant never belonged to the visitor: then the message is that the time is gone.
 */
const endedHoldAnswer = (held: Held, asking: StepRequest, means: BookDependencies) =>
  isStillHeld(held, means.clock())
    ? undefined
    : backToTimes(held, asking, held.hold.unopened_on === null ? 'book.lapsed' : 'book.gone', means)

const backToTimes = (
  { plan, choice }: Held,
  { speech }: StepRequest,
  why: Message,
  means: BookDependencies,
): StepAnswer => servicePage(plan, choice, { speech, status: 410, note: speech.say(why) }, means)

export async function showWaitlistForm(plan: Plan, asking: StepRequest, means: BookDependencies): StepAnswer {
  const { query, speech } = asking
  const time = await fullTime(plan, query, means)
  if (!time) return { to: `/book/${plan.service.id}?${queryOf(plan, choiceOf(plan, query))}` }
  return waitlistPage(plan, time, blank(countryOf(plan.business, speech.locale)), speech, means)
}

export async function join(plan: Plan, asking: StepRequest, means: BookDependencies): StepAnswer {
  const { query, form, speech } = asking
  const time = await fullTime(plan, query, means)
  if (!time) return { to: `/book/${plan.service.id}?${queryOf(plan, choiceOf(plan, query))}` }
  const written = readBuyerForm(form, { channel: { type: 'virtual' } }, countryOf(plan.business, speech.locale))
  if (!isOurForm(form, means, true))
    return waitlistPage(plan, time, written, speech, means, speech.say('book.send_again'))
  if (written.faults.size > 0) return waitlistPage(plan, time, written, speech, means)
  // The same form sent twice counts as one visitor, who joins once.
  return joinAndRedirect(plan, time, written, { ...asking, visitor: `visit_${digestOfForm(form)}` }, means)
}
