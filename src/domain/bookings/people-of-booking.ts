import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { omitUndefined } from '../../infra/util/object-members.ts'
import { oneLine, plainText } from '../../infra/util/plain-text.ts'
import { BusinessRefusal } from '../../protocol/errors.ts'
import type {
  BookingBuyer,
  CreateBooking,
  DeliveryAddress,
  PostPaymentReturnRequest,
} from '../../protocol/types.generated.ts'
import type { BookingRow, People } from './booking-row.ts'

/**
 * Selects the personal data that the server stores with a booking. The function keeps only properties that the protocol
 * defines, and converts their texts to plain text.
 */
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

/** The person who receives the service: the recipient if the booking has one, otherwise the buyer. */
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

/**
 * One booking stores at most this many replaced email addresses. Each read of the booking loads all of them, so their
 * number must stay limited.
 */
const MOST_PREVIOUS_CONTACTS = 100

/** Returns the digest (hash) of an email address. Upper and lower case give the same digest. */
export const addressDigest = (email: string): string => hash('sha256', email.toLowerCase(), 'base64url')

const addressesOf = ({ buyer, recipient }: People): string[] =>
  [buyer, recipient].flatMap((one) => (one ? [addressDigest(one.email)] : []))

/**
 * Returns the new personal data of a booking, and adds digests (hashes) of the email addresses that the booking no
 * longer uses. With the digests, the server can later find the booking when it erases a person's data.
 */
export function withPreviousContacts(before: People, now: People): People {
  if (now.erased) return now
  const [were, are] = [addressesOf(before), addressesOf(now)]
  const { earlier: known = [] } = before
  const earlier = [...new Set([...known, ...were.filter((one) => !are.includes(one))])]
  if (earlier.length > Math.max(MOST_PREVIOUS_CONTACTS, known.length))
    throw new BusinessRefusal(
      'invalid_transition',
      'The people of this booking were replaced too often. It accepts no further change of address.',
    )
  return earlier.length > 0 ? { ...now, earlier } : now
}

/**
 * Placeholder data that replace the data of an erased buyer. No mail can reach an email address that ends with
 * `.invalid` (RFC 2606).
 */
export const ERASED_BUYER: BookingBuyer = { first_name: 'Erased', last_name: '', email: 'erased@nobody.invalid' }

/**
 * Removes the personal data of a booking, and all texts that people wrote. The agreed terms and the payments stay
 * unchanged.
 */
export function anonymized({ record }: Pick<BookingRow, 'record'>): Pick<BookingRow, 'people' | 'record'> {
  const { return_request: _, messages = [], cancellation, ...rest } = record
  const { reason: __, ...ended } = cancellation ?? {}
  const remaining = messages.filter(({ code }) => code !== 'business_note')
  return {
    people: { buyer: ERASED_BUYER, erased: true },
    record: {
      ...rest,
      ...(remaining.length > 0 && { messages: remaining }),
      ...(cancellation && { cancellation: ended }),
    },
  }
}

/**
 * Tells whether the staff entered the buyer's phone number. A number that the buyer entered does not identify the
 * buyer, because it may belong to another person.
 */
const isNumberFromStaff = ({ principal, people }: Pick<BookingRow, 'principal' | 'people'>): boolean =>
  people.number_from === undefined ? principal === '' : people.number_from === 'staff'

/**
 * SQL that tells whether the staff entered the phone number of a booking `b`. The SQL expresses the same rule as the
 * function `isNumberFromStaff`.
 */
export const hasNumberFromStaff: RawBuilder<boolean> = sql<boolean>`
  coalesce(b.people ->> 'number_from', case when b.principal = '' then 'staff' else 'buyer' end) = 'staff'`

/**
 * Returns who entered the buyer's phone number. If a new booking copies the personal data of this booking, the new
 * booking also stores this information.
 */
export const numberFromOf = (booking: Pick<BookingRow, 'principal' | 'people'>): Pick<People, 'number_from'> => ({
  number_from: isNumberFromStaff(booking) ? 'staff' : 'buyer',
})
