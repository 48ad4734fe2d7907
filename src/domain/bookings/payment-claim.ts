import { type RawBuilder, sql } from 'kysely'
import type { BookingRow } from './booking-row.ts'

/**
 * Whether the buyer reported a payment that has not come in. A payment received after the report counts as the reported
 * one.
 */
export const isClaimed = ({ record: { payment_claimed_at, payment } }: Pick<BookingRow, 'record'>): boolean =>
  payment_claimed_at !== undefined && !payment?.received.some(({ received_at }) => received_at >= payment_claimed_at)

export const hasClaim: RawBuilder<boolean> = sql<boolean>`
  (record ->> 'payment_claimed_at' is not null and not exists (
    select from json_array_elements(record #> '{payment,received}') as one
    where one ->> 'received_at' >= record ->> 'payment_claimed_at'))`
