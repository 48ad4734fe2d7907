import { zoneOf } from '../../core/business/definition-facts.ts'
import { planOf, resourcesOf } from '../../domain/availability/service-scheduling-plan.ts'
import { readSlotId } from '../../domain/availability/time-slot-response.ts'
import { book } from '../../domain/desk/bookings/create-booking.ts'
import { momentText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type {
  CreateBusinessBooking,
  GetCustomer,
  Message,
  ServiceDefinition,
  TimeSlot,
} from '../../protocol/types.generated.ts'
import { refusedFormNote } from '../pages/form-error-summary.ts'
import { hidden, radioChoice } from '../pages/form-inputs.ts'
import { refusalText } from '../pages/refusal-texts.ts'
import { carriedQuery } from './booking-form-query.ts'
import {
  callAsStaff,
  type DeskDependencies,
  type DeskRequest,
  isAllowed,
  missingRolePage,
} from './call-operation-as-staff.ts'
import { knownChoices, knownContacts, typedOrChosen } from './choose-known-contact.ts'
import { clickedTime, readTime, slotField } from './clicked-time-in-column.ts'
import { customerSearch, latestVisits } from './customer-in-booking-form.ts'
import { tagList } from './day-entries.ts'
import type { FilledForm } from './desk-form-tokens.ts'
import type { Answer, DeskView } from './desk-page.ts'
import { type FreeTimes, freeTimes } from './free-times-of-week.ts'
import { CONTACT_FIELDS, type PersonField, personFields, readPersonField, refusedPersonField } from './person-fields.ts'
import { readCustomer } from './read-customer.ts'
import { consentIn, hasTextConsent, textConsentField } from './text-consent-field.ts'
import { timeChooser } from './time-chooser.ts'
import { walkInTime } from './walk-in-time.ts'

/** The reason why the server shows the booking form again. */
interface Problem {
  refusal?: Message
  isTimeMissing?: boolean
}

/**
 * Shows the page where staff book for customers who call or stand at the counter. Staff first choose a service. Then
 * staff choose a free time and enter the customer's name.
 */
export async function bookPage(
  query: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
  problem: Problem = {},
): Promise<DeskView | undefined> {
  const { say } = deskRequest.request.localizer
  if (!isAllowed(deskRequest.who, book)) return missingRolePage(book, deskRequest)
  const definition = await dependencies.business.get()
  const { services = [] } = definition ?? {}
  const [serviceId, person] = [query.get('service'), query.get('with')]
  const isTheirs = ({ id }: ServiceDefinition) => {
    const plan = planOf(definition, id)
    return person === null || (plan !== undefined && resourcesOf(plan).includes(person))
  }
  const view = {
    status: problem.refusal || problem.isTimeMissing ? 409 : 200,
    who: deskRequest.who,
    place: 'book',
  } as const
  if (serviceId === null)
    return {
      ...view,
      title: say('desk.book'),
      body: html`<ul class="steps">${services.filter(isTheirs).map(
        ({ id, name }) => html`<li><a href="${addressOf(query, { service: id })}">${name}</a></li>
`,
      )}</ul>`,
    }
  const service = services.find(({ id }) => id === serviceId)
  return (
    service && {
      ...view,
      title: service.name,
      layout: 'wide',
      body: await bookingForm(service, { query, ...problem }, deskRequest, dependencies),
    }
  )
}

const addressOf = (query: URLSearchParams, more: Record<string, string>) =>
  `/desk/book?${new URLSearchParams({ ...carriedQuery(query), ...more })}`

/** Books the chosen time for a customer. After a refusal, the form shows the reason and keeps the submitted values. */
export async function submitBooking(
  form: URLSearchParams,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<Answer> {
  if (!isAllowed(deskRequest.who, book)) return missingRolePage(book, deskRequest)
  const week = form.get('week')
  if (week !== null) {
    for (const name of ['slot', 'day', 'at']) form.delete(name)
    form.set('date', week)
    return bookPage(form, deskRequest, dependencies)
  }
  const zone = await zoneOf(dependencies)
  const slot = slotOfDay(form)
  if (slot === null) return bookPage(form, deskRequest, dependencies, { isTimeMissing: true })
  form.set('slot', slot)
  const answer = await callAsStaff(book, inputOf(form, zone), deskRequest, dependencies)
  if (answer.refusal) {
    // The form now suggests the next free time, which can be on another day. Therefore the server removes the day that
    // the user chose.
    form.delete('day')
    return bookPage(form, deskRequest, dependencies, { refusal: answer.refusal })
  }
  return { to: `/desk/bookings/${answer.result.booking.id}` }
}

/** Returns the chosen slot. If staff chose a day, the slot comes from the form field of this day. */
const slotOfDay = (form: URLSearchParams): string | null => {
  const day = form.get('day')
  return day === null ? form.get('slot') : form.get(slotField(day))
}

function inputOf(form: URLSearchParams, zone: string): CreateBusinessBooking['input'] {
  const text = (name: PersonField) =>
    name === 'email' || name === 'phone_number' ? typedOrChosen(form, name) : readPersonField(form, name)
  const optional = (name: 'last_name' | 'phone_number' | 'email') => text(name) !== '' && { [name]: text(name) }
  return {
    service_id: form.get('service') ?? '',
    ...readTime(form, zone),
    buyer: {
      first_name: text('first_name'),
      ...optional('last_name'),
      ...optional('phone_number'),
      ...optional('email'),
      ...consentIn(form),
    },
    ...(text('notes') !== '' && { notes: text('notes') }),
  }
}

async function bookingForm(
  { id }: ServiceDefinition,
  { query, refusal, isTimeMissing }: FilledForm & Problem,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<ReturnType<typeof html>> {
  const { localizer } = deskRequest.request
  const { say } = localizer
  const searchedTimes = { service_id: id, ...(query.has('with') && { resource_id: query.get('with') ?? '' }) }
  const week = await freeTimes(searchedTimes, query.get('date'), deskRequest, dependencies)
  const atPress = await clickedTime({ serviceId: id, query }, week, deskRequest, dependencies)
  const exact = atPress ? atPress.exact : await walkInTime({ serviceId: id, query }, week, deskRequest, dependencies)
  const chosen = atPress ? atPress.slot : initialSlot(week, query, dependencies)
  const dayOf = ({ start }: TimeSlot) => dateIn(week.zone, Date.parse(start))
  const openDay = query.get('day') ?? atPress?.exact?.day ?? (chosen && dayOf(chosen))
  const pick = (slot: TimeSlot, text: Content) =>
    radioChoice({ name: slotField(dayOf(slot)), value: slot.id, isChosen: slot === chosen }, text)
  const cannotBook = week.slots.length === 0 && !exact && html` disabled`
  const found = await chosenCustomer(query.get('for'), deskRequest, dependencies)
  const contacts = found && knownContacts(found.bookings)
  const faulty = refusal && refusedPersonField(refusal, localizer)
  const search = customerSearch(id, query, deskRequest)
  const visits = found && latestVisits(found, week.zone, deskRequest, dependencies)
  const fields = (names: readonly PersonField[]) =>
    personFields(names, (name) => query.get(name) ?? contacts?.values[name], localizer, { faulty })
  return html`${isTimeMissing && html`<p class="note wrong" role="alert">${say('book.choose_time')}</p>`}${refusal && refusedFormNote(faulty, whyNot(refusal, chosen, localizer, week.zone), localizer)}${atPress?.why && html`<p class="note wrong" role="${refusal ? 'note' : 'alert'}">${atPress.why}</p>`}
${search.form}
<form method="post" action="/desk/book"${query.has('first_name') && html` data-draft`}><button class="trap" tabindex="-1" aria-hidden="true"${cannotBook}></button>${hidden({ ...carriedQuery(query), service: id })}
<div class="customer-and-time"><div class="customer">${search.field}${found && customerNote(found.customer)}${contacts && knownChoices(contacts, query, localizer)}
${fields(CONTACT_FIELDS)}
${await textConsentField(hasTextConsent(query), localizer, dependencies)}</div>
${timeChooser(week, { pick, otherWeek: weekButton, openDay, exact, isDaySubmitted: true }, localizer)}
<div class="booking-note">${fields(['notes'])}</div><div class="latest-visits wide-only">${visits}</div></div>
<div class="save-bar"><button${cannotBook}>${say('desk.book')}</button></div></form>`
}

const chosenCustomer = async (id: string | null, deskRequest: DeskRequest, dependencies: DeskDependencies) =>
  id === null ? undefined : readCustomer(id, deskRequest, dependencies)

/**
 * Returns the slot that the booking form preselects. If staff chose a slot before, this is the same slot, or else the
 * first slot at or after its time. If staff chose only a day, this is the first slot of the day. Otherwise, this is the
 * first slot of the week.
 */
function initialSlot(
  { slots, zone }: FreeTimes,
  query: URLSearchParams,
  { tag }: DeskDependencies,
): TimeSlot | undefined {
  const [id, day] = [query.get('slot') ?? '', query.get('day') ?? '']
  const from = readSlotId(tag, id)?.start ?? 0
  const isLater = ({ start }: TimeSlot) =>
    from > 0 ? Date.parse(start) >= from : dateIn(zone, Date.parse(start)) === day
  return slots.find((slot) => slot.id === id) ?? slots.find(isLater) ?? slots[0]
}

/**
 * Returns a text that explains why the server refused a booking. If another booking has taken the chosen slot, the text
 * names the next free slot.
 */
const whyNot = ({ code }: Message, next: TimeSlot | undefined, localizer: Localizer, zone: string): string =>
  code === 'slot_unavailable' && next
    ? localizer.say('book.gone.next', { time: momentText(localizer, new Date(next.start), zone) })
    : refusalText(code, localizer, 'failure.refused.text')

/** Shows what staff must know about a customer while they book, such as an allergy. */
const customerNote = ({ name, tags, note }: GetCustomer['output']['customer']): Content =>
  html`<p class="note"><strong>${name}</strong>${tagList(tags)}${note !== '' && html`<br>${note}`}</p>`

/** A button that opens another week. The button submits the form, so that the page keeps the entered values. */
const weekButton = (date: string, text: Content) =>
  html`<button class="plain icon-only" name="week" value="${date}" formnovalidate>${text}</button>`
