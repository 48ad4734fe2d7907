import { expectEqual, expectList, expectMembers, expectTrue } from '../../run/expectations.ts'
import { isConfirmedAtOnce, isShared, maxReschedules, policiesOf } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { askToMove, readBooking } from '../transactions/slots-and-bookings.ts'

const needs = ['services.bookings', 'services.availability']

export const outcomeChecks = [
  check(
    'ERR-019 ERR-011',
    'The refusal of a booking of a held slot is recoverable, and creates nothing',
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
    'The refusal of a booking with a released hold is recoverable',
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
    'The refusal of a booking for more people than its hold has spots is recoverable',
    async (c) => {
      const service = c.service(
        'group or reservation in auto mode',
        (one) => isShared(one) && policiesOf(one).confirmation_mode === 'auto',
      )
      const { slot, hold } = await c.hold(service)
      const answer = await c.caller.call('book', c.bookingOf(slot, { hold_id: hold.id, party_size: 2 }))
      expectEqual(answer.refusedWith('capacity_exceeded').severity, 'recoverable', 'severity')
    },
    { needs },
  ),
  check(
    'ERR-025',
    'The refusal of a reschedule above the limit asks for a review by the buyer',
    async (c) => {
      const service = c.service(
        'service that is confirmed at once and allows at most three reschedules',
        (one) => isConfirmedAtOnce(one) && maxReschedules(one) <= 3,
      )
      const { booking } = await c.book(service)
      const move = async () => askToMove(c, booking, await c.slot(service))
      for (let moves = 0; moves < maxReschedules(service); moves++) (await move()).success()
      const answer = await move()
      expectEqual(answer.refusedWith('reschedule_limit_reached').severity, 'requires_buyer_review', 'severity')
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'LIV-016',
    'The refusal of a change that the status forbids is unrecoverable, and changes nothing',
    async (c) => {
      const { booking } = await c.book()
      const on = { booking_id: booking.id }
      ;(await c.caller.call('cancelBooking', on)).success()
      const canceled = await readBooking(c, booking)
      const slot = await c.slot(c.simpleService)
      for (const answer of [
        await c.caller.call('cancelBooking', on),
        await c.caller.call('updateBooking', { ...on, notes: 'Conformance' }),
        await askToMove(c, booking, slot),
      ])
        expectEqual(answer.refusedWith('invalid_transition').severity, 'unrecoverable', 'severity')
      expectEqual(await readBooking(c, booking), canceled, 'the booking after the refusals')
    },
    { needs: ['services.bookings'] },
  ),
  check('ERR-009', 'An answer with a warning still contains the result', async (c) => {
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
    'An unknown service in a request body is an invalid input, not a business refusal',
    async (c) => {
      // Another check tests the messages of a lookup.
      const { caller } = c.sharedPlatform
      const unknown = { service_id: 'service_of_nobody', slot_id: 'slot_of_nobody' }
      const answers = [
        await caller.call('hold', unknown),
        await caller.call('book', { ...unknown, buyer: c.buyer() }),
        await caller.call('queryAvailability', { ...unknown, start_date: '2030-01-07', end_date: '2030-01-08' }),
      ]
      if (c.target.capability('services.waitlist'))
        answers.push(await caller.call('joinWaitlist', { service_id: unknown.service_id, buyer: c.buyer() }))
      for (const answer of answers) answer.failsWith('validation_error')
    },
    { needs },
  ),
]
