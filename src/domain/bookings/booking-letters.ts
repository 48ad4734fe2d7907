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

/**
 * How important a mail is for a platform's buyer. 'told anyway': the platform informs the buyer itself. 'needed': only the
 * business does.
 */
export type Need = 'needed' | 'told anyway'

/** Scheduled notifications. Each booking gets its own, also in a series. */
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
/** The staff need no notification that a booking ended if they never got one that it began. */
const ifTheyKnew: Condition = ({ before, byStaff }) =>
  !byStaff && (before?.status === 'pending' || isAgreed(before) || claimedAt(before) !== undefined)
const always: Condition = () => true

/** A platform does not know how to pay the business, nor the deadline, so the business must mail both. */
const ifToDo = ({ after }: BookingStep): Need => (after.status === 'requires_action' ? 'needed' : 'told anyway')

/**
 * No event reports this change to the platform. It knows its own changes, but a correction by the staff only when it reads
 * the booking.
 */
const ifNoEvent = ({ byStaff }: BookingStep): Need => (byStaff ? 'needed' : 'told anyway')

/** The first matching rule wins, so each recipient gets one notification for each change. */
export const letterRules: readonly LetterRule[] = [
  // Columns: the kind, its condition, how much a platform's buyer needs the mail, and when the staff are notified.
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
  /** Which iCalendar method the mail to the buyer has. */
  calendar: 'REQUEST' | 'CANCEL' | undefined
}

/** Undefined if no rule matches or the people of the booking were erased. */
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

/** A calendar event exists only after the business has agreed, so only then a cancellation is sent. */
function forCalendar(kind: BookingLetterKind, { before, after }: BookingStep): BookingLetter['calendar'] {
  if (after.status === 'canceled') return isAgreed(before) ? 'CANCEL' : undefined
  return ENTERED.includes(kind) && isAgreed(after) ? 'REQUEST' : undefined
}
