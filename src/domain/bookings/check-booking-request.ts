import { parseUrl } from '../../infra/net/parse-url.ts'
import { oneLine } from '../../infra/util/plain-text.ts'
import { BusinessRefusal, invalidInput } from '../../protocol/errors.ts'
import type { BookingBuyer, CreateBooking } from '../../protocol/types.generated.ts'
import { atMost } from '../availability/closure-and-party-notices.ts'
import { isAssigned } from '../availability/filter-times-by-resource.ts'
import type { Slot } from '../availability/find-slot.ts'
import { largestParty } from '../availability/party-size-capacity.ts'
import { checkServiceArea } from './check-service-area.ts'

type Request = Pick<
  CreateBooking['input'],
  'buyer' | 'recipient' | 'party_size' | 'delivery_address' | 'resource_id' | 'post_payment_return_request'
>

/**
 * Checks whether the service allows the booking request, for example its number of people. The server has already
 * checked the request against its JSON schema.
 */
export function checkRequest(request: Request, slot: Slot): void {
  checkDetails(request, slot)
  if (request.delivery_address) checkServiceArea(slot.plan.service, request.delivery_address)
  checkParty(request.party_size, slot)
}

export function checkDetails(request: Omit<Request, 'party_size'>, { plan, time }: Slot): void {
  const { delivery_address, resource_id, post_payment_return_request: back } = request
  const { channel } = plan.service
  if (channel.type === 'at_buyer_location' && !delivery_address)
    throw invalidInput("This service takes place at the buyer's address: send delivery_address.", '$.delivery_address')
  if (delivery_address && !/^[A-Z]{2}$/.test(delivery_address.country))
    throw invalidInput(
      'The country must be an ISO 3166-1 code of two letters, such as US.',
      '$.delivery_address.country',
    )
  checkPeople(request)
  checkLengths({
    buyer: request.buyer,
    recipient: request.recipient,
    delivery_address,
    post_payment_return_request: back,
  })
  if (resource_id !== undefined && !time.picks.includes(resource_id))
    throw invalidInput(
      isAssigned(plan, resource_id)
        ? 'The business assigns the person or thing: leave out resource_id.'
        : 'The slot does not include this resource. Choose a slot that does.',
      '$.resource_id',
    )
  if (back && !isReturnAddress(back.url))
    throw invalidInput(
      'The return address must be an https address without a user name.',
      '$.post_payment_return_request.url',
    )
}

/**
 * Tells whether the server can safely send the buyer to this URL after the payment. A URL with a user name or password
 * is not safe, because people can mistake the user name for the name of the website.
 */
function isReturnAddress(url: string): boolean {
  const read = parseUrl(url)
  return read?.protocol === 'https:' && read.username === '' && read.password === ''
}

export function checkParty(party_size = 1, { plan }: Slot): void {
  const { capacity } = plan.service
  if (capacity?.min !== undefined && party_size < capacity.min)
    throw invalidInput(`It requires at least ${capacity.min} people.`, '$.party_size')
  const most = largestParty(plan)
  if (party_size > most) throw new BusinessRefusal('capacity_exceeded', atMost(most), '$.party_size')
}

type Person = Pick<BookingBuyer, 'first_name' | 'last_name' | 'phone_number'>

export function checkPeople({ buyer, recipient }: Partial<Record<'buyer' | 'recipient', Person | undefined>>): void {
  for (const [role, person] of Object.entries({ buyer, recipient })) {
    if (person) checkNames(role, person)
    if (person?.phone_number !== undefined && !isPhone(person.phone_number))
      throw invalidInput(
        'The phone number must be digits with the country code, such as +12125551234.',
        `$.${role}.phone_number`,
      )
  }
}

/** Refuses names without a visible character. The last name may be empty, because some people have only one name. */
function checkNames(role: string, { first_name, last_name }: Person): void {
  const refused = (name: keyof Person) => invalidInput('The name has no visible character.', `$.${role}.${name}`)
  if (oneLine(first_name) === '') throw refused('first_name')
  if (last_name !== '' && oneLine(last_name) === '') throw refused('last_name')
}

/**
 * The maximum number of characters of one part of a booking, such as the buyer, written as JSON. Without this limit, an
 * answer with many bookings could become too large.
 */
const MAX_JSON_LENGTH = 4_000

export function checkLengths(parts: Record<string, object | undefined>, longest = MAX_JSON_LENGTH): void {
  for (const [name, part] of Object.entries(parts))
    if (part !== undefined && JSON.stringify(part).length > longest)
      throw invalidInput(`The member ${name} may have at most ${longest} characters in all.`, `$.${name}`)
}

const isPhone = (text: string): boolean => /^\+?[\d\s().-]+$/.test(text) && /^\d{5,15}$/.test(text.replace(/\D/g, ''))
