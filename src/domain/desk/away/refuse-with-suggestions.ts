import { BusinessRefusal } from '../../../protocol/errors.ts'
import type { Absence } from './absence.ts'
import { bookingsAffected } from './absence-queries.ts'
import { toSuggestion } from './absence-schema.ts'
import type { ClearTimeContext } from './clear-bookings-for-absence.ts'
import type { Changed } from './find-changes-since-listing.ts'
import { otherTimes } from './suggest-other-times.ts'

export class SlotUnavailableError extends Error {
  readonly booking: string

  constructor(booking: string, why: string) {
    super(why)
    this.booking = booking
  }
}

const SENTENCES = {
  invalid_transition: 'Something has changed since the list was read',
  slot_unavailable: 'A chosen time is not available',
}

/**
 * Makes the refusal if the server cannot carry out the decisions of the staff about an absence, for example because a
 * booking has changed. The refusal names the reasons and suggests new times. It contains no names of people, because
 * the server stores it for retries.
 */
export async function refuseWithSuggestions(
  { db, business, now }: ClearTimeContext,
  away: Absence,
  { code, changed }: { code: keyof typeof SENTENCES; changed: readonly Changed[] },
): Promise<BusinessRefusal> {
  const affected = await bookingsAffected(db, away, now)
  const times = await otherTimes(db, affected, { away, definition: await business.get(), now })
  const withSuggestions = changed.map((one) => {
    const row = 'booking_id' in one && affected.find(({ id }) => id === one.booking_id)
    const time = row && times.get(row.id)
    return { ...one, ...(row && time && { suggestion: toSuggestion(time, row.record.zone) }) }
  })
  const names = changed.map((one) => `${'booking_id' in one ? one.booking_id : one.session_id} (${one.why})`)
  const message = `Nothing was done. ${SENTENCES[code]}: ${names.join(', ')}. Request the list again, then decide.`
  return new BusinessRefusal(code, message, '$.bookings', { changed: withSuggestions })
}
