import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CheckContext, Platform } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { deliveries, eventWith, namesOfEvents, SETTLE_MS } from './received-events.ts'

const needs = ['services.availability', 'services.bookings']
/** Answers that the business must not take for a delivery. */
const FAILURES = [302, 404, 503]

export const eventDeliveryChecks = [
  check(
    'EVT-002',
    'A platform without a webhook address gets no events, and books as usual',
    async (c) => {
      const quiet = c.newPlatform()
      delete quiet.hosted.document.webhook_url
      await bookAndCancel(c, quiet)
      await bookAndCancel(c, c.platform)
      await eventWith(c.platform.hosted, { event: 'booking.canceled' })
      await sleep(SETTLE_MS)
      expectEqual(quiet.hosted.events.length, 0, 'the number of requests to the platform without a webhook address')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-003',
    'A webhook address without https gets no events',
    async (c) => {
      if (!c.platform.hosted.webhookUrl.startsWith('https://127.0.0.1'))
        throw new Skip('The business is elsewhere, so it could not reach the plain address of this check.')
      let requests = 0
      const plain = createServer((_, response) => {
        requests++
        response.end()
      })
      await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
      c.afterwards(() => plain.close())
      const insecure = c.newPlatform()
      insecure.hosted.document.webhook_url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/events`
      const slot = await c.slot(c.simpleService)
      const input = { service_id: c.simpleService.id, slot_id: slot.id, buyer: c.buyer() }
      // A business may also refuse the profile of such a platform.
      const { booking } = ((await insecure.caller.call('book', input)).result ?? {}) as { booking?: { id: string } }
      if (booking) await insecure.caller.call('cancelBooking', { booking_id: booking.id })
      await bookAndCancel(c, c.platform)
      await eventWith(c.platform.hosted, { event: 'booking.canceled' })
      await sleep(SETTLE_MS)
      expectEqual(requests, 0, 'the number of requests to the address without https')
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-037 EVT-041',
    'The business sends no later event of a booking while an earlier one fails, and follows no redirect',
    async (c) => {
      await Promise.all(FAILURES.map((status) => expectNoLaterEvent(c, status)))
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-042',
    'A failing event delays neither other bookings of the platform nor other platforms',
    async (c) => {
      const { hosted } = c.platform
      hosted.answersWith = 500
      const failing = await bookAndCancel(c, c.platform)
      await eventWith(hosted, { booking_id: failing.id })
      const next = await bookAndCancel(c, c.platform)
      await eventWith(hosted, { booking_id: next.id })
      const other = c.newPlatform()
      const foreign = await bookAndCancel(c, other)
      await eventWith(other.hosted, { booking_id: foreign.id })
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-049',
    'A slow receiver of events does not slow the call that causes them',
    async (c) => {
      const { hosted } = c.platform
      hosted.answersAfter = 5_000
      const first = await bookAndCancel(c, c.platform)
      const { receivedAt } = await eventWith(hosted, { booking_id: first.id })
      await bookAndCancel(c, c.platform)
      const taken = Date.now() - receivedAt
      expectTrue(taken < hosted.answersAfter, 'the calls to end before the receiver answers', `${taken} ms`)
    },
    { needs, newPlatform: true },
  ),
  check(
    'EVT-049',
    'A dead receiver of events does not fail the call that causes them',
    async (c) => {
      const dead = c.newPlatform()
      // Nothing listens on port 1.
      dead.hosted.document.webhook_url = 'https://127.0.0.1:1/events'
      await bookAndCancel(c, dead)
    },
    { needs, newPlatform: true },
  ),
]

async function bookAndCancel(c: CheckContext, { caller }: Platform): Promise<{ id: unknown }> {
  const { booking } = await c.book(undefined, { caller })
  ;(await caller.call('cancelBooking', { booking_id: booking.id })).success()
  return { id: booking.id }
}

/** Requires that the answer `status` to the event of a reschedule keeps back the event of the cancellation after it. */
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
  expectEqual(elsewhere.length, 0, `the requests to the target of the redirect ${status}`)
}
