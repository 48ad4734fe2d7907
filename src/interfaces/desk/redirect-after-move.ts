import { zoneOf } from '../../core/business/definition-facts.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import type { Booking } from '../../protocol/types.generated.ts'
import type { DeskDependencies } from './call-operation-as-staff.ts'

/**
 * Returns the redirect after a move: to the day of the booking, or to the page of the booking. Both pages show a note
 * about the move.
 */
export async function redirectAfterMove(
  { id, slot }: Pick<Booking, 'id' | 'slot'>,
  undo: string | null,
  isFromDay: boolean,
  dependencies: DeskDependencies,
): Promise<{ to: string }> {
  const note = undo !== null && { undo }
  if (!isFromDay) return { to: `/desk/bookings/${id}${note ? `?${new URLSearchParams(note)}` : ''}` }
  const date = dateIn(await zoneOf(dependencies), Date.parse(slot.start))
  return { to: `/desk?${new URLSearchParams({ date, ...(note && { moved: id, ...note }) })}` }
}
