import { moneyAsSent } from '../../../protocol/convert-money-strings.ts'
import { ProtocolError } from '../../../protocol/errors.ts'
import { peopleOfBooking } from '../../../protocol/list-records-about-people.ts'
import { bookingOutput, summary } from '../../bookings/booking-response.ts'

/** Settings that all operations for the staff share. Only staff members can see and call these operations. */
export const atDesk = {
  capability: 'dev.usp-protocol.services.bookings',
  access: 'business_only',
} as const

export const onWaitlistAtDesk = { ...atDesk, capability: 'dev.usp-protocol.services.waitlist' } as const

export const onBookingAtDesk = { ...atDesk, output: bookingOutput, people: peopleOfBooking, summary } as const

export const reason = {
  type: 'string',
  minLength: 1,
  maxLength: 2000,
  description: 'The reason, which the buyer can read.',
}

export const amount = (description: string) =>
  moneyAsSent(`${description} In minor units.`, { minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const day = (description: string) => ({ type: 'string', format: 'date', description })

export const moment = (description: string) => ({ type: 'string', format: 'date-time', description })

export const ids = (description: string) => ({ type: 'array', items: { type: 'string' }, description })

export const notFound = (kind: string, id: string) => new ProtocolError('not_found', `There is no ${kind} ${id}.`)
