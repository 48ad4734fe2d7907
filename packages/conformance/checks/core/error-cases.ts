import type { Answer } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { dateIn } from '../../target/free-slots.ts'
import { callerNaming } from './named-platforms.ts'
import { sampleInputs } from './sample-inputs.ts'

export interface Case {
  name: string
  answer: Answer
}

/** Makes calls that the server cannot process. Each answer must be a protocol error. */
export async function protocolErrors(c: CheckContext): Promise<Case[]> {
  const { anonymous } = c
  const { caller } = c.sharedPlatform
  const [service] = c.services
  const cases: Case[] = [
    { name: 'an unknown service', answer: await anonymous.call('getService', sampleInputs.getService) },
    { name: 'a missing member', answer: await anonymous.call('lookupServices', {}) },
    { name: 'a wrong type', answer: await anonymous.call('lookupServices', { ids: 'a' }) },
    {
      name: 'an unknown cursor',
      answer: await anonymous.call('listServices', { pagination: { cursor: 'no-cursor' } }),
    },
    { name: 'a profile address that is not a URL', answer: await callerNaming(c, 'no url').call('listServices') },
  ]
  if (c.target.capability('services.availability') && service) {
    const range = { service_id: service.id, start_date: dateIn(2), end_date: dateIn(20_000) }
    const answer = await anonymous.call('queryAvailability', range)
    // A business may accept a range of any length. In this case, there is no error.
    if (answer.error) cases.push({ name: 'a query for fifty years', answer })
  }
  if (c.target.capability('services.bookings')) {
    cases.push({ name: 'an unknown booking', answer: await caller.call('getBooking', sampleInputs.getBooking) })
    cases.push({
      name: 'a call without authentication',
      answer: await anonymous.call('getBooking', sampleInputs.getBooking),
    })
  }
  return cases
}

/** Makes calls that a rule of the business forbids. Each answer must be a result with an error message. */
export async function refusals(c: CheckContext): Promise<Case[]> {
  const service = c.simpleService
  const { slot } = await c.hold(service)
  const other = c.newPlatform().caller
  const { booking } = await c.book(service)
  const onBooking = { booking_id: booking.id }
  ;(await c.caller.call('cancelBooking', onBooking)).success()
  return [
    { name: 'a held slot', answer: await other.call('hold', { service_id: service.id, slot_id: slot.id }) },
    { name: 'a booking of a held slot', answer: await other.call('book', c.bookingOf(slot)) },
    { name: 'a cancellation of a canceled booking', answer: await c.caller.call('cancelBooking', onBooking) },
  ]
}
