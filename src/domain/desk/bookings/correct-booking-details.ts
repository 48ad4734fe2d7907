import { plainText } from '../../../infra/util/plain-text.ts'
import { defineOperation } from '../../../protocol/define-operation.ts'
import { BusinessRefusal, invalidInput } from '../../../protocol/errors.ts'
import { shape } from '../../../protocol/json-schemas.ts'
import { canonical } from '../../../protocol/parse-json-safely.ts'
import type { BookingBuyer, CorrectBusinessBooking } from '../../../protocol/types.generated.ts'
import { idOrReference, toBooking } from '../../bookings/booking-response.ts'
import type { BookingRow, People } from '../../bookings/booking-row.ts'
import { awaits } from '../../bookings/buyer-tasks.ts'
import { checkLengths, checkPeople } from '../../bookings/check-booking-request.ts'
import { completeTask } from '../../bookings/complete-buyer-task.ts'
import { isOver } from '../../bookings/lifecycle.ts'
import { lockBooking, saveBooking } from '../../bookings/lock-and-save-booking.ts'
import { personOf } from '../../bookings/people-of-booking.ts'
import { TEXT_CONSENT, withEarlierConsent } from '../../bookings/text-message-consent.ts'
import { numberOf } from '../customers/match-customers-by-contact.ts'
import { onBookingAtDesk } from '../shared/operation-defaults.ts'
import { partySizeChange } from './change-party-size.ts'
import { NO_ADDRESS } from './create-booking.ts'
import { slotRequestProperties } from './slot-request.ts'

type Input = CorrectBusinessBooking['input']

const corrections = {
  type: 'object',
  properties: {
    first_name: { type: 'string', minLength: 1, maxLength: 200, description: 'Given name, or the whole name.' },
    last_name: { type: 'string', maxLength: 200, description: 'Family name.' },
    email: {
      type: ['string', 'null'],
      format: 'email',
      maxLength: 254,
      description: 'Email address for notifications; null removes it.',
    },
    phone_number: {
      type: ['string', 'null'],
      description: 'With country code, such as +12125551234; null removes it.',
    },
  },
} as const

export const correct = defineOperation<CorrectBusinessBooking>({
  ...onBookingAtDesk,
  id: 'correctBusinessBooking',
  rest: 'POST /business/bookings/{booking_id}/correct',
  tool: 'usp_business_bookings_correct',
  title: 'Correct the people of a booking',
  description:
    'Corrects names, phone numbers, email addresses, notes and the number of people, for bookings from any ' +
    'source; members that are left out stay unchanged. A larger party needs enough places. The price follows if it ' +
    'depends on the number of people.',
  effect: 'update',
  input: {
    type: 'object',
    required: ['booking_id'],
    properties: {
      booking_id: idOrReference,
      buyer: {
        ...corrections,
        description: 'The members of the buyer to correct.',
        properties: {
          ...corrections.properties,
          consent: {
            ...shape('BuyerConsent'),
            description:
              `What the buyer agreed to, in place of what is stored. ${TEXT_CONSENT}: text messages at the phone ` +
              'number of the booking. A new number needs a new consent.',
          },
        },
      },
      recipient: { ...corrections, description: 'The members of the recipient to correct, if the booking has one.' },
      notes: { type: 'string', maxLength: 5000, description: 'Notes on the booking; an empty text removes them.' },
      renew_links: {
        type: 'boolean',
        description:
          'Creates new links to the pages of the buyer; earlier links no longer work. A new email address does ' +
          'the same.',
      },
      party_size: { type: 'integer', minimum: 1, maximum: 10_000, description: 'The number of people.' },
      override: slotRequestProperties.override,
    },
  },
  async handle(context) {
    const { input, db, caller, now } = context
    const booking = await lockBooking(context, input.booking_id)
    refuseUncorrectable(booking)
    const people = correctedPeople(booking, input)
    const members = (['buyer', 'recipient', 'notes'] as const).filter(
      (name) => canonical(people[name] ?? null) !== canonical(booking.people[name] ?? null),
    )
    const { party_size: party = booking.record.party_size, override = [] } = input
    const resized =
      party === booking.record.party_size ? undefined : await partySizeChange(context, booking, party, override)
    const isRenewed =
      input.renew_links === true || people.buyer.email.toLowerCase() !== booking.people.buyer.email.toLowerCase()
    if (members.length === 0 && !resized && !isRenewed) return { booking: toBooking(booking, context) }
    const actor = caller.principal
    // The audit log is permanent. Therefore its entry about a correction contains no names and no phone numbers.
    const detail = {
      ...(members.length > 0 && { members }),
      ...(resized && { party_size: { from: booking.record.party_size, to: party } }),
      ...(isRenewed && { links: 'renewed' }),
    }
    const { record = booking.record } = resized ?? {}
    const renewed = isRenewed && { record: { ...record, links_renewed: (record.links_renewed ?? 0) + 1 } }
    const saved = await saveBooking(
      db,
      booking,
      { change: { ...resized, ...renewed, people }, by: { actor, action: 'correct', detail } },
      now,
    )
    const isPaid = awaits(saved, 'payment') && saved.record.payment?.due === 0
    const after = isPaid ? await completeTask(db, saved, { task: 'payment', actor }, now) : saved
    return { booking: toBooking(after, context) }
  },
})

function refuseUncorrectable({ status, people }: BookingRow): void {
  if (isOver(status))
    throw new BusinessRefusal(
      'invalid_transition',
      `A booking that is ${status.replaceAll('_', ' ')} cannot be corrected.`,
    )
  if (people.erased)
    throw new BusinessRefusal('invalid_transition', 'The people of this booking were erased. It accepts no new ones.')
}

function correctedPeople({ people, principal }: BookingRow, { buyer, recipient, notes }: Input): People {
  if (recipient && !people.recipient)
    throw invalidInput('This booking has no separate recipient: correct the buyer.', '$.recipient')
  const corrected = {
    buyer: correctedBuyer(people.buyer, buyer),
    ...(people.recipient && { recipient: correctedPerson(people.recipient, recipient) }),
  }
  checkPeople(corrected)
  checkLengths(corrected)
  const { notes: before, ...rest } = people
  const note = notes === undefined ? before : plainText(notes)
  const isNewNumber = numberOf({ people: corrected }) !== numberOf({ people })
  // The phone number gets the mark `number_from: 'staff'` only if the email address also came from the staff.
  // Otherwise, the mark would not prove that number and address belong to the same person.
  const isAddressFromStaff = principal === '' || corrected.buyer.email !== people.buyer.email
  const entered = isNewNumber && isAddressFromStaff && { number_from: 'staff' as const }
  return { ...rest, ...corrected, ...(note && { notes: note }), ...entered }
}

/** Removes the consent to text messages if the staff change the phone number and do not note the consent again. */
function correctedBuyer(before: BookingBuyer, correction: Input['buyer'] = {}): BookingBuyer {
  const corrected = correctedPerson(before, correction)
  return correction.consent ? corrected : withEarlierConsent(corrected, before)
}

function correctedPerson(before: BookingBuyer, correction: Input['buyer'] = {}): BookingBuyer {
  const { email, phone_number, ...rest } = { ...before, ...correction }
  return personOf({ ...rest, email: email ?? NO_ADDRESS, ...(phone_number && { phone_number }) })
}
