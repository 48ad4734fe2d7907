import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'

const needs = ['services.bookings', 'services.availability']

export const outcomeChecks = [
  check(
    'ERR-019 ERR-011',
    'A refused booking of a held slot is recoverable and leaves nothing behind',
    async (c) => {
      const { slot, hold } = await c.hold()
      const other = c.newPlatform().caller
      const answer = await other.call('book', c.bookingOf(slot))
      expectEqual(answer.refusedWith('slot_unavailable').severity, 'recoverable', 'severity')
      for (const member of ['booking', 'booking_scoped_credential'])
        expectEqual(answer.result?.[member], undefined, `the member ${member} of the refusal`)
      const { booking } = (await c.caller.call('book', c.bookingOf(slot, { hold_id: hold.id }))).success()
      c.cancelAfterwards(expectMembers(booking, 'booking'))
    },
    { needs },
  ),
  check(
    'ERR-020',
    'A booking with a released hold is refused as recoverable',
    async (c) => {
      const { slot, hold } = await c.hold()
      ;(await c.caller.call('release', { hold_id: hold.id })).success()
      const answer = await c.caller.call('book', c.bookingOf(slot, { hold_id: hold.id }))
      expectEqual(answer.refusedWith('hold_expired').severity, 'recoverable', 'severity')
      expectEqual(answer.result?.booking, undefined, 'the booking')
    },
    { needs },
  ),
  check(
    'ERR-024',
    'A booking for more people than its hold has spots is refused as recoverable',
    async (c) => {
      const service = c.service('service for several people', (service) => {
        const isForSeveral = service.type === 'group' || service.type === 'reservation'
        return isForSeveral && asMembers(service.policies)?.confirmation_mode === 'auto'
      })
      const { slot, hold } = await c.hold(service)
      const answer = await c.caller.call('book', c.bookingOf(slot, { hold_id: hold.id, party_size: 2 }))
      expectEqual(answer.refusedWith('capacity_exceeded').severity, 'recoverable', 'severity')
    },
    { needs },
  ),
  check(
    'ERR-025',
    'One more reschedule than allowed is refused for a review by the buyer',
    async (c) => {
      const service = c.service('simple service with at most three reschedules', isRescheduledSeldom)
      const { booking } = await c.book(service)
      const on = { booking_id: booking.id }
      for (let moves = 0; moves < mostReschedules(service); moves++) {
        const slot = await c.slot(service)
        ;(await c.caller.call('reschedule', { ...on, slot_id: slot.id })).success()
      }
      const slot = await c.slot(service)
      const answer = await c.caller.call('reschedule', { ...on, slot_id: slot.id })
      expectEqual(answer.refusedWith('reschedule_limit_reached').severity, 'requires_buyer_review', 'severity')
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'LIV-016',
    'A transition that the status does not allow is refused for good and changes nothing',
    async (c) => {
      const { booking } = await c.book()
      const on = { booking_id: booking.id }
      ;(await c.caller.call('cancelBooking', on)).success()
      const before = await bookingOf(c, on)
      const slot = await c.slot(c.simpleService)
      for (const answer of [
        await c.caller.call('cancelBooking', on),
        await c.caller.call('updateBooking', { ...on, notes: 'Conformance' }),
        await c.caller.call('reschedule', { ...on, slot_id: slot.id }),
      ])
        expectEqual(answer.refusedWith('invalid_transition').severity, 'unrecoverable', 'severity')
      expectEqual(await bookingOf(c, on), before, 'the booking after the refusals')
    },
    { needs: ['services.bookings'] },
  ),
  check('ERR-009', 'A warning accompanies a complete answer', async (c) => {
    const ids = [...c.services.slice(0, 1).map(({ id }) => id), 'service_of_nobody']
    const answer = await c.anonymous.call('lookupServices', { ids })
    const found = expectList(answer.success().services, 'services')
    expectEqual(found.length, ids.length - 1, 'the number of services')
    const warnings = answer.messages.filter(({ type }) => type === 'warning')
    expectTrue(warnings.length > 0, 'a message of the type warning', answer.messages)
    for (const warning of warnings) c.schemas.expectValid('booking#Message', warning, 'the warning')
  }),
  check(
    'LIV-010',
    'An unknown service in a body is an invalid input, not an outcome',
    async (c) => {
      // The messages of a lookup are the matter of another check.
      const { caller } = c.sharedPlatform
      const unknown = { service_id: 'service_of_nobody', slot_id: 'slot_of_nobody' }
      const answers = [
        await caller.call('hold', unknown),
        await caller.call('book', { ...unknown, buyer: c.buyer() }),
        await caller.call('queryAvailability', { ...unknown, start_date: '2030-01-07', end_date: '2030-01-08' }),
      ]
      if (c.target.capability('services.waitlist'))
        answers.push(await caller.call('joinWaitlist', { service_id: unknown.service_id, buyer: c.buyer() }))
      for (const answer of answers) answer.failsWith('validation_error', { rest: 422, mcp: -32602 })
    },
    { needs },
  ),
]

async function bookingOf(c: CheckContext, on: Members): Promise<unknown> {
  return (await c.caller.call('getBooking', on)).success().booking
}

const mostReschedules = (service: Members): number =>
  Number(asMembers(asMembers(service.policies)?.rescheduling)?.max_reschedules)

function isRescheduledSeldom(service: Members): boolean {
  const policies = asMembers(service.policies)
  const isFree = policies?.requires_payment === false || policies?.payment_timing === 'at_service'
  return isFree && policies?.confirmation_mode === 'auto' && mostReschedules(service) <= 3
}
