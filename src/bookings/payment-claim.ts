import { type RawBuilder, sql } from 'kysely'
import type { BookingRow } from './booking-row.ts'

/** Whether the buyer says to have paid what is due now: what came in since then was it. */
export const isClaimed = ({ record: { payment_claimed_at, payment } }: Pick<BookingRow, 'record'>): boolean =>
  payment_claimed_at !== undefined && !payment?.received.some(({ received_at }) => received_at >= payment_claimed_at)

/** The same of what is stored. */
export const hasClaim: RawBuilder<boolean> = sql<boolean>`
  (record ->> 'payment_claimed_at' is not null and not exists (
    select from json_array_elements(record #> '{payment,received}') as one
    where one ->> 'received_at' >= record ->> 'payment_claimed_at'))`
