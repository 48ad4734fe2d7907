import type { BookingBuyer } from '../../protocol/types.generated.ts'
import type { BookingRow } from './booking-row.ts'

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
