import { mailLink, phoneLink } from '../../core/business/contact-channels.ts'
import { zoneOf } from '../../core/business/definition-facts.ts'
import { isOver, isUnresolved } from '../../domain/bookings/lifecycle.ts'
import { isPossible } from '../../domain/bookings/operations-by-status.ts'
import { ERASED_BUYER, fullName, guestOf } from '../../domain/bookings/people-of-booking.ts'
import { bookSeries } from '../../domain/desk/bookings/book-series.ts'
import { correct } from '../../domain/desk/bookings/correct-booking-details.ts'
import { book } from '../../domain/desk/bookings/create-booking.ts'
import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import { reschedule } from '../../domain/desk/bookings/reschedule-booking.ts'
import { refund } from '../../domain/desk/money/refund-booking.ts'
import { momentText, timeRange } from '../../infra/i18n/format-times.ts'
import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { isUndeliverable } from '../../infra/util/email-address.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { BookingBuyer, GetBusinessBooking } from '../../protocol/types.generated.ts'
import { facts } from '../pages/name-value-list.ts'
import { queryOf } from '../pages/page-route-setup.ts'
import { bookingActions, isClaimOpen, paymentClaimActions } from './booking-actions.ts'
import { durationForm } from './booking-duration-form.ts'
import { bookingHistory } from './booking-history.ts'
import { busyTimesNote } from './busy-times-note.ts'
import { callAsStaff, type DeskDependencies, type DeskRequest, isAllowed } from './call-operation-as-staff.ts'
import { correctForms } from './correct-payment-form.ts'
import { attendingMark, tagList } from './day-entries.ts'
import type { DeskView } from './desk-page.ts'
import { eventQuestionsNote } from './event-questions-note.ts'
import { notificationList } from './notification-list.ts'
import { paidLines, payForm, recordedPaymentNote, refundableAmount } from './take-payment-form.ts'
import { waitingText } from './unconfirmed-booking-text.ts'
import { undoMoveNote } from './undo-booking-move.ts'

export interface PageMessage {
  text: Content
  isRefusal: boolean
  /**
   * The payment form that the user submitted. If the server refused this form, the page shows the submitted values
   * again.
   */
  form?: URLSearchParams
}

export async function bookingPage(
  id: string,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
  message?: PageMessage,
): Promise<DeskView | undefined> {
  const answer = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  if (answer.refusal) return undefined
  const { localizer } = deskRequest.request
  const { booking, details, changes } = answer.result
  const zone = await zoneOf(dependencies)
  const shown = { localizer, zone, now: dependencies.clock(), isClaimed: isClaimOpen(answer.result) }
  return {
    status: message?.isRefusal ? 409 : 200,
    title: fullName(guestOf(booking)),
    who: deskRequest.who,
    body: html`${message && html`<p class="note${message.isRefusal && ' wrong'}" role="${message.isRefusal ? 'alert' : 'status'}">${message.text}</p>`}
${bookingState(answer.result, shown)}
${await busyTimesNote(details, deskRequest, dependencies)}
${await eventQuestionsNote(details, deskRequest, dependencies)}
${recordedPaymentNote(answer.result, queryOf(deskRequest.request).get('taken'), localizer, dependencies)}
${await undoMoveNote(booking, { sealed: queryOf(deskRequest.request).get('undo'), zone }, deskRequest, dependencies)}
${bookingButtons(answer.result, deskRequest, moneyForms(answer.result, deskRequest, message?.form), dependencies.clock())}
${durationForm(answer.result, deskRequest, zone)}
${bookingFacts(answer.result, localizer, zone)}
${await notificationList(booking.id, zone, deskRequest, dependencies)}
${bookingHistory(changes, { zone, currency: details.currency, localizer })}`,
  }
}

/** The state of a booking, its reference and the tags of the customer: the first line of its page. */
export const bookingState = (
  { booking, details }: GetBusinessBooking['output'],
  shown: Parameters<typeof waitingText>[1],
): Content =>
  html`<p><strong>${waitingText(booking, shown) ?? shown.localizer.say(`my.state.${booking.status}` satisfies Message)}</strong>${details.attending_since !== undefined && html` · ${attendingMark(shown.localizer)}`} · ${details.reference}${tagList(details.customer_tags)}</p>`

/**
 * Shows the form that records a payment, and the forms that correct payments. If the server refused one of these forms
 * (`sent`), this form shows the submitted values again. The field `payment` exists only in a form that corrects a
 * payment.
 */
function moneyForms(read: GetBusinessBooking['output'], deskRequest: DeskRequest, sent?: URLSearchParams) {
  const isCorrection = sent?.has('payment')
  return html`${payForm(read, deskRequest, isCorrection ? undefined : sent)}
${correctForms(read, deskRequest, isCorrection ? sent : undefined)}`
}

export function bookingButtons(
  read: GetBusinessBooking['output'],
  { who, request }: DeskRequest,
  payment: Content,
  now: Date,
): Content {
  const { booking, details } = read
  const { say, money } = request.localizer
  const left = refundableAmount(read)
  const offered = Object.entries(bookingActions).filter(
    ([, act]) => act.fits(booking, now) && isAllowed(who, act.operation),
  )
  const answers = isClaimOpen(read)
    ? Object.entries(paymentClaimActions).filter(([, { operation }]) => isAllowed(who, operation))
    : []
  const isPuttable = isPossible('reschedule', booking) && isAllowed(who, reschedule) && !details.session_id
  const form = (
    key: string,
    { name, word, ends }: Pick<(typeof bookingActions)[string], 'name' | 'word' | 'ends'>,
  ) => html`<form method="post">
${(key === 'cancel' || key === 'not_paid') && left > 0 && html`<p>${say('desk.cancel.back', { amount: money(left, details.currency) })}</p>`}
${word && html`<label>${say(`desk.word.${word}`)} <input name="word" maxlength="2000"></label>`}
<button name="do" value="${key}"${ends && html` class="danger"`}>${say(name)}</button></form>
`
  const steps = [...answers.filter(([, { ends }]) => !ends), ...offered.filter(([, { ends, word }]) => !ends && !word)]
  const otherSteps = [
    ...answers.filter(([, { ends }]) => ends),
    ...offered.filter(([, { ends, word }]) => ends || word),
  ]
  return html`${steps.length > 0 && html`<div class="acts">${steps.map(([key, act]) => form(key, act))}</div>`}
<div class="acts others">${isPossible('reschedule', booking) && isAllowed(who, reschedule) && html`<a class="button plain" href="/desk/bookings/${booking.id}/move">${say('desk.move')}</a>`}
${isPuttable && html`<a class="button plain" href="/desk?${new URLSearchParams({ date: booking.slot.start.slice(0, 'YYYY-MM-DD'.length), put: booking.id }).toString()}">${say('desk.put')}</a>`}
${!isOver(booking.status) && isAllowed(who, correct) && html`<a class="button plain" href="/desk/bookings/${booking.id}/correct">${say('desk.correct')}</a>`}
${isAllowed(who, book) && html`<a class="button plain" href="/desk/book?${String(new URLSearchParams({ service: booking.service_id, for: booking.id }))}">${say('desk.again')}</a>`}
${isAllowed(who, bookSeries) && html`<a class="button plain" href="/desk/bookings/${booking.id}/series">${say('desk.series')}</a>`}
${left > 0 && !isUnresolved(booking.status) && isAllowed(who, refund) && html`<a class="button plain" href="/desk/bookings/${booking.id}/refund">${say('desk.refund')}</a>`}
${booking.booking_url && html`<button type="button" class="plain" data-needed data-copy="${booking.booking_url}" data-done="${say('booking.payment.copied')}">${say('desk.link')}</button>`}</div>
${payment}
${otherSteps.map(([key, act]) => html`<details><summary>${say(act.name)}</summary>${form(key, act)}</details>`)}`
}

export function bookingFacts(
  { booking, details, payments }: GetBusinessBooking['output'],
  localizer: Localizer,
  zone: string,
): Content {
  const { say, money } = localizer
  const { slot, payment, buyer, recipient } = booking
  const names = (booking.resources ?? []).flatMap(({ name }) => name ?? [])
  const due = booking.no_show?.amount_due ?? payment?.amount_due ?? 0
  const open = details.to_pay ?? due
  const inMoney = (amount: number | undefined) => (amount === undefined ? undefined : money(amount, details.currency))
  const rows: [Message, Content][] = [
    ['booking.what', booking.service_name],
    ['booking.when', timeRange(localizer, new Date(slot.start), new Date(slot.end), zone)],
    ['booking.with', names.length > 0 ? localizer.list(names) : undefined],
    ['booking.where', booking.location?.name],
    ['booking.for', booking.party_size > 1 ? say('booking.people', { count: booking.party_size }) : undefined],
    [
      'desk.buyer',
      html`${contactLines(buyer)}${buyer.email !== ERASED_BUYER.email && html`<br><a href="/desk/customers/${booking.id}">${say('desk.customer')}</a>`}`,
    ],
    ['desk.recipient', recipient && contactLines(recipient)],
    ['desk.notes', booking.notes],
    ['booking.price', inMoney(payment?.amount === undefined ? undefined : payment.amount + (payment.tax_amount ?? 0))],
    ['booking.paid', payments.length > 0 && paidLines(payments, localizer, zone)],
    ['desk.back', details.refunded ? inMoney(details.refunded) : undefined],
    [
      'booking.payment.claimed.title',
      details.payment_claimed_at && due > 0
        ? momentText(localizer, new Date(details.payment_claimed_at), zone)
        : undefined,
    ],
    ['booking.open', open > 0 ? inMoney(open) : undefined],
  ]
  const answers = Object.entries(details.answers ?? {}).map(([id, answer]): [string, Content] => [
    details.questions?.[id] ?? id,
    answer || undefined,
  ])
  return facts([...rows.map(([name, text]): [string, Content] => [say(name), text]), ...answers], localizer)
}

/** Shows the name of a person, with links to call the person and to send an email. */
export const contactLines = (one: BookingBuyer): Content =>
  html`${fullName(one)}${
    one.phone_number !== undefined &&
    html`<br><a href="${phoneLink(one.phone_number)}" dir="ltr">${one.phone_number}</a>`
  }${one.email !== '' && !isUndeliverable(one.email) && html`<br><a href="${mailLink(one.email)}">${one.email}</a>`}`
