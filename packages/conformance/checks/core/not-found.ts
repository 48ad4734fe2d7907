import type { Answer } from '../../caller/answer.ts'
import type { OperationName } from '../../caller/operations.ts'
import { expectEqual, expectTrue, inCase } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { problemTypeOf } from './problems.ts'
import { offeredOperations, sampleInputs } from './sample-inputs.ts'

const ON_BOOKINGS: OperationName[] = ['getBooking', 'updateBooking', 'cancelBooking', 'reschedule', 'confirmPayment']
const ON_ENTRIES: OperationName[] = ['getEntry', 'leaveWaitlist', 'acceptOffer', 'declineOffer']
const ON_OTHERS: OperationName[] = [
  'getService',
  'release',
  'getSubscription',
  'pauseSubscription',
  'resumeSubscription',
  'unsubscribe',
  'getRegistration',
  'deleteRegistration',
]

export const notFoundChecks = [
  check('LIV-002', 'An unknown id in the path gets a protocol error', async (c) => {
    const offered = offeredOperations(c.target)
    for (const name of [...ON_BOOKINGS, ...ON_ENTRIES, ...ON_OTHERS].filter((name) => offered.includes(name))) {
      const answer = await c.sharedPlatform.caller.call(name, sampleInputs[name])
      inCase(name, () => {
        expectEqual(answer.result, undefined, 'the result')
        expectTrue(answer.error !== undefined, 'a protocol error', answer.text)
        if (c.binding === 'rest') expectEqual(answer.status, 404, 'the HTTP status')
      })
    }
  }),
  check(
    'LIV-003 LIV-004 LIV-015',
    'A booking that does not exist or belongs to another platform gets booking_not_found',
    async (c) => {
      const { booking } = await c.book()
      const other = c.newPlatform().caller
      for (const name of ON_BOOKINGS)
        for (const [caller, id] of [
          [c.caller, 'booking_of_nobody'],
          [other, booking.id],
        ] as const) {
          const answer = await caller.call(name, { ...sampleInputs[name], booking_id: id })
          inCase(`${name} of ${id}`, () => expectTyped(answer, 'booking_not_found'))
        }
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'LIV-005 LIV-015',
    'An unknown waitlist entry gets entry_not_found',
    async (c) => {
      for (const name of ON_ENTRIES) {
        const answer = await c.sharedPlatform.caller.call(name, sampleInputs[name])
        inCase(name, () => expectTyped(answer, 'entry_not_found'))
      }
    },
    { needs: ['services.waitlist'] },
  ),
  check('LIV-006', 'The release of an unknown hold gets a protocol error', async (c) => {
    c.needsHolds()
    const answer = await c.sharedPlatform.caller.call('release', sampleInputs.release)
    expectTrue(answer.error !== undefined, 'a protocol error', answer.text)
    if (c.binding === 'mcp') return
    expectEqual(answer.status, 404, 'the HTTP status')
    expectEqual(answer.error.members.type, 'about:blank', 'type')
  }),
]

function expectTyped(answer: Answer, code: 'booking_not_found' | 'entry_not_found'): void {
  const { members } = answer.failsWith(code)
  if (answer.binding === 'rest') expectEqual(members.type, problemTypeOf(code), 'type')
}
