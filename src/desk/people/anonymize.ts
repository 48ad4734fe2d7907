import { recordOf } from '../../basics/record-of.ts'
import type { BookingRow } from '../../bookings/booking-row.ts'
import type { BookingBuyer } from '../../protocol/types.generated.ts'

/** Stands where somebody was named. Nothing can ever be sent to it (RFC 2606). */
export const nobody: BookingBuyer = { first_name: 'Erased', last_name: '', email: 'erased@nobody.invalid' }

/** The booking without anybody in it: who came, and what was said in words. What was agreed and paid stays. */
export function anonymized({ record }: Pick<BookingRow, 'record'>): Pick<BookingRow, 'people' | 'record'> {
  const { return_request: _, messages = [], cancellation, ...rest } = record
  const { reason: __, ...ended } = cancellation ?? {}
  const standing = messages.filter(({ code }) => code !== 'business_note')
  return {
    people: { buyer: nobody, erased: true },
    record: {
      ...rest,
      ...(standing.length > 0 && { messages: standing }),
      ...(cancellation && { cancellation: ended }),
    },
  }
}

const PERSONAL_MEMBERS = ['recipient', 'delivery_address', 'notes', 'answers', 'return_request', 'search_text']

/** The same for stored copies of bookings and waitlist entries, as in events. */
export function withoutPeople(stored: unknown, within = ''): unknown {
  if (Array.isArray(stored)) return stored.map((one) => withoutPeople(one, within))
  if (typeof stored !== 'object' || stored === null) return stored
  const kept = Object.entries(stored).filter(
    ([name]) => !PERSONAL_MEMBERS.includes(name) && !(name === 'reason' && within === 'cancellation'),
  )
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (name === 'buyer') return [name, nobody]
      if (name === 'messages' && Array.isArray(value))
        return [name, value.filter((one) => recordOf(one).code !== 'business_note')]
      return [name, withoutPeople(value, name)]
    }),
  )
}
