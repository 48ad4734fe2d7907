import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import type { Message } from '../../protocol/types.generated.ts'
import { allocationKeep } from './booking-allocation.ts'
import type { BookingRow } from './booking-row.ts'
import { saveBooking } from './change-booking.ts'
import { after } from './lifecycle.ts'
import { deadlineAfterApproval } from './policies.ts'
import { tasksOf } from './tasks.ts'

export async function approve(
  tx: UnitOfWork,
  booking: BookingRow,
  { actor, notes }: { actor: string; notes?: string | undefined },
  now: Date,
): Promise<BookingRow> {
  const { status, record } = booking
  if (status === 'confirmed') return booking
  if (record.confirmation_mode === 'auto' || status !== 'pending')
    throw new BusinessRefusal('invalid_transition', `Only a pending booking can be confirmed; this one is ${status}.`)
  const tasks = tasksOf(record)
  const note: Message[] = notes === undefined ? [] : [{ type: 'info', code: 'business_note', content: notes }]
  const approved = { ...record, tasks, ...(note.length > 0 && { messages: note }) }
  const step = tasks.length > 0 ? 'ask' : 'approve'
  const expires_at = deadlineAfterApproval(after(status, step), { record: approved, starts_at: booking.starts_at }, now)
  if (!(await allocationKeep(tx, booking, expires_at, now)))
    throw new BusinessRefusal('slot_unavailable', 'This booking has just expired.')
  return saveBooking(tx, booking, { step, expires_at, record: approved }, { actor, action: 'confirm' }, now)
}
