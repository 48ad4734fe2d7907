import { oneLine, plainText } from '../../infra/util/plain-text.ts'
import { omitUndefined } from '../../infra/util/records.ts'
import type {
  BookingBuyer,
  CreateBooking,
  DeliveryAddress,
  PostPaymentReturnRequest,
} from '../../protocol/types.generated.ts'
import type { People } from './booking-row.ts'

/** The stored data of people: only members that the protocol defines, as plain text. All data of people enters here. */
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
    notes: notes === undefined ? undefined : plainText(notes),
  }),
})

export const personOf = ({ first_name, last_name, email, phone_number, consent }: BookingBuyer): BookingBuyer => ({
  first_name: oneLine(first_name),
  last_name: oneLine(last_name),
  email,
  ...omitUndefined({ phone_number: line(phone_number), consent }),
})

export const fullName = ({ first_name, last_name }: Pick<BookingBuyer, 'first_name' | 'last_name'>): string =>
  `${first_name} ${last_name}`.trim()

/** The guest: the recipient if there is one, else the buyer. */
export const guestOf = <T>({ buyer, recipient = buyer }: { buyer: T; recipient?: T }): T => recipient

const addressOf = ({
  line1,
  line2,
  city,
  region,
  postal_code,
  country,
  coordinates,
}: DeliveryAddress): DeliveryAddress => ({
  line1: oneLine(line1),
  city: oneLine(city),
  country,
  ...omitUndefined({
    line2: line(line2),
    region: line(region),
    postal_code: line(postal_code),
    coordinates: coordinates && omitUndefined({ lat: coordinates.lat, lng: coordinates.lng }),
  }),
})

const line = (text: string | undefined) => (text === undefined ? undefined : oneLine(text))

export const returnOf = ({ url, params }: PostPaymentReturnRequest): PostPaymentReturnRequest => ({
  url,
  ...omitUndefined({ params }),
})
