import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { momentText } from '../../infra/i18n/format-times.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { html } from '../../infra/util/html-template.ts'
import { digestOfForm, isOurForm } from '../pages/form-token.ts'
import { convertedHoldAnswer, hasBooked } from './answer-already-booked-hold.ts'
import { bookHeld } from './book-held-slot.ts'
import { detailsPage } from './buyer-details-page.ts'
import { blank, countryOf, readBuyerForm } from './buyer-form.ts'
import { readTime } from './chosen-time.ts'
import { openAssistantHold } from './continue-booking-of-assistant.ts'
import { detailsAddress, findCurrentHold } from './current-hold.ts'
import { dayLink } from './day-heading.ts'
import { haveTermsChanged } from './detect-changed-terms.ts'
import { findHeld, type Held, isStillHeld } from './find-hold-or-booking.ts'
import { holdTime, type Pressed } from './hold-chosen-time.ts'
import { fullTime, joinAndRedirect, waitlistPage } from './join-waitlist-page.ts'
import { nextTime } from './search-free-times.ts'
import { servicePage } from './service-page.ts'
import type { BookDependencies, StepAnswer, StepRequest } from './step-request.ts'
import { choiceOf, queryOf } from './visitor-choices.ts'

export async function showService(
  plan: Plan,
  { query, remembered, localizer }: StepRequest,
  dependencies: BookDependencies,
): StepAnswer {
  const choice = choiceOf(plan, query)
  const currentHold = await findCurrentHold(plan, choice.currentHold ?? remembered, dependencies)
  return servicePage(plan, choice, { localizer, currentHold }, dependencies)
}

/** Reserves the chosen time for the visitor, and continues with the form for the buyer's details. */
export async function hold(plan: Plan, stepRequest: StepRequest, dependencies: BookDependencies): StepAnswer {
  const { query, form, remembered, localizer } = stepRequest
  const choice = choiceOf(plan, query)
  const currentHold = await findCurrentHold(plan, choice.currentHold ?? remembered, dependencies)
  const time = readTime(form)
  if (!isOurForm(form, dependencies) || !time)
    return servicePage(
      plan,
      choice,
      { localizer, currentHold, status: 422, note: localizer.say('book.once_more') },
      dependencies,
    )
  const held = await holdTime(plan, { choice, currentHold, time, form: digestOfForm(form) }, stepRequest, dependencies)
  return held
    ? { to: detailsAddress(plan, choice, held), newHold: held }
    : slotGonePage(plan, { choice, currentHold, time }, localizer, dependencies)
}

/** The page for a visitor whose chosen time was taken by another buyer. A note on the page names the next free time. */
async function slotGonePage(
  plan: Plan,
  { choice, currentHold, time }: Omit<Pressed, 'form'>,
  localizer: StepRequest['localizer'],
  dependencies: BookDependencies,
): StepAnswer {
  const next = await nextTime(dependencies.db, plan, { choice, now: dependencies.clock() }, { from: time.start })
  const note = next
    ? html`${localizer.say('book.gone.next', { time: momentText(localizer, new Date(next.start), plan.zone) })} ${dayLink(plan, choice, { day: dateIn(plan.zone, next.start), label: localizer.say('book.show_times') }, { localizer })}`
    : localizer.say('book.gone')
  return servicePage(plan, choice, { localizer, currentHold, status: 409, note }, dependencies)
}

export async function details(plan: Plan, stepRequest: StepRequest, dependencies: BookDependencies): StepAnswer {
  const held = await findHeld(plan, stepRequest.query, dependencies)
  if (!held || 'booking' in held) return held && convertedHoldAnswer(plan, held.booking, stepRequest, dependencies)
  const { localizer } = stepRequest
  const now = await openAssistantHold(held, stepRequest, dependencies)
  return (
    endedHoldAnswer(now, stepRequest, dependencies) ??
    detailsPage(now, { buyerForm: blank(countryOf(plan.business, localizer.locale)) }, localizer, dependencies)
  )
}

export async function sendDetails(plan: Plan, stepRequest: StepRequest, dependencies: BookDependencies): StepAnswer {
  const held = await findHeld(plan, stepRequest.query, dependencies)
  if (!held || 'booking' in held) return held && convertedHoldAnswer(plan, held.booking, stepRequest, dependencies)
  const ended = endedHoldAnswer(held, stepRequest, dependencies)
  if (ended) return ended
  const { form, localizer } = stepRequest
  const buyerForm = readBuyerForm(form, plan.service, countryOf(plan.business, localizer.locale))
  if (!isOurForm(form, dependencies, true))
    return detailsPage(held, { buyerForm, note: localizer.say('book.send_again') }, localizer, dependencies)
  if (buyerForm.faults.size > 0) return detailsPage(held, { buyerForm }, localizer, dependencies)
  if (haveTermsChanged(form, held, dependencies))
    return detailsPage(held, { buyerForm, note: localizer.say('book.terms.changed') }, localizer, dependencies)
  const answer =
    (await bookHeld(held, buyerForm, stepRequest, dependencies)) ??
    (await backToTimes(held, stepRequest, 'book.gone', dependencies))
  // Another form may have created the booking from the same hold (reserved slot). Then only the visitor who sent that
  // form gets access to the booking.
  return answer && 'opened' in answer && !(await hasBooked(answer.opened, stepRequest, dependencies))
    ? convertedHoldAnswer(plan, answer.opened, stepRequest, dependencies)
    : answer
}

/**
 * Shows the times again if the visitor's hold (reserved slot) has ended. Returns undefined while the hold is active. If
 * the visitor opened an assistant's link too late, the note only says that the time is gone.
 */
const endedHoldAnswer = (held: Held, stepRequest: StepRequest, dependencies: BookDependencies) =>
  isStillHeld(held, dependencies.clock())
    ? undefined
    : backToTimes(held, stepRequest, held.hold.unopened_on === null ? 'book.lapsed' : 'book.gone', dependencies)

const backToTimes = (
  { plan, choice }: Held,
  { localizer }: StepRequest,
  why: Message,
  dependencies: BookDependencies,
): StepAnswer => servicePage(plan, choice, { localizer, status: 410, note: localizer.say(why) }, dependencies)

export async function showWaitlistForm(
  plan: Plan,
  stepRequest: StepRequest,
  dependencies: BookDependencies,
): StepAnswer {
  const { query, localizer } = stepRequest
  const time = await fullTime(plan, query, dependencies)
  if (!time) return { to: `/book/${plan.service.id}?${queryOf(plan, choiceOf(plan, query))}` }
  return waitlistPage(time, { buyerForm: blank(countryOf(plan.business, localizer.locale)) }, localizer, dependencies)
}

export async function join(plan: Plan, stepRequest: StepRequest, dependencies: BookDependencies): StepAnswer {
  const { query, form, localizer } = stepRequest
  const time = await fullTime(plan, query, dependencies)
  if (!time) return { to: `/book/${plan.service.id}?${queryOf(plan, choiceOf(plan, query))}` }
  const buyerForm = readBuyerForm(form, { channel: { type: 'virtual' } }, countryOf(plan.business, localizer.locale))
  if (!isOurForm(form, dependencies, true))
    return waitlistPage(time, { buyerForm, note: localizer.say('book.send_again') }, localizer, dependencies)
  if (buyerForm.faults.size > 0) return waitlistPage(time, { buyerForm }, localizer, dependencies)
  // The server identifies the visitor by the token of the form. If the browser submits the form twice, the visitor
  // joins the waitlist only once.
  return joinAndRedirect(time, buyerForm, { ...stepRequest, visitor: `visit_${digestOfForm(form)}` }, dependencies)
}
