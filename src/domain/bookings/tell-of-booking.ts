import { enterMailCause } from '../../core/limits/mail-quota.ts'
import type { Change } from '../../infra/db/change.ts'
import type { MailedBuyer, NewMail } from '../../infra/db/outbox.ts'
import { leadsNowhere } from '../../infra/util/email-address.ts'
import { bookingLetter, clockLetters, type Need } from './booking-letters.ts'
import type { BookingRow } from './booking-row.ts'
import { type BookingStep, returnedOf } from './booking-steps.ts'
import { cameFrom } from './came-from.ts'
import { sumToPay } from './payment-instructions.ts'
import { type PlaceOfBooking, placeOf } from './waiting-move-mails.ts'

/** What a letter about a booking is made of: the booking right after, and what else has to be known of the step. */
export interface BookingMatter extends BookingRow {
  calendar?: 'REQUEST' | 'CANCEL'
  /** How much of what was paid goes back by this step. */
  returned?: number
  /** Who would not give it back, and why. */
  refusal?: { provider: string; words: string }
  /** When it was before it moved. */
  moved_from?: Pick<BookingRow, 'starts_at' | 'ends_at'>
  /** Where it was before a move whose mail waits: a move back drops the mail. */
  place_before?: PlaceOfBooking
  /** Those of its series of which the same letter tells, without their people: they are told to the same. */
  others?: readonly BookingMatter[]
}

/** Whoever is concerned is told by a letter, in the transaction that changed it. */
export function tellOfBooking(tx: Change, step: BookingStep, now: Date): void {
  const letter = bookingLetter(step)
  if (!letter) return
  const { before, after, stranger, mailNotBefore } = step
  const { kind, buyer, staff, calendar } = letter
  const returned = returnedOf(after) - returnedOf(before)
  const matter: BookingMatter = {
    ...after,
    ...(calendar && { calendar }),
    ...(returned > 0 && { returned }),
    ...(before && isOtherTime(before, after) && { moved_from: timesOf(before) }),
    ...(before && mailNotBefore && { place_before: placeOf(before) }),
  }
  const isMailed = buyer !== undefined && tellBuyer(tx, kind, matter, buyer, now, mailNotBefore)
  if (isMailed && stranger) enterMailCause(tx, stranger, causeOf(before, after), now)
  if (staff) tellStaff(tx, kind, matter, now)
}

const isOtherTime = (before: BookingRow, after: BookingRow) =>
  before.starts_at.getTime() !== after.starts_at.getTime() || before.ends_at.getTime() !== after.ends_at.getTime()

/** Who goes on with a booking has it; who writes another address into it begins anew. */
function causeOf(before: BookingRow | undefined, { id, people: { buyer } }: BookingRow) {
  return before?.people.buyer.email === buyer.email ? { own: id } : { email: buyer.email }
}

/** Whether there was anybody to tell, and any way to. */
export function tellBuyer(
  tx: Change,
  kind: string,
  matter: BookingMatter,
  need: Need,
  now: Date,
  notBefore?: Date,
): boolean {
  const to = mailedBuyer(matter, need)
  const subject = `booking ${matter.id}`
  return (
    to !== undefined && tx.mail({ kind, subject, snapshot: matter, to, notBefore, ...withItsSeries(kind, matter) }, now)
  )
}

/** Of a series one letter tells. Each is reminded of by itself, and what is to be done or paid has a link and a reference of its own. */
function withItsSeries(kind: string, matter: BookingMatter): Pick<NewMail, 'together'> {
  if (matter.series === null || clockLetters.some((one) => one === kind)) return {}
  if (matter.status === 'requires_action' || sumToPay(matter) !== undefined) return {}
  const as = { ...matter, people: { buyer: NOBODY }, search_text: '' }
  return { together: { what: matter.series, as } }
}

const NOBODY = { first_name: '', last_name: '', email: '' }

export const tellStaff = (tx: Change, kind: string, matter: BookingMatter, now: Date): boolean =>
  tx.mail({ kind, subject: `booking ${matter.id}`, snapshot: matter, to: 'staff' }, now)

const timesOf = ({ starts_at, ends_at }: BookingRow) => ({ starts_at, ends_at })

export const isReachable = ({ buyer, erased }: BookingRow['people']): boolean => !erased && !leadsNowhere(buyer.email)

/** Where to write to who booked; nowhere, when they left no address. */
export function mailedBuyer(
  { principal, people, record }: Pick<BookingRow, 'principal' | 'people' | 'record'>,
  need: Need,
): MailedBuyer | undefined {
  const { email, phone_number: phone } = people.buyer
  if (!isReachable(people)) return undefined
  return { email, phone, locale: record.locale, platform: isOfPlatform(principal) ? need : undefined }
}

/** Whether a platform stands between the business and who booked; at the desk and on our own pages nobody does. */
export const isOfPlatform = (principal: string): boolean => cameFrom(principal) === 'platform'
