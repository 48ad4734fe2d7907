import type { BookingBuyer } from '../../protocol/types.generated.ts'
import type { BookingRow } from './booking-row.ts'

/** Replaces an erased buyer. No mail can reach the domain `.invalid` (RFC 2606). */
export const ERASED_BUYER: BookingBuyer = { first_name: 'Erased', last_name: '', email: 'erased@nobody.invalid' }

/** Removes the people and their words from a booking. The agreed terms and the payments stay. */
export function anonymized({ record }: Pick<BookingRow, 'record'>): Pick<BookingRow, 'people' | 'record'> {
  const { return_request: _, messages = [], cancellation, ...rest } = record
  const { reason: __, ...ended } = cancellation ?? {}
  const standing = messages.filter(({ code }) => code !== 'business_note')
  return {
    people: { buyer: ERASED_BUYER, erased: true },
    record: {
      ...rest,
      ...(standing.length > 0 && { messages: standing }),
      ...(cancellation && { cancellation: ended }),
    },
  }
}
