import type { NoShow } from '../../protocol/types.generated.ts'
import type { BookingRow } from './booking-row.ts'

export const owedFee = ({ record: { no_show } }: Pick<BookingRow, 'record'>): NoShow | undefined =>
  no_show && no_show.amount_due > 0 ? no_show : undefined
