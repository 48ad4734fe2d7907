import { fullName, guestOf } from '../../domain/bookings/people-of-booking.ts'
import { TEXT_CONSENT } from '../../domain/bookings/text-message-consent.ts'
import { correct } from '../../domain/desk/bookings/correct-booking-details.ts'
import { readBooking } from '../../domain/desk/bookings/read-booking.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { isUndeliverable } from '../../infra/util/email-address.ts'
import { html } from '../../infra/util/html-template.ts'
import type { Booking, BookingBuyer, CorrectBusinessBooking, Message } from '../../protocol/types.generated.ts'
import { refusedFormNote } from '../pages/form-error-summary.ts'
import { truncated } from '../pages/read-form-and-query.ts'
import { refusalText } from '../pages/refusal-texts.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import type { Answer, DeskView } from './desk-page.ts'
import { type PersonField, personFields, readPersonField, refusedPersonField } from './person-fields.ts'
import { changedBookingText } from './refused-action-text.ts'
import { consentIn, hasTextConsent, textConsentField } from './text-consent-field.ts'

const WAYS = ['first_name', 'last_name', 'phone_number', 'email'] as const

/**
 * Shows the form where staff correct the people, the party size and the notes of a booking. If the server refuses the
 * form, the page shows the submitted values again.
 */
export async function correctPage(
  id: string,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
  refused?: { form: URLSearchParams; refusal: Message },
): Promise<DeskView | undefined> {
  const { localizer } = deskRequest.request
  if (!isAllowed(deskRequest.who, correct)) return missingRolePage(correct, deskRequest)
  const answer = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  if (answer.refusal) return undefined
  const { booking } = answer.result
  const { say } = localizer
  const { buyer, recipient, notes, party_size } = booking
  const { form } = refused ?? {}
  const faulty = refused && refusedPersonField(refused.refusal, localizer)
  const fields = (one: BookingBuyer, prefix: string) =>
    personFields(WAYS, (name) => form?.get(prefix + name) ?? valueIn(one, name), localizer, { prefix, faulty })
  return {
    status: refused ? 409 : 200,
    title: say('desk.correct'),
    who: deskRequest.who,
    body: html`${refused && refusedFormNote(faulty, whyNot(refused.refusal, booking, localizer), localizer)}
<p><a href="/desk/bookings/${booking.id}">${fullName(guestOf(booking))}</a> · ${booking.service_name}</p>
<form method="post">
${recipient && html`<h2>${say('desk.recipient')}</h2>${fields(recipient, 'recipient_')}<h2>${say('desk.buyer')}</h2>`}
${fields(buyer, '')}
${await textConsentField(form ? hasTextConsent(form) : buyer.consent?.[TEXT_CONSENT] === true, localizer, dependencies)}
<div class="two"><div><label for="party">${say('book.party')}</label><input id="party" name="party" type="number" min="1" max="10000" value="${form?.get('party') ?? party_size}" required></div>
<div><label for="notes">${say('desk.notes')}</label><textarea id="notes" name="notes" rows="2" maxlength="5000">${form?.get('notes') ?? notes ?? ''}</textarea></div></div>
<label class="tick"><input type="checkbox" name="squeeze" value="capacity"${form?.has('squeeze') && html` checked`}> ${say('desk.squeeze')}</label>
<label class="tick"><input type="checkbox" name="renew" value="links"${form?.has('renew') && html` checked`}> ${say('desk.correct.renew')}</label>
<button>${say('desk.save')}</button></form>`,
  }
}

const valueIn = (one: BookingBuyer, name: PersonField) =>
  name === 'notes' || (name === 'email' && isUndeliverable(one.email)) ? undefined : one[name]

/** Returns a text that explains why the server refused the correction of a booking, if no person field is invalid. */
function whyNot({ code, path }: Message, booking: Booking, localizer: Localizer): string {
  if (path === '$.service_id') return localizer.say('failure.service')
  return code === 'invalid_transition' ? changedBookingText(booking, localizer) : refusalText(code, localizer)
}

export async function submitCorrection(
  id: string,
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  if (!isAllowed(deskRequest.who, correct)) return missingRolePage(correct, deskRequest)
  const before = await callAsStaff(readBooking, { booking_id: id }, deskRequest, dependencies)
  if (before.refusal) return undefined
  const { booking } = before.result
  const answer = await callAsStaff(correct, inputOf(form, booking), deskRequest, dependencies)
  if (answer.refusal) return correctPage(id, deskRequest, dependencies, { form, refusal: answer.refusal })
  return { to: `/desk/bookings/${booking.id}` }
}

function inputOf(form: URLSearchParams, { id, buyer, recipient }: Booking): CorrectBusinessBooking['input'] {
  const person = (prefix: string) => ({
    first_name: readPersonField(form, 'first_name', prefix),
    last_name: readPersonField(form, 'last_name', prefix),
    phone_number: readPersonField(form, 'phone_number', prefix) || null,
    email: readPersonField(form, 'email', prefix) || null,
  })
  return {
    booking_id: id,
    buyer: { ...person(''), ...consentIn(form, buyer.consent) },
    ...(form.has('renew') && { renew_links: true }),
    ...(recipient && { recipient: person('recipient_') }),
    notes: truncated(5000, form.get('notes')?.trim() ?? ''),
    party_size: Number(form.get('party')),
    ...(form.has('squeeze') && { override: ['capacity'] }),
  }
}
