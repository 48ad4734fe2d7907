import { BusinessRefusal } from '../../protocol/errors.ts'
import type { BookingRow } from './booking-row.ts'
import type { Status } from './lifecycle.ts'

type BookingOperation = 'cancel' | 'reschedule' | 'confirm' | 'confirm_payment' | 'update'

/**
 * Whether an operation is possible for a status. 'by terms': only if the agreed terms allow it. 'in manual mode': only
 * if the business confirms each booking. 'unchanged': accepted, and the answer contains the booking as it is.
 */
type Permission = 'yes' | 'no' | 'by terms' | 'in manual mode' | 'unchanged'

/**
 * The table of the specification (living §5.1.1). Each 'no' is `invalid_transition`. Confirming the payment of a booking
 * that expired unpaid is `payment_expired` instead.
 */
// biome-ignore format: one line per operation, one column per status
export const operationsByStatus: Record<BookingOperation, Record<Status, Permission>> = {
  cancel:          { pending: 'yes',            requires_action: 'yes', confirmed: 'yes',       in_progress: 'no',  completed: 'no', no_show: 'no', canceled: 'no' },
  reschedule:      { pending: 'by terms',       requires_action: 'no',  confirmed: 'yes',       in_progress: 'no',  completed: 'no', no_show: 'no', canceled: 'no' },
  confirm:         { pending: 'in manual mode', requires_action: 'no',  confirmed: 'unchanged', in_progress: 'no',  completed: 'no', no_show: 'no', canceled: 'no' },
  confirm_payment: { pending: 'no',             requires_action: 'yes', confirmed: 'unchanged', in_progress: 'no',  completed: 'no', no_show: 'no', canceled: 'no' },
  update:          { pending: 'yes',            requires_action: 'yes', confirmed: 'yes',       in_progress: 'yes', completed: 'no', no_show: 'no', canceled: 'no' },
}

export const permissionFor = (operation: BookingOperation, { status }: { status: Status }): Permission =>
  operationsByStatus[operation][status]

/** Whether the status allows the operation. The terms or the mode of the booking can still forbid it. */
export const isPossible = (operation: BookingOperation, booking: { status: Status }): boolean =>
  permissionFor(operation, booking) !== 'no'

type Checked = Pick<BookingRow, 'status'> & { record: Pick<BookingRow['record'], 'confirmation_mode'> }

export function refuseByStatus(operation: BookingOperation, booking: Checked): void {
  const permission = permissionFor(operation, booking)
  const isWrongMode = permission === 'in manual mode' && booking.record.confirmation_mode !== 'manual'
  if (permission !== 'no' && !isWrongMode) return
  const { refused, otherwise, ...advice } = REFUSALS[operation]
  const { status } = booking
  throw new BusinessRefusal(
    'invalid_transition',
    `The status of this booking is ${status}, so ${refused}. ${advice[status] ?? otherwise}`,
  )
}

/** What the caller can do instead. `otherwise` stands for each status without an own text. */
type Refusal = { refused: string; otherwise: string } & Partial<Record<Status, string>>

const REFUSALS: Record<BookingOperation, Refusal> = {
  cancel: {
    refused: 'it cannot be canceled',
    otherwise: 'Buyer and business must agree on a change directly.',
    canceled: 'No further call is needed.',
  },
  reschedule: {
    refused: 'it cannot be moved',
    otherwise: 'Create a new booking instead.',
    requires_action: 'Complete its open actions first.',
    in_progress: 'Buyer and business must agree on a change directly.',
  },
  confirm: {
    refused: 'the business cannot confirm it',
    otherwise: 'No further call is needed.',
    pending: 'It needs no approval.',
    requires_action: 'The buyer must complete its open actions.',
    canceled: 'Create a new booking instead.',
  },
  confirm_payment: {
    refused: 'it awaits no payment, and nothing was recorded',
    otherwise: 'Return the payment to the buyer.',
    pending: 'Return the payment to the buyer, who pays after the business has confirmed the booking.',
  },
  update: {
    refused: 'it cannot be changed',
    otherwise: 'Buyer and business must agree on a change directly.',
    canceled: 'Create a new booking instead.',
  },
}
