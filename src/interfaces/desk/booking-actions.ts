import { confirmBooking } from '../../domain/bookings/confirm-booking.ts'
import { next, type Status, type Step } from '../../domain/bookings/lifecycle.ts'
import { cancel } from '../../domain/desk/bookings/cancel-booking.ts'
import { complete } from '../../domain/desk/bookings/complete-booking.ts'
import { decline } from '../../domain/desk/bookings/decline-booking.ts'
import { start } from '../../domain/desk/bookings/mark-booking-started.ts'
import { noShow } from '../../domain/desk/bookings/mark-no-show.ts'
import { markPaid } from '../../domain/desk/money/mark-booking-paid.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import type { Operation, OperationTypes } from '../../protocol/define-operation.ts'
import type { Booking, GetBusinessBooking } from '../../protocol/types.generated.ts'

export interface BookingAction {
  name: Message
  operation: Operation<
    OperationTypes & { input: { booking_id: string; reason?: string; notes?: string }; output: { booking: Booking } }
  >
  fits(booking: Booking, now: Date): boolean
  /** The name of the operation's input field for a message from the staff to the buyer. */
  word?: 'reason' | 'notes'
  /** Whether the action ends the booking. If so, staff must press its button twice. */
  ends?: true
}

const canTakeStep = (step: Step) => (booking: Booking) => next(booking.status satisfies Status, step) !== undefined

/**
 * Whether staff can mark the booking as a no-show. A no-show means that the buyer did not come, so the booking must
 * have started.
 */
const canBeNoShow = (booking: Booking, now: Date) =>
  canTakeStep('miss')(booking) && Date.parse(booking.slot.start) <= now.getTime()

/** The actions that staff can take on a booking, in the order of the buttons on the page. */
export const bookingActions: Record<string, BookingAction> = {
  confirm: { name: 'desk.confirm', operation: confirmBooking, fits: canTakeStep('approve'), word: 'notes' },
  start: { name: 'desk.start', operation: start, fits: canTakeStep('start') },
  complete: { name: 'desk.complete', operation: complete, fits: canTakeStep('finish') },
  decline: { name: 'desk.decline', operation: decline, fits: canTakeStep('decline'), word: 'reason', ends: true },
  no_show: { name: 'desk.no_show', operation: noShow, fits: canBeNoShow, ends: true },
  cancel: {
    name: 'desk.cancel',
    operation: cancel,
    word: 'reason',
    ends: true,
    fits: (booking) => booking.status !== 'pending' && canTakeStep('cancel')(booking),
  },
}

type Read = Pick<GetBusinessBooking['output'], 'booking' | 'details'>

/**
 * The two possible answers of staff to a buyer who reported a manual payment: the payment arrived, or it did not
 * arrive.
 */
export const paymentClaimActions: Record<string, Omit<BookingAction, 'fits' | 'word'> & { reason?: Message }> = {
  paid: { name: 'desk.payment.came', operation: markPaid },
  not_paid: { name: 'desk.payment.none', operation: cancel, ends: true, reason: 'desk.payment.none.reason' },
}

/** Whether the buyer reported a payment that staff have not confirmed or rejected yet. */
export const isClaimOpen = ({ booking, details }: Read): boolean =>
  booking.status === 'requires_action' && details.payment_claimed_at !== undefined
