import type { Plan } from '../../availability/plan.ts'
import { releaseHold } from '../../availability/release-hold.ts'
import { html } from '../../basics/html.ts'
import { newSecret } from '../../keys/secrets.ts'
import type { Message } from '../../languages/catalogue.ts'
import { momentText } from '../../languages/times.ts'
import { callAsVisitor } from '../../pipeline/call-as-visitor.ts'
import { digestOfForm, isOurForm } from '../pages/form-token.ts'
import type { Asking, StepAnswer } from './asking.ts'
import { bookHeld } from './book-held.ts'
import { booked, hasBooked } from './booked.ts'
import { blank, countryOf, readBuyerForm } from './buyer-form.ts'
import { type Choice, choiceOf, queryOf } from './choice.ts'
import { type ChosenTime, readTime } from './chosen-time.ts'
import { detailsPage } from './details-page.ts'
import { nextFree } from './free-times.ts'
import { type Held, heldBy, isKept } from './held.ts'
import { holdTime } from './hold-time.ts'
import type { BookMeans } from './means.ts'
import { dayLink, servicePage } from './service-page.ts'
import { fullTime, queueFor, waitlistPage } from './waitlist-page.ts'

export const lookAt = async (plan: Plan, { query, speech }: Asking, means: BookMeans): StepAnswer =>
  servicePage(plan, choiceOf(plan, query), { speech }, means)

/** A time was pressed: it is kept, and who comes is asked. */
export async function hold(plan: Plan, { query, form, speech, peer }: Asking, means: BookMeans): StepAnswer {
  const choice = choiceOf(plan, query)
  const time = readTime(form)
  if (!isOurForm(form, means) || !time)
    return servicePage(plan, choice, { speech, status: 422, note: speech.say('book.once_more') }, means)
  const visitor = choice.kept?.visit ?? newSecret('visit')
  const held = await holdTime(plan, choice, time, { visitor, peer }, means)
  if (!held) return gone(plan, choice, time, speech, means)
  // Who chooses another time does not keep both, nor loses the first before there is another.
  if (choice.kept) await callAsVisitor(releaseHold, { hold_id: choice.kept.hold }, { visitor, peer }, means)
  const next = queryOf(plan, { ...choice, kept: undefined })
  next.set('hold', held.id)
  next.set('visit', visitor)
  return { to: `/book/${plan.service.id}/details?${next}` }
}

/** Somebody was faster: that is said at once, and when the next is. */
async function gone(
  plan: Plan,
  choice: Choice,
  { start }: ChosenTime,
  speech: Asking['speech'],
  means: BookMeans,
): StepAnswer {
  const next = await nextFree(means.db, plan, { choice, now: means.clock() }, start)
  const note = next
    ? html`${speech.say('book.gone.next', { time: momentText(speech, new Date(next.start), plan.zone) })} ${dayLink(plan, choice, next.start, speech.say('book.show_times'))}`
    : speech.say('book.gone')
  return servicePage(plan, choice, { speech, status: 409, note }, means)
}

export async function details(plan: Plan, asking: Asking, means: BookMeans): StepAnswer {
  const held = await heldBy(plan, asking.query, means)
  if (!held || 'booking' in held) return held && booked(plan, held.booking, asking, means)
  const { speech } = asking
  return over(held, asking, means) ?? detailsPage(held, blank(countryOf(plan.business, speech.locale)), speech, means)
}

export async function sendDetails(plan: Plan, asking: Asking, means: BookMeans): StepAnswer {
  const held = await heldBy(plan, asking.query, means)
  if (!held || 'booking' in held) return held && booked(plan, held.booking, asking, means)
  const ended = over(held, asking, means)
  if (ended) return ended
  const { form, speech } = asking
  const written = readBuyerForm(form, plan.service, countryOf(plan.business, speech.locale))
  if (!isOurForm(form, means, true)) return detailsPage(held, written, speech, means, speech.say('book.send_again'))
  if (written.faults.size > 0) return detailsPage(held, written, speech, means)
  const answer = (await bookHeld(held, written, asking, means)) ?? (await backToTimes(held, asking, 'book.gone', means))
  // Another form may have been faster.
  return answer && 'opened' in answer && !(await hasBooked(answer.opened, asking, means))
    ? booked(plan, answer.opened, asking, means)
    : answer
}

/** What is kept no longer leads back to the times. */
const over = (held: Held, asking: Asking, means: BookMeans) =>
  isKept(held, means.clock()) ? undefined : backToTimes(held, asking, 'book.lapsed', means)

const backToTimes = ({ plan, choice }: Held, { speech }: Asking, why: Message, means: BookMeans): StepAnswer =>
  servicePage(plan, choice, { speech, status: 410, note: speech.say(why) }, means)

export async function waiting(plan: Plan, asking: Asking, means: BookMeans): StepAnswer {
  const { query, speech } = asking
  const time = await fullTime(plan, query, means)
  if (!time) return { to: `/book/${plan.service.id}?${queryOf(plan, choiceOf(plan, query))}` }
  return waitlistPage(plan, time, blank(countryOf(plan.business, speech.locale)), speech, means)
}

export async function join(plan: Plan, asking: Asking, means: BookMeans): StepAnswer {
  const { query, form, speech } = asking
  const time = await fullTime(plan, query, means)
  if (!time) return { to: `/book/${plan.service.id}?${queryOf(plan, choiceOf(plan, query))}` }
  const written = readBuyerForm(form, { channel: { type: 'virtual' } }, countryOf(plan.business, speech.locale))
  if (!isOurForm(form, means, true))
    return waitlistPage(plan, time, written, speech, means, speech.say('book.send_again'))
  if (written.faults.size > 0) return waitlistPage(plan, time, written, speech, means)
  // The same form sent twice is one visit, and joins once.
  return queueFor(plan, time, written, { ...asking, visitor: `visit_${digestOfForm(form)}` }, means)
}
