import { isUndeliverable } from '../../../infra/util/email-address.ts'
import type { Context, ObjectSchema } from '../../../protocol/define-operation.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import { peopleOfCustomer } from '../../../protocol/list-records-about-people.ts'
import { toBooking } from '../../bookings/booking-response.ts'
import { type BookingRow, bookingAsOf } from '../../bookings/booking-row.ts'
import { isOver } from '../../bookings/lifecycle.ts'
import { fullName } from '../../bookings/people-of-booking.ts'
import { keptAmountOf } from '../../pricing/payment-amounts.ts'
import { atDesk } from '../shared/operation-defaults.ts'
import type { Person } from './find-customer-record.ts'

export const customerId = {
  type: 'string',
  minLength: 1,
  description: 'Id of the customer, or of any booking of theirs.',
}

export const tags = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 40 },
  maxItems: 20,
  uniqueItems: true,
  description: 'Tags that the staff see at once, such as an allergy.',
}

export const summaryProperties = {
  id: customerId,
  name: { type: 'string', description: 'The name in the latest booking.' },
  emails: { type: 'array', items: { type: 'string' }, description: 'Email addresses, the latest first.' },
  phone_numbers: { type: 'array', items: { type: 'string' }, description: 'Phone numbers, the latest first.' },
  tags,
}
export const summaryRequired = ['id', 'name', 'emails', 'phone_numbers', 'tags'] as const

export const customerOutput: ObjectSchema = {
  type: 'object',
  required: ['customer', 'bookings'],
  properties: {
    customer: {
      type: 'object',
      required: [...summaryRequired, 'note', 'visits', 'no_shows', 'upcoming', 'spent', 'contacts'],
      properties: {
        ...summaryProperties,
        note: { type: 'string', description: 'Note of the staff.' },
        contacts: {
          type: 'array',
          items: { type: 'string' },
          description:
            'The keys that find their bookings: email addresses, the last nine digits of phone numbers, ids of ' +
            'bookings.',
        },
        visits: { type: 'integer', description: 'Number of visits.' },
        no_shows: { type: 'integer', description: 'Number of no-shows.' },
        upcoming: { type: 'integer', description: 'Number of future visits.' },
        spent: {
          type: 'array',
          description: 'Payments less refunds.',
          items: {
            type: 'object',
            required: ['amount', 'currency'],
            properties: {
              amount: { type: 'integer', description: 'In minor units.' },
              currency: { type: 'string', description: 'ISO 4217 code.' },
            },
          },
        },
      },
    },
    bookings: {
      type: 'array',
      items: shape('Booking'),
      description: 'The latest of their bookings; the counts include all bookings.',
    },
  },
}

export const onCustomer = {
  ...atDesk,
  output: customerOutput,
  people: peopleOfCustomer,
  summary: ({ customer: { name, visits } }: { customer: { name: string; visits: number } }) =>
    `${name}, ${visits} ${visits === 1 ? 'visit' : 'visits'}.`,
} as const

const SHOWN_BOOKINGS = 50

const distinct = (all: readonly (string | undefined)[]) => [...new Set(all.filter((one) => one !== undefined))]

export function nameAndContacts(bookings: readonly BookingRow[]) {
  const buyers = bookings.map(({ people: { buyer } }) => buyer)
  const [latest] = buyers
  return {
    name: latest ? fullName(latest) : '',
    emails: distinct(buyers.map(({ email }) => (isUndeliverable(email) ? undefined : email.toLowerCase()))),
    phone_numbers: distinct(buyers.map(({ phone_number }) => phone_number)),
  }
}

export function toCustomer({ record, contacts, bookings }: Person, id: string, context: Context) {
  const { now } = context
  const all = bookings.map((booking) => bookingAsOf(booking, now))
  const times = (...statuses: BookingRow['status'][]) => all.filter(({ status }) => statuses.includes(status)).length
  return {
    customer: {
      id: record?.id ?? id,
      ...nameAndContacts(bookings),
      contacts,
      note: record?.note ?? '',
      tags: record?.tags ?? [],
      visits: times('completed', 'in_progress'),
      no_shows: times('no_show'),
      upcoming: all.filter(({ status, starts_at }) => !isOver(status) && starts_at > now).length,
      spent: spentIn(all),
    },
    bookings: all.slice(0, SHOWN_BOOKINGS).map((booking) => toBooking(booking, context)),
  }
}

function spentIn(bookings: readonly BookingRow[]) {
  const sums = new Map<string, number>()
  for (const {
    record: { payment },
  } of bookings)
    if (payment) sums.set(payment.currency, (sums.get(payment.currency) ?? 0) + keptAmountOf(payment))
  return [...sums].filter(([, amount]) => amount > 0).map(([currency, amount]) => ({ amount, currency }))
}
