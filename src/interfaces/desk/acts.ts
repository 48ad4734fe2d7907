import { confirmBooking } from '../../domain/bookings/confirm-booking.ts'
import { next, type Status, type Step } from '../../domain/bookings/lifecycle.ts'
import { cancel } from '../../domain/desk/bookings/cancel.ts'
import { complete } from '../../domain/desk/bookings/complete.ts'
import { decline } from '../../domain/desk/bookings/decline.ts'
import { noShow } from '../../domain/desk/bookings/no-show.ts'
import { start } from '../../domain/desk/bookings/start.ts'
import { markPaid } from '../../domain/desk/money/mark-paid.ts'
import type { Message } from '../../infra/i18n/catalogue.ts'
import type { Exchange, Operation } from '../../protocol/operation.ts'
import type { Booking, GetBusinessBooking } from '../../protocol/types.generated.ts'

/** Something that can be done to a booking by pressing a button. */
export interface Act {
  name: Message
  operation: Operation<
    Exchange & { input: { booking_id: string; reason?: string; notes?: string }; output: { booking: Booking } }
  >
  fits(booking: Booking, now: Date): boolean
  /** The member of the input for a word to the buyer. */
  word?: 'reason' | 'notes'
  /** Whether it ends something, so that it is asked once more. */
  ends?: true
}

const stepOf = (step: Step) => (booking: Booking) => next(booking.status satisfies Status, step) !== undefined

/** Nobody is late before it begins. */
const isMissable = (booking: Booking, now: Date) =>
  stepOf('miss')(booking) && Date.parse(booking.slot.start) <= now.getTime()

/** In the order in which they are offered. */
export const acts: Record<string, Act> = {
  confirm: { name: 'desk.confirm', operation: confirmBooking, fits: stepOf('approve'), word: 'notes' },
  start: { name: 'desk.start', operation: start, fits: stepOf('start') },
  complete: { name: 'desk.complete', operation: complete, fits: stepOf('finish') },
  decline: { name: 'desk.decline', operation: decline, fits: stepOf('decline'), word: 'reason', ends: true },
  no_show: { name: 'desk.no_show', operation: noShow, fits: isMissable, ends: true },
  cancel: {
    ...{ name: 'desk.cancel', operation: cancel, word: 'reason', ends: true },
    fits: (booking) => booking.status !== 'pending' && stepOf('cancel')(booking),
  },
}

type Read = Pick<GetBusinessBooking['output'], 'booking' | 'details'>

/** The answers to a buyer who says to have paid by hand. */
export const claimActs: Record<string, Omit<Act, 'fits' | 'word'> & { reason?: Message }> = {
  paid: { name: 'desk.payment.came', operation: markPaid },
  not_paid: { name: 'desk.payment.none', operation: cancel, ends: true, reason: 'desk.payment.none.reason' },
}

/** Whether the staff have still to say if the money of a booking came in. */
export const isClaimOpen = ({ booking, details }: Read): boolean =>
  booking.status === 'requires_action' && details.payment_claimed_at !== undefined
