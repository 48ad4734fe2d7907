import type { Answer, Members } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import { type OperationName, operations } from '../../caller/operations.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { type Check, check } from '../check.ts'
import { offeredOperations, sampleInputs } from '../core/sample-inputs.ts'
import { onSubscription, statusAfter, subscribe } from '../events/subscription-steps.ts'
import { askToBook, bookingOf } from '../transactions/slots-and-bookings.ts'
import { join } from '../transactions/waitlist-steps.ts'
import { expectRefused, signed, UNKNOWN_BOOKING } from './probe.ts'
import { callsAboutBooking, callsAboutEntry } from './scoped-calls.ts'

const subscriptions = 'services.catalog.subscriptions'
const registry = 'discovery.registry'
const NOT_FOUND = { rest: 404, mcp: -32602 }

/** The operations that only an authenticated platform may call. */
export const privileged: [rule: string, name: OperationName, needs: string][] = [
  ['AUT-010', 'subscribe', subscriptions],
  ['AUT-011', 'getSubscription', subscriptions],
  ['AUT-012', 'unsubscribe', subscriptions],
  ['AUT-013', 'pauseSubscription', subscriptions],
  ['AUT-014', 'resumeSubscription', subscriptions],
  ['AUT-015', 'hold', 'services.availability'],
  ['AUT-016', 'book', 'services.bookings'],
  ['AUT-017', 'joinWaitlist', 'services.waitlist'],
  ['AUT-018', 'listWaitlist', 'services.waitlist'],
  ['AUT-019', 'register', registry],
  ['AUT-020', 'updateRegistration', registry],
  ['AUT-021', 'deleteRegistration', registry],
]

export const privilegedAccessChecks: Check[] = [
  ...privileged.map(([rule, name, needs]) =>
    check(
      `${rule} AUT-043`,
      `The server refuses ${name} for a caller without an identity, or with an invalid one`,
      async (c) => {
        await expectClosed(c, name, sampleInputs[name])
      },
      { needs: [needs] },
    ),
  ),
  check(
    'AUT-011 AUT-012 AUT-013 AUT-014',
    'Only the platform that created a feed subscription can access it',
    async (c) => {
      const subscription = await subscribe(c)
      const input = { subscription_id: subscription.id }
      for (const name of onSubscription) {
        await expectClosed(c, name, input)
        const { binding, error } = await c.sharedPlatform.caller.call(name, input)
        expectEqual(error?.number, NOT_FOUND[binding], `the error number of ${name} for another platform`)
      }
      expectEqual(await statusAfter(c, 'getSubscription', subscription), 'active', 'the status of the subscription')
    },
    { needs: [subscriptions] },
  ),
  check(
    'AUT-015 AUT-016',
    'A refused call holds and books nothing',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      await expectClosed(c, 'hold', { service_id: slot.service_id, slot_id: slot.id })
      await expectClosed(c, 'book', c.bookingOf(slot))
      bookingOf(await askToBook(c, slot))
    },
    { needs: ['services.availability', 'services.bookings'] },
  ),
  check(
    'AUT-033',
    'A caller without an identity gets the same answer for existing and unknown bookings',
    async (c) => {
      const { booking } = await c.book()
      for (const { name, input } of callsAboutBooking(booking.id))
        await expectSameAnswer(c.anonymous, name, input, { ...input, booking_id: UNKNOWN_BOOKING })
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'AUT-033 AUT-058',
    'Another platform gets the same answer for existing and unknown bookings and entries',
    async (c) => {
      const other = c.sharedPlatform.caller
      const { booking } = await c.book()
      for (const { name, input } of callsAboutBooking(booking.id))
        await expectSameAnswer(other, name, input, { ...input, booking_id: UNKNOWN_BOOKING })
      if (!c.target.capability('services.waitlist')) return
      const { entry } = await join(c)
      for (const { name, input } of callsAboutEntry(entry.id))
        await expectSameAnswer(other, name, input, { ...input, entry_id: 'entry_conformance_unknown' })
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'AUT-034',
    'The server authenticates the caller before it validates the input',
    async ({ anonymous, target }) => {
      for (const name of offeredOperations(target).filter((one) => operations[one].access !== 'public')) {
        const [, id] = /\{(\w+)\}/.exec(operations[name].rest) ?? []
        const input = id === undefined ? {} : { [id]: 'id_of_nothing' }
        expectRefused(await anonymous.call(name, input), 'authentication_required')
      }
    },
  ),
  check(
    'AUT-032',
    'The server refuses the confirmation of a booking by a platform, or by a caller without an identity',
    async (c) => {
      for (const caller of [c.anonymous, c.sharedPlatform.caller])
        expectRefused(await caller.call('confirmBooking', sampleInputs.confirmBooking), 'authentication_required')
    },
    { needs: ['services.bookings'] },
  ),
]

/** Requires that the server refuses callers without an identity, and callers with an invalid proof or signature. */
async function expectClosed(c: CheckContext, name: OperationName, input: Members): Promise<void> {
  const { caller } = c.sharedPlatform
  expectRefused(await c.anonymous.call(name, input), 'authentication_required')
  expectRefused(await caller.call(name, input, { authentication: 'none' }), 'authentication_required')
  if (c.target.mechanisms.includes('platform_key_pop'))
    expectRefused(await caller.call(name, input, { proof: { header: { alg: 'none' } } }), 'pop_proof_invalid')
  if (!c.target.mechanisms.includes('http_message_signature')) return
  const options = signed({ change: (bytes) => bytes.fill(0) })
  expectRefused(await caller.call(name, input, options), 'signature_invalid')
}

async function expectSameAnswer(caller: Caller, name: OperationName, existing: Members, unknown: Members) {
  const [first, second] = [await caller.call(name, existing), await caller.call(name, unknown)]
  expectTrue(first.error !== undefined, `a refusal of ${name}`, first.result)
  const comparable = ({ status, error }: Answer) => [status, error?.number, error?.code, error?.members.detail]
  expectEqual(comparable(second), comparable(first), `the answer to ${name} for an unknown id`)
}
