import { type BookingRow, bookingAsOf } from '../../domain/bookings/booking-row.ts'
import { bookingFind } from '../../domain/bookings/queries.ts'
import type { Assistant } from '../../protocol/caller-types.ts'
import { type ToolContext, ToolError } from './tool-definition.ts'

/**
 * Returns the account that authorized the assistant. Throws an error if the assistant is not signed in. Usually,
 * `authenticate.ts` has already refused such a call.
 */
export function requireAccount({ assistant }: Pick<ToolContext, 'assistant'>): Assistant {
  if (!assistant) throw new ToolError('This requires signing in first.')
  return assistant
}

/**
 * Finds a booking of the account that authorized the assistant. Throws an error if this account has no such booking.
 * The result shows the status of the booking at the time of the call.
 */
export async function ownBooking(id: string, toolContext: ToolContext): Promise<BookingRow> {
  const { buyer, principal } = requireAccount(toolContext)
  const owner = { identities: [principal], profile: '', buyer }
  const found = await bookingFind(toolContext.dependencies.db, id, owner, { lock: false })
  if (!found) throw new ToolError('This account has no such booking. Call my_bookings for its bookings.')
  return bookingAsOf(found, toolContext.now)
}

/**
 * Throws an error if a change costs money and the person has not agreed to exactly this cost. The error tells the
 * assistant to ask the person, and then to call the tool again.
 */
export function requireAgreedCost(
  cost: number,
  words: string,
  { agreed, tool, currency }: { agreed: number | undefined; tool: string; currency: string },
): void {
  if (cost === 0 || agreed === cost) return
  const what = `Ask the person; if they agree call ${tool} again with agreed_cost=${cost}.`
  throw new ToolError(`${words} ${what}`, { cost, currency })
}
