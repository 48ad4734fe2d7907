import { expectEqual, expectTrue, show } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { bookAndReceiveCancellation, receiveChangedPosition } from './event-causes.ts'
import { expectSigned } from './received-events.ts'

const needs = ['services.availability', 'services.bookings']
/** In seconds. A receiver of events refuses older signatures. */
const SIGNATURE_WINDOW = 300
/** The parts of a request that the signature of each webhook must cover. */
export const WEBHOOK_COMPONENTS = ['@method', '@authority', '@path', 'content-digest', 'content-type']

export const eventSignatureChecks = [
  check(
    'EVT-033 EVT-034 EVT-036',
    'Each event has a signature by a published key that covers the request and its body',
    async (c) => {
      const { received } = await bookAndReceiveCancellation(c)
      const { components, parameters } = expectSigned(c, received)
      for (const name of WEBHOOK_COMPONENTS)
        expectTrue(components.includes(name), `the component ${name} in the signature`, components)
      const { created } = parameters
      const age = Math.floor(received.receivedAt / 1000) - (typeof created === 'number' ? created : 0)
      expectTrue(Math.abs(age) < SIGNATURE_WINDOW, `created within ${SIGNATURE_WINDOW} s`, show(created))
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-028 EVT-033',
    'The business signs waitlist events like booking events',
    async (c) => {
      const { received } = await receiveChangedPosition(c)
      const { components } = expectSigned(c, received)
      expectEqual(components.includes('content-digest'), true, 'the coverage of the body by the signature')
    },
    { needs: ['services.waitlist'], newPlatform: true },
  ),
]
