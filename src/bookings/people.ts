import { omitUndefined } from '../basics/omit-undefined.ts'
import type {
  BookingBuyer,
  CreateBooking,
  DeliveryAddress,
  PostPaymentReturnRequest,
} from '../protocol/types.generated.ts'
import type { People } from './booking-row.ts'

/** What is kept of people: what the protocol has a place for. Whatever else was sent along is dropped. */
export const peopleOf = ({
  buyer,
  recipient,
  delivery_address,
  notes,
}: Pick<CreateBooking['input'], 'buyer' | 'recipient' | 'delivery_address' | 'notes'>): People => ({
  buyer: personOf(buyer),
  ...omitUndefined({
    recipient: recipient && personOf(recipient),
    delivery_address: delivery_address && addressOf(delivery_address),
    notes,
  }),
})

export const personOf = ({ first_name, last_name, email, phone_number, consent }: BookingBuyer): BookingBuyer => ({
  first_name,
  last_name,
  email,
  ...omitUndefined({ phone_number, consent }),
})

const addressOf = ({
  line1,
  line2,
  city,
  region,
  postal_code,
  country,
  coordinates,
}: DeliveryAddress): DeliveryAddress => ({
  line1,
  city,
  country,
  ...omitUndefined({
    line2,
    region,
    postal_code,
    coordinates: coordinates && omitUndefined({ lat: coordinates.lat, lng: coordinates.lng }),
  }),
})

export const returnOf = ({ url, params }: PostPaymentReturnRequest): PostPaymentReturnRequest => ({
  url,
  ...omitUndefined({ params }),
})
