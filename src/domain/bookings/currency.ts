import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { BookingRow } from './booking-row.ts'

export function currencyOf(
  { record, service_id }: Pick<BookingRow, 'record' | 'service_id'>,
  definition: BusinessDefinition | undefined,
): string {
  const service = definition?.services.find(({ id }) => id === service_id)
  return (
    record.no_show?.currency ??
    record.payment?.currency ??
    service?.pricing.currency ??
    definition?.business.currency ??
    ''
  )
}
