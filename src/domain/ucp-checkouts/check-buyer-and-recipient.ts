import { isAboutInput, pathOf } from '../../protocol/errors.ts'
import { shape } from '../../protocol/json-schemas.ts'
import { compile, findingsOf } from '../../protocol/schema-validator.ts'
import type { BookingBuyer, Message, UcpBuyer } from '../../protocol/types.generated.ts'
import type { Slot } from '../availability/find-slot.ts'
import { checkDetails } from '../bookings/check-booking-request.ts'
import { checkServiceArea } from '../bookings/check-service-area.ts'
import type { CheckoutPeople } from './checkout-row.ts'
import { errorMessage } from './error-messages.ts'

const validate = compile(shape('BookingBuyer'))

/** Returns an error message for each personal detail of a UCP checkout that is missing or wrong for this slot. */
export function faultsOfPeople(people: CheckoutPeople, slot: Slot): Message[] {
  const { buyer, recipient, delivery_address } = people
  const faults = [
    ...faultsOfPerson(buyer, '$.buyer'),
    ...(recipient ? faultsOfPerson(recipient, '$.booking.recipient') : []),
  ]
  if (faults.length > 0) return faults
  return faultIn(() => {
    checkDetails({ ...completePeople(people) }, slot)
    if (delivery_address) checkServiceArea(slot.plan.service, delivery_address)
  })
}

/**
 * Converts the personal data of a UCP checkout to the form of a booking. Call this function only after `faultsOfPeople`
 * has found no faults. A missing last name becomes empty.
 */
export const completePeople = ({ buyer, recipient, ...more }: CheckoutPeople) => ({
  ...more,
  buyer: personOf(buyer),
  ...(recipient && { recipient: personOf(recipient) }),
})

const personOf = ({ first_name = '', last_name = '', email = '', phone_number }: UcpBuyer): BookingBuyer => ({
  first_name,
  last_name,
  email,
  ...(phone_number !== undefined && { phone_number }),
})

function faultsOfPerson({ last_name = '', ...person }: UcpBuyer, path: string): Message[] {
  const whole = { last_name, ...person }
  if (validate(whole)) return []
  return findingsOf(validate, whole).faults.map(({ field, message }) => {
    const code = message === 'is missing' ? 'missing' : 'invalid'
    return errorMessage(code, `${field} ${message}.`, `${path}.${field}`)
  })
}

/** Converts the JSON path of a property in a booking request to its path in a UCP checkout. */
const inBooking = (path: string): string => (path.startsWith('$.buyer') ? path : path.replace('$.', '$.booking.'))

function faultIn(check: () => void): Message[] {
  try {
    check()
    return []
  } catch (error) {
    if (!isAboutInput(error)) throw error
    const path = pathOf(error)
    return [errorMessage('invalid', error.message, path && inBooking(path))]
  }
}
