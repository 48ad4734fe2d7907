import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { pickText } from '../catalog/localized-texts.ts'
import { depositLabel, MOVING_FEE, PRICE_DIFFERENCE } from '../pricing/booking-price.ts'
import type { BookingRow } from './booking-row.ts'

type Booked = Pick<BookingRow, 'service_id' | 'record'>
type Reader = Pick<Localizer, 'locale'>

/**
 * Returns the name of the booked service in the reader's language. If the service has no translation, the result is the
 * name that the service had at the time of the booking.
 */
export const serviceName = (booking: Booked, definition: BusinessDefinition | undefined, reader: Reader): string =>
  localText(localizedOf(booking, definition)?.name, reader) ?? booking.record.service.name

export const resourceNames = ({ record }: Booked, definition: BusinessDefinition | undefined, reader: Reader) =>
  record.resources.map(({ id, name }) => {
    const known = definition?.resources?.find((one) => one.id === id)
    return localText(known?.localized?.name, reader) ?? name
  })

export const channelInstructions = (booking: Booked, definition: BusinessDefinition | undefined, reader: Reader) =>
  localText(localizedOf(booking, definition)?.channel_instructions, reader) ??
  booking.record.service.channel.instructions

const localizedOf = ({ service_id }: Booked, definition: BusinessDefinition | undefined) =>
  definition?.services.find(({ id }) => id === service_id)?.localized

const localText = (texts: Record<string, string> | undefined, { locale }: Reader) => texts && pickText(texts, locale)

/**
 * Translates the label of one item of a price. If this server wrote the label, such as the label of a deposit, the
 * function translates all of it. In other labels, it translates only the service name at the beginning.
 */
export function itemText(
  booking: Pick<BookingRow, 'service_id' | 'record'>,
  definition: BusinessDefinition | undefined,
  localizer: Localizer,
  label: string,
): string {
  const { say } = localizer
  const { name } = booking.record.service
  const service = serviceName(booking, definition, localizer)
  if (label === depositLabel(name)) return say('booking.payment.deposit', { service })
  if (label === PRICE_DIFFERENCE) return say('booking.payment.difference')
  if (label === MOVING_FEE) return say('booking.payment.fee')
  return label.startsWith(name) ? service + label.slice(name.length) : label
}
