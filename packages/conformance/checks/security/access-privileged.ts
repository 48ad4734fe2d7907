import type { Answer, Members } from '../../caller/answer.ts'
import type { Caller } from '../../caller/caller.ts'
import { type OperationName, operations } from '../../caller/operations.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectTrue } from '../../run/expectations.ts'
import { type Check, check } from '../check.ts'
import { offeredOperations, sampleInputs } from '../core/sample-inputs.ts'
import { join } from '../transactions/waitlist-scene.ts'
import { expectRefused } from './probe.ts'
import { callsAboutBooking, callsAboutEntry } from './scoped-calls.ts'

const subscriptions = 'services.catalog.subscriptions'
const registry = 'discovery.registry'

/** The operations for which a platform must authenticate. */
const privileged: [rule: string, name: OperationName, needs: string][] = [
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

const ofSubscription = ['getSubscription', 'pauseSubscription', 'resumeSubscription', 'unsubscribe'] as const

export const privilegedAccessChecks: Check[] = [
  ...privileged.map(([rule, name, needs]) =>
    check(
      `${rule} AUT-043`,
      `${name} is refused for a caller without identity, or with an invalid one`,
      async (c) => {
        await expectClosed(c, name, sampleInputs[name])
      },
      { needs: [needs] },
    ),
  ),
  check(
    'AUT-011 AUT-012 AUT-013 AUT-014',
    'A feed subscription exists only for the platform that created it',
    async (c) => {
      const { hosted, caller } = c.platform
      const callback_url = `${hosted.address}/feed`
      const { subscription } = (await caller.call('subscribe', { callback_url })).success()
      const input = { subscription_id: expectMembers(subscription, 'subscription').id }
      c.afterwards(() => caller.call('unsubscribe', input))
      for (const name of ofSubscription) {
        await expectClosed(c, name, input)
        expectNotFound(await c.sharedPlatform.caller.call(name, input))
      }
      const { status } = expectMembers(
        (await caller.call('getSubscription', input)).success().subscription,
        'subscription',
      )
      expectEqual(status, 'active', 'the status of the subscription')
    },
    { needs: [subscriptions] },
  ),
  check(
    'AUT-015 AUT-016',
    'Refused callers hold and book nothing',
    async (c) => {
      const service = c.simpleService
      const slot = await c.slot(service)
      const input = { service_id: service.id, slot_id: slot.id }
      await expectClosed(c, 'hold', input)
      await expectClosed(c, 'book', { ...input, buyer: c.buyer() })
      const { booking } = (await c.caller.call('book', { ...input, buyer: c.buyer() })).success()
      c.cancelAfterwards(expectMembers(booking, 'booking'))
    },
    { needs: ['services.availability', 'services.bookings'] },
  ),
  check(
    'AUT-033',
    'A caller without identity gets the same answer for a booking that exists and one that does not',
    async (c) => {
      const { booking } = await c.book()
      for (const { name, input } of callsAboutBooking(booking.id))
        await expectSameAnswer(c.anonymous, name, input, { ...input, booking_id: 'bkg_conformance_unknown' })
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'AUT-033 AUT-058',
    'Another platform gets the same answer for a booking or entry that exists and one that does not',
    async (c) => {
      const other = c.sharedPlatform.caller
      const { booking } = await c.book()
      for (const { name, input } of callsAboutBooking(booking.id))
        await expectSameAnswer(other, name, input, { ...input, booking_id: 'bkg_conformance_unknown' })
      if (!c.target.capability('services.waitlist')) return
      const { entry } = await join(c)
      for (const { name, input } of callsAboutEntry(entry.id))
        await expectSameAnswer(other, name, input, { ...input, entry_id: 'entry_conformance_unknown' })
    },
    { needs: ['services.bookings'] },
  ),
  check('AUT-034', 'Authentication precedes the validation of the input', async ({ anonymous, target }) => {
    for (const name of offeredOperations(target).filter((one) => operations[one].access !== 'public')) {
      const [id = ''] = /\{(\w+)\}/.exec(operations[name].rest)?.slice(1) ?? []
      const input = id === '' ? {} : { [id]: 'id_of_nothing' }
      expectRefused(await anonymous.call(name, input), 'authentication_required')
    }
  }),
  check(
    'AUT-032',
    'The confirmation of a booking is refused for a caller without identity',
    async (c) => {
      expectRefused(await c.anonymous.call('confirmBooking', sampleInputs.confirmBooking), 'authentication_required')
      expectRefused(
        await c.sharedPlatform.caller.call('confirmBooking', sampleInputs.confirmBooking),
        'authentication_required',
      )
    },
    { needs: ['services.bookings'] },
  ),
]

/** Requires that callers without identity, and with invalid ones, are refused with the code of their mechanism. */
async function expectClosed(c: CheckContext, name: OperationName, input: Members): Promise<void> {
  const { caller } = c.sharedPlatform
  expectRefused(await c.anonymous.call(name, input), 'authentication_required')
  expectRefused(await caller.call(name, input, { authentication: 'none' }), 'authentication_required')
  if (c.target.mechanisms.includes('platform_key_pop'))
    expectRefused(await caller.call(name, input, { proof: { header: { alg: 'none' } } }), 'pop_proof_invalid')
  if (!c.target.mechanisms.includes('http_message_signature')) return
  const signature = { change: (bytes: Buffer) => bytes.fill(0) }
  expectRefused(await caller.call(name, input, { authentication: 'signature', signature }), 'signature_invalid')
}

function expectNotFound(answer: Answer): void {
  const { error } = answer
  const isNotFound = answer.binding === 'rest' ? answer.status === 404 : error?.number === -32602
  expectTrue(isNotFound, 'HTTP 404 or the JSON-RPC error -32602', error ? `${error.number} ${error.code}` : 'a result')
}

async function expectSameAnswer(caller: Caller, name: OperationName, existing: Members, unknown: Members) {
  const [first, second] = [await caller.call(name, existing), await caller.call(name, unknown)]
  expectTrue(first.error !== undefined, `a refusal of ${name}`, first.result)
  const comparable = ({ status, error }: Answer) => [status, error?.number, error?.code, error?.members.detail]
  expectEqual(comparable(second), comparable(first), `the answer to ${name} of an unknown id`)
}
