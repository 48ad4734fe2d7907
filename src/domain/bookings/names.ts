import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { pickText } from '../catalog/pick-text.ts'
import type { BookingRow } from './booking-row.ts'

type Booked = Pick<BookingRow, 'service_id' | 'record'>
type Reader = Pick<Localizer, 'locale'>

/** The service's name in the reader's language if the business translated it, else the name at the time of booking. */
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
