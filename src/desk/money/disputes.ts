import type { BookingRow } from '../../bookings/record.ts'
import { Outcome } from '../../protocol/errors.ts'
import type { Dispute } from '../../protocol/types.generated.ts'

type Status = Dispute['status'] | 'none'

/** What can follow on what. A dispute that was decided stays decided. */
const following: Record<Status, readonly Dispute['status'][]> = {
  none: ['opened'],
  opened: ['under_review', 'resolved_buyer', 'resolved_business'],
  under_review: ['resolved_buyer', 'resolved_business'],
  resolved_buyer: [],
  resolved_business: [],
}

export function refuseUnlessFollowing({ record }: BookingRow, wanted: Dispute['status']): void {
  const status = record.dispute?.status ?? 'none'
  if (following[status].includes(wanted)) return
  throw new Outcome(
    'invalid_transition',
    status === 'none'
      ? 'There is no dispute about this booking.'
      : `There is a dispute about this booking already; it is ${status.replaceAll('_', ' ')}.`,
  )
}
