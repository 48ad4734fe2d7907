import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { timeSlots } from '../../domain/availability/time-slot-response.ts'
import { entryUrl } from '../../domain/waitlist/entry-page-link.ts'
import { joinWaitlist } from '../../domain/waitlist/join-waitlist.ts'
import { timeRange } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { html } from '../../infra/util/html-template.ts'
import { callAsVisitor } from '../../pipeline/call-operation-from-page.ts'
import type { Peer } from '../../protocol/caller-types.ts'
import { formToken, trap } from '../pages/form-token.ts'
import { textWithLang } from '../pages/mark-untranslated-text.ts'
import { facts } from '../pages/name-value-list.ts'
import type { Answer, View } from '../pages/page-layout.ts'
import { refusalText } from '../pages/refusal-texts.ts'
import { type BuyerForm, buyerOf, type ShownForm } from './buyer-form.ts'
import { detailsSummary, personFields, textConsent } from './buyer-form-fields.ts'
import { readTime } from './chosen-time.ts'
import { showAgainAtLimit } from './repeat-form-at-rate-limit.ts'
import { isFree, timesAt } from './search-free-times.ts'
import { namesOf } from './service-description-texts.ts'
import type { BookDependencies } from './step-request.ts'
import { choiceOf, queryOf } from './visitor-choices.ts'

/**
 * Finds the fully booked time that the URL names, for which the visitor wants to join the waitlist. Returns undefined
 * if the time is no longer full.
 */
export async function fullTime(plan: Plan, query: URLSearchParams, { db, clock }: BookDependencies) {
  const [choice, chosen] = [choiceOf(plan, query), readTime(query)]
  const found = chosen && (await timesAt(db, plan, { choice, now: clock() }, chosen)).find((time) => !isFree(time))
  return found && { ...found, plan, choice }
}

type FullTime = NonNullable<Awaited<ReturnType<typeof fullTime>>>

export async function waitlistPage(
  time: FullTime,
  { buyerForm, note }: ShownForm,
  localizer: Localizer,
  dependencies: BookDependencies,
): Promise<View> {
  const { plan } = time
  const { say } = localizer
  const isRefused = note !== undefined || buyerForm.faults.size > 0
  const { name, usual } = namesOf(localizer, plan.service)
  return {
    status: isRefused ? 422 : 200,
    title: say('book.waitlist'),
    body: html`${detailsSummary(buyerForm, localizer, note)}
<p class="note">${say('book.waitlist.text')}</p>
${facts(
  [
    [say('booking.what'), textWithLang({ text: name, usual: usual.name }, plan.business, localizer)],
    [say('booking.when'), timeRange(localizer, new Date(time.start), new Date(time.end), plan.zone)],
  ],
  localizer,
)}
<form method="post" novalidate>
${formToken(dependencies)}${trap}
${personFields(buyerForm, localizer, { phone: false })}
${await textConsent(buyerForm, localizer, dependencies)}
<button>${say('book.waitlist.join')}</button>
</form>
<p><a class="way" href="${`/book/${plan.service.id}?${queryOf(plan, time.choice)}`}">${say('book.other_time')}</a></p>`,
  }
}

interface JoinRequest {
  peer: Peer
  localizer: Localizer
  visitor: string
}

export const joinAndRedirect = (
  time: FullTime,
  buyerForm: BuyerForm,
  joinRequest: JoinRequest,
  dependencies: BookDependencies,
) =>
  showAgainAtLimit(
    () => joinForVisitor(time, buyerForm, joinRequest, dependencies),
    (note) => waitlistPage(time, { buyerForm, note }, joinRequest.localizer, dependencies),
    joinRequest.localizer,
  )

async function joinForVisitor(
  time: FullTime,
  buyerForm: BuyerForm,
  { peer, localizer, visitor }: JoinRequest,
  dependencies: BookDependencies,
): Promise<Answer> {
  const { plan } = time
  const [slot] = timeSlots(dependencies.tag, plan, [time], { zone: plan.zone })
  const input = { service_id: plan.service.id, slot_id: slot?.id ?? '', buyer: buyerOf(buyerForm) }
  const answer = await callAsVisitor(joinWaitlist, input, { visitor, peer, locale: localizer.locale }, dependencies)
  if (!answer.refusal)
    return { to: new URL(entryUrl(dependencies.config.baseUrl, dependencies.tag, answer.result.entry.id)).pathname }
  const { code } = answer.refusal
  return waitlistPage(time, { buyerForm, note: refusalText(code, localizer, 'book.refused') }, localizer, dependencies)
}
