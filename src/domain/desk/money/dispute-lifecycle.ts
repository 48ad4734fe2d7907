import { BusinessRefusal } from '../../../protocol/errors.ts'
import { stateMachine } from '../../../protocol/state-machine.ts'
import type { Dispute } from '../../../protocol/types.generated.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'

type Status = Dispute['status'] | 'none'
type Step = 'open' | 'review' | 'for_buyer' | 'for_business'

/**
 * The states of a dispute about a booking, and the allowed steps between the states. No step follows the decision of
 * the staff.
 */
export const dispute = stateMachine<Status, Step>('dispute', {
  none: { open: 'opened' },
  opened: { review: 'under_review', for_buyer: 'resolved_buyer', for_business: 'resolved_business' },
  under_review: { for_buyer: 'resolved_buyer', for_business: 'resolved_business' },
  resolved_buyer: {},
  resolved_business: {},
})

/** Returns the status of a dispute after this step. Refuses a step that the current status does not allow. */
export function disputeStatusAfter({ record }: BookingRow, step: Step): Dispute['status'] {
  const status = record.dispute?.status ?? 'none'
  const reached = dispute.next(status, step)
  if (reached !== undefined && reached !== 'none') return reached
  throw new BusinessRefusal(
    'invalid_transition',
    status === 'none'
      ? 'There is no dispute about this booking.'
      : `There is a dispute about this booking already; it is ${status.replaceAll('_', ' ')}.`,
  )
}
