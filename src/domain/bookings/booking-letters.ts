import {
  type BookingStep,
  type Condition,
  changed,
  claimed,
  claimedAt,
  disputed,
  ended,
  from,
  isAgreed,
  missed,
  moved,
  movedByStaff,
  refunded,
} from './booking-steps.ts'

/** Whoever booked through a platform is told some things by it anyway, and needs the business to tell the rest. */
export type Need = 'needed' | 'told anyway'

/** What the clock brings about and nobody does: a letter of its own for each booking, of a series too. */
export const clockLetters = ['booking.reminder'] as const

export type BookingLetterKind =
  | 'booking.requested'
  | 'booking.to_complete'
  | 'booking.confirmed'
  | 'booking.approved'
  | 'booking.declined'
  | 'booking.withdrawn'
  | 'booking.unanswered'
  | 'booking.canceled'
  | 'booking.canceled_by_business'
  | 'booking.lapsed'
  | 'booking.moved'
  | 'booking.moved_by_business'
  | 'booking.no_show_fee'
  | 'booking.dispute_opened'
  | 'booking.payment_claimed'
  | 'booking.refunded'
  | 'booking.changed'

/** What somebody is told of a step; the staff, unless it was they who took it. */
interface LetterRule {
  kind: BookingLetterKind
  is: Condition
  buyer: Need | ((step: BookingStep) => Need) | undefined
  staff: Condition | undefined
}

const rule = (
  kind: BookingLetterKind,
  is: Condition,
  buyer?: LetterRule['buyer'],
  staff?: LetterRule['staff'],
): LetterRule => ({ kind, is, buyer, staff })

const unlessTheirs: Condition = ({ byStaff }) => !byStaff
/** What they never heard of need not be called off. */
const ifTheyKnew: Condition = ({ before, byStaff }) =>
  !byStaff && (before?.status === 'pending' || isAgreed(before) || claimedAt(before) !== undefined)
/** There is nobody whom it does not concern. */
const always: Condition = () => true

/** The platform does not know how the business wants to be paid, nor until when. */
const ifToDo = ({ after }: BookingStep): Need => (after.status === 'requires_action' ? 'needed' : 'told anyway')

/** No event tells a platform of it: what it changed itself it knows, of what the staff correct it learns when it looks. */
const ifNoEvent = ({ byStaff }: BookingStep): Need => (byStaff ? 'needed' : 'told anyway')

/** What is told of a step is the first of these that it is: one change makes one letter for each who is told. */
export const letterRules: readonly LetterRule[] = [
  // What, when; whether the buyer needs it who booked through a platform; and whether the staff are told.
  rule('booking.requested', from('nothing', 'pending'), 'told anyway', unlessTheirs),
  rule('booking.to_complete', from('nothing', 'requires_action'), 'needed'),
  rule('booking.confirmed', from('nothing', 'confirmed'), 'told anyway', unlessTheirs),
  rule('booking.approved', from('pending', 'confirmed', 'requires_action'), ifToDo),
  rule('booking.confirmed', from('requires_action', 'confirmed'), 'told anyway', unlessTheirs),
  rule('booking.declined', ended('business', 'pending'), 'told anyway'),
  rule('booking.withdrawn', ended('buyer', 'pending'), 'told anyway', ifTheyKnew),
  rule('booking.unanswered', ended('system', 'pending'), 'told anyway', ifTheyKnew),
  rule('booking.canceled', ended('buyer'), 'told anyway', ifTheyKnew),
  rule('booking.canceled_by_business', ended('business'), 'needed'),
  rule('booking.lapsed', ended('system'), 'told anyway', ifTheyKnew),
  rule('booking.moved_by_business', movedByStaff, 'needed'),
  rule('booking.moved', moved, ifToDo, always),
  rule('booking.no_show_fee', missed, 'needed'),
  rule('booking.dispute_opened', disputed, undefined, always),
  rule('booking.payment_claimed', claimed, undefined, always),
  rule('booking.refunded', refunded, 'needed'),
  rule('booking.changed', changed, ifNoEvent),
]

export interface BookingLetter {
  kind: BookingLetterKind
  buyer: Need | undefined
  staff: boolean
  /** What it is to the buyer's calendar. */
  calendar: 'REQUEST' | 'CANCEL' | undefined
}

/** Nothing of what concerns somebody who is forgotten. */
export function bookingLetter(step: BookingStep): BookingLetter | undefined {
  const found = step.after.people.erased ? undefined : letterRules.find(({ is }) => is(step))
  if (!found) return undefined
  const { kind, buyer, staff } = found
  return {
    kind,
    buyer: typeof buyer === 'function' ? buyer(step) : buyer,
    staff: staff?.(step) ?? false,
    calendar: forCalendar(kind, step),
  }
}

const ENTERED: readonly BookingLetterKind[] = [
  ...(['booking.confirmed', 'booking.approved', 'booking.changed'] as const),
  ...(['booking.moved', 'booking.moved_by_business'] as const),
]

/** A calendar has what the business agreed to; one that never had it is not told that it is called off. */
function forCalendar(kind: BookingLetterKind, { before, after }: BookingStep): BookingLetter['calendar'] {
  if (after.status === 'canceled') return isAgreed(before) ? 'CANCEL' : undefined
  return ENTERED.includes(kind) && isAgreed(after) ? 'REQUEST' : undefined
}
