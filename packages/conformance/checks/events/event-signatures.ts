import { expectEqual, expectTrue, show } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { join, NEVER_OFFERED } from '../transactions/waitlist-scene.ts'
import { eventWith } from './received-events.ts'
import { expectDigestOfBody, publishedKeys, verifySignature } from './webhook-signature.ts'

const needs = ['services.availability', 'services.bookings']
/** Seconds. A receiver refuses a signature that is older. */
const SIGNATURE_WINDOW = 300

export const eventSignatureChecks = [
  check(
    'EVT-033 EVT-034 EVT-036',
    'An event has a signature of a published key over the request and its body',
    async (c) => {
      const { booking } = await c.book()
      ;(await c.caller.call('cancelBooking', { booking_id: booking.id })).success()
      const received = await eventWith(c.platform.hosted, { event: 'booking.canceled' })
      const { components, created } = verifySignature(received, publishedKeys(c))
      for (const name of ['@method', '@authority', '@path', 'content-digest', 'content-type'])
        expectTrue(components.includes(name), `the component ${name} in the signature`, components)
      const age = Math.floor(received.receivedAt / 1000) - (created ?? 0)
      expectTrue(Math.abs(age) < SIGNATURE_WINDOW, `created within ${SIGNATURE_WINDOW} s`, show(created))
      expectDigestOfBody(received)
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-028 EVT-033',
    'An event of the waitlist is signed like one of a booking',
    async (c) => {
      const { hosted } = c.platform
      const { entry: first } = await join(c, { preferred_slots: NEVER_OFFERED })
      const { entry: second } = await join(c, { preferred_slots: NEVER_OFFERED })
      ;(await c.caller.call('leaveWaitlist', { entry_id: first.id })).success()
      const received = await eventWith(hosted, { event: 'waitlist.position_changed', entry_id: second.id })
      const { components } = verifySignature(received, publishedKeys(c))
      expectEqual(components.includes('content-digest'), true, 'whether the signature covers the body')
      expectDigestOfBody(received)
    },
    { needs: ['services.waitlist'], newPlatform: true },
  ),
]
