import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { BookingRow } from './booking-row.ts'
import { serviceName } from './names.ts'
import { depositLabel, MOVING_FEE, PRICE_DIFFERENCE } from './price.ts'

/** Translates the labels that this server gave to the items of a price. Other labels begin with the name of the service. */
export function itemText(
  booking: Pick<BookingRow, 'service_id' | 'record'>,
  definition: BusinessDefinition | undefined,
  speech: Localizer,
  label: string,
): string {
  const { say } = speech
  const { name } = booking.record.service
  const service = serviceName(booking, definition, speech)
  if (label === depositLabel(name)) return say('booking.payment.deposit', { service })
  if (label === PRICE_DIFFERENCE) return say('booking.payment.difference')
  if (label === MOVING_FEE) return say('booking.payment.fee')
  return label.startsWith(name) ? service + label.slice(name.length) : label
}
