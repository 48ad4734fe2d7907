import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { BusinessDefinition, DeliveryAddress, ServiceDefinition } from '../../protocol/types.generated.ts'
import type { BookingRow } from './booking-row.ts'

type Channel = Pick<ServiceDefinition['channel'], 'type' | 'virtual_provider'>

interface Where {
  channel: Channel
  location?: { id: string; name: string } | undefined
  address?: DeliveryAddress | undefined
}

/**
 * Returns the place of a booking as text. The text contains the full street address, so show it only to people who may
 * know the address. If the service takes place at the buyer's address and the server has erased this address, the
 * result is undefined.
 */
export const placeOfBooking = (
  { record, people }: Pick<BookingRow, 'record' | 'people'>,
  definition: BusinessDefinition | undefined,
  localizer: Localizer,
): string | undefined =>
  placeText(
    { channel: record.service.channel, location: record.location, address: people.delivery_address },
    definition,
    localizer,
  )

export function placeText(
  { channel, location, address }: Where,
  definition: BusinessDefinition | undefined,
  { say }: Pick<Localizer, 'say'>,
): string | undefined {
  switch (channel.type) {
    case 'at_buyer_location':
      return address && addressLine(address)
    case 'virtual':
      return channel.virtual_provider ?? say('place.online')
    case 'phone':
      return say('place.by_phone')
    default:
      return location ? namedPlace(location, definition) : definition?.business.name
  }
}

export function namedPlace({ id, name }: { id: string; name: string }, definition: BusinessDefinition | undefined) {
  const address = definition?.locations?.find((one) => one.id === id)?.address
  return address === undefined ? name : `${name}, ${address}`
}

const addressLine = ({ line1, line2, city, region, postal_code, country }: DeliveryAddress): string =>
  [line1, line2, city, [region, postal_code].filter(Boolean).join(' '), country].filter(Boolean).join(', ')
