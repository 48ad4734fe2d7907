import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { asMembers } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { askToBook } from '../transactions/slots-and-bookings.ts'
import { bookAndCancel, bookAndReceiveCancellation } from './event-causes.ts'
import { deliveries, eventWith, namesOfEvents, SETTLE_MS } from './received-events.ts'

const needs = ['services.availability', 'services.bookings']
/** HTTP statuses with which a receiver refuses an event. The business must then send the event again. */
const FAILURES = [302, 404, 503]

export const eventDeliveryChecks = [
  check(
    'EVT-002',
    'A platform without a webhook address can book, but gets no events',
    async (c) => {
      const quiet = c.newPlatform()
      delete quiet.hosted.document.webhook_url
      await bookAndCancel(c, quiet)
      await bookAndReceiveCancellation(c)
      await sleep(SETTLE_MS)
      expectEqual(quiet.hosted.events.length, 0, 'the number of requests to the platform without a webhook address')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-003',
    'The business sends no events to a webhook address without https',
    async (c) => {
      if (!c.platform.hosted.webhookUrl.startsWith('https://127.0.0.1'))
        throw new Skip('The business runs on another machine and cannot reach the plain HTTP address of this check.')
      let requests = 0
      const plain = createServer((_, response) => {
        requests++
        response.end()
      })
      await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
      c.afterwards(() => plain.close())
      const insecure = c.newPlatform()
      insecure.hosted.document.webhook_url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/events`
      const { result } = await askToBook(c, await c.slot(c.simpleService), { caller: insecure.caller })
      // A business may also refuse the profile of a platform without https. Then there is no booking.
      const booking = asMembers(result?.booking)
      if (booking) await insecure.caller.call('cancelBooking', { booking_id: booking.id })
      await bookAndReceiveCancellation(c)
      await sleep(SETTLE_MS)
      expectEqual(requests, 0, 'the number of requests to the address without https')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-037 EVT-041',
    'The business sends no later event of a booking while an earlier event fails, and follows no redirect',
    async (c) => {
      await Promise.all(FAILURES.map((status) => expectNoLaterEvent(c, status)))
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-042',
    'A failing event delays no events of other bookings or other platforms',
    async (c) => {
      c.platform.hosted.answersWith = 500
      for (const platform of [c.platform, c.platform, c.newPlatform()]) {
        const { booking } = await bookAndCancel(c, platform)
        await eventWith(platform.hosted, { booking_id: booking.id })
      }
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-049',
    'A slow receiver of events does not slow down the call that causes an event',
    async (c) => {
      const { hosted } = c.platform
      hosted.answersAfter = 5_000
      const { booking } = await bookAndCancel(c)
      const { receivedAt } = await eventWith(hosted, { booking_id: booking.id })
      await bookAndCancel(c)
      const taken = Date.now() - receivedAt
      expectTrue(taken < hosted.answersAfter, 'an answer to the call before the receiver answers', `${taken} ms`)
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-049',
    'An unreachable receiver of events does not fail the call that causes an event',
    async (c) => {
      const dead = c.newPlatform()
      // No program listens on port 1.
      dead.hosted.document.webhook_url = 'https://127.0.0.1:1/events'
      await bookAndCancel(c, dead)
    },
    { needs, newPlatform: true },
  ),
]

/**
 * Answers a reschedule event with this HTTP status. Requires that the business then does not send the later
 * cancellation event.
 */
async function expectNoLaterEvent(c: CheckContext, status: number): Promise<void> {
  const { hosted, caller } = c.newPlatform()
  hosted.answersWith = status
  hosted.answerHeaders = { location: `${hosted.address}/elsewhere` }
  const { booking } = await c.book(undefined, { caller })
  const slot = await c.slot(c.simpleService)
  ;(await caller.call('reschedule', { booking_id: booking.id, slot_id: slot.id })).success()
  await eventWith(hosted, { event: 'booking.rescheduled' })
  ;(await caller.call('cancelBooking', { booking_id: booking.id })).success()
  await sleep(SETTLE_MS)
  const names = new Set(namesOfEvents(hosted, booking))
  expectEqual([...names], ['booking.rescheduled'], `the events after the answer ${status}`)
  const elsewhere = deliveries(hosted).filter(({ path }) => !hosted.webhookUrl.endsWith(path))
  expectEqual(elsewhere.length, 0, `the number of requests to the target of the redirect ${status}`)
}
