import { expect, test, vi } from 'vitest'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { testPlatform } from '../support/platform.ts'
import { type Received, testReceiver } from '../support/receiver.ts'
import { soon, toldShop } from './told-shop.ts'

const definition = businessWith([service('svc_a')])
const shop = await toldShop(definition)
const desk = restDesk(shop)
const { receiver, told, toldAfter } = shop

const booked = async (platform = shop.platform) => {
  const slots = await desk.slots('svc_a', soon(shop))
  return (await desk.book(slots[0], {}, { as: platform })).data.booking.id as string
}
/** A booking that was canceled, so that there is something to tell. */
const canceled = async (platform = shop.platform) => {
  const id = await booked(platform)
  await desk.cancel(id, {}, { as: platform })
  return id
}
const listed = async (id: string) => {
  const input = { subject: `booking ${id}` }
  return (await desk.call('usp_business_deliveries_list', input, { as: shop.staff })).data.deliveries
}
const seen = () => receiver.received.map(({ body }) => [body.booking_id, body.event])
/** Everything that the test before has left is told, and the receiver is known to be well. */
const settle = async () => {
  receiver.answer = 204
  await toldAfter(3_600)
  await canceled()
  await toldAfter(3_600)
}

test.each([204, 200, 299])('[EVT-037] [EVT-040] %i counts as received: nothing comes again', async (answer) => {
  receiver.answer = answer
  const id = await canceled()
  expect((await told()).map(({ booking_id }) => booking_id)).toEqual([id])
  expect(await listed(id)).toEqual([expect.objectContaining({ status: 'delivered', attempts: 1 })])
  expect(await toldAfter(3_600)).toEqual([])
})

test('[a receiver has ten seconds] to answer in', async () => {
  const asked = vi.spyOn(AbortSignal, 'timeout')
  await canceled()
  await told()
  expect(asked.mock.calls).toContainEqual([10_000])
  asked.mockRestore()
})

test.each([301, 307, 400, 410, 500, 503, 'hang up'] as const)(
  '[EVT-007] [EVT-008] [EVT-035] [EVT-036] [EVT-037] [EVT-039] after %s the same event comes again after 30 s, 2 min and 8 min, signed anew, and no more',
  async (answer) => {
    receiver.answer = answer
    const begun = shop.time.now.getTime()
    const id = await canceled()
    const attempts: Received[] = []
    await told()
    attempts.push(...receiver.received)
    for (const seconds of [30, 120, 480]) {
      expect(await toldAfter(seconds - 1)).toEqual([])
      expect(await toldAfter(1)).toHaveLength(1)
      attempts.push(...receiver.received)
    }
    expect(shop.time.now.getTime() - begun).toBeLessThanOrEqual(15 * 60_000)
    expect(new Set(attempts.map(({ raw }) => raw.toString())).size).toBe(1)
    expect(new Set(attempts.map(({ body }) => body.event_id)).size).toBe(1)
    expect(Date.parse(attempts[0]?.body.timestamp)).toBe(new Date(begun).getTime())
    const created = attempts.map(({ headers }) => Number(/created=(\d+)/.exec(String(headers['signature-input']))?.[1]))
    expect(created.map((at) => at - Math.floor(begun / 1000))).toEqual([0, 30, 150, 630])
    expect(await toldAfter(3_600)).toEqual([])
    expect(await listed(id)).toEqual([expect.objectContaining({ status: 'given_up', attempts: 4 })])
    await settle()
  },
)

test('[EVT-044] [EVT-045] what was given up is in the log and on the list with its attempts, and is sent again as it was', async () => {
  receiver.answer = 503
  const id = await canceled()
  for (const seconds of [0, 30, 120, 480]) await toldAfter(seconds)
  const [first] = receiver.received
  const [delivery] = await listed(id)
  expect(shop.logged.join('')).toContain(`"event":"${delivery.event_id}"`)
  const get = { delivery_id: delivery.id }
  const { attempts } = (await desk.call('usp_business_deliveries_get', get, { as: shop.staff })).data
  expect(attempts).toHaveLength(4)
  expect(attempts.at(-1)).toMatchObject({ status: 503, problem: 'answered 503' })
  receiver.answer = 204
  await desk.call('usp_business_deliveries_replay', get, { as: shop.staff })
  expect(await toldAfter(3_600)).toHaveLength(1)
  expect(receiver.received[0]?.raw).toEqual(first?.raw)
  expect((await listed(id))[0]).toMatchObject({ status: 'delivered', event_id: delivery.event_id })
})

test('[EVT-045] all that was given up since a moment is sent again in its order, what was received is not', async () => {
  await settle()
  const received = await canceled()
  await told()
  const since = shop.time.now.toISOString()
  receiver.answer = 500
  const [one, other] = [await booked(), await canceled()]
  await desk.reschedule(one, (await desk.slots('svc_a', soon(shop)))[5])
  await desk.cancel(one)
  // Each of a line is given up by itself.
  for (let round = 0; round < 2; round++) for (const seconds of [30, 120, 480, 600]) await toldAfter(seconds)
  receiver.answer = 204
  expect((await desk.call('usp_business_deliveries_replay', { since }, { as: shop.staff })).data.replayed).toBe(3)
  await toldAfter(3_600)
  expect(
    seen()
      .filter(([id]) => id === one)
      .map(([, event]) => event),
  ).toEqual(['booking.rescheduled', 'booking.canceled'])
  expect(seen().filter(([id]) => id === other)).toHaveLength(1)
  expect(seen().filter(([id]) => id === received)).toEqual([])
})

test('[EVT-041] [EVT-042] [EVT-043] what fails holds up what follows of its booking, and nothing else', async () => {
  await settle()
  const [stuck, free] = [await booked(), await booked()]
  await desk.reschedule(stuck, (await desk.slots('svc_a', soon(shop)))[3])
  receiver.answer = 500
  expect(await told()).toHaveLength(1)
  await desk.cancel(stuck)
  await desk.cancel(free)
  receiver.answer = 204
  await told()
  expect(seen()).toEqual([[free, 'booking.canceled']])
  await toldAfter(30)
  expect(seen()).toEqual([
    [stuck, 'booking.rescheduled'],
    [stuck, 'booking.canceled'],
  ])
  // Given up at last, it holds up nothing more.
  const lost = await booked()
  await desk.reschedule(lost, (await desk.slots('svc_a', soon(shop)))[3])
  receiver.answer = 500
  for (const seconds of [0, 30, 120]) await toldAfter(seconds)
  await desk.cancel(lost)
  await toldAfter(480)
  expect(seen().at(0)).toEqual([lost, 'booking.rescheduled'])
  receiver.answer = 204
  await toldAfter(480)
  expect(seen()).toEqual([[lost, 'booking.canceled']])
})

test('[EVT-038] [EVT-042] [EVT-049] whoever does not answer within ten seconds has failed, and slows nobody', async () => {
  await settle()
  const other = await testReceiver()
  const theirs = await shop.newPlatform((await testPlatform({ webhook_url: other.url })).url)
  receiver.answer = 'nothing'
  const begun = performance.now()
  const [slow, quick] = [await canceled(), await canceled(theirs)]
  const sending = sendDueEvents(shop.runtime)
  while (other.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(performance.now() - begun).toBeLessThan(9_000)
  await sending
  expect(performance.now() - begun).toBeGreaterThan(10_000)
  expect(other.received.map(({ body }) => body.booking_id)).toEqual([quick])
  expect(await listed(slow)).toEqual([expect.objectContaining({ status: 'waiting', attempts: 1 })])
}, 40_000)

test('[EVT-047] [EVT-048] what is refused is not told of, and what is repeated is told of once', async () => {
  await settle()
  const id = await booked()
  expect((await desk.reschedule(id, { id: 'slot_that_is_none' })).code).toBe('slot_unavailable')
  expect((await desk.cancel(id, {}, { ifMatch: 'another' })).status).toBe(412)
  expect(await told()).toEqual([])
  const again = { idempotencyKey: crypto.randomUUID() }
  await desk.cancel(id, {}, again)
  await desk.cancel(id, {}, again)
  await desk.cancel(id)
  expect(await told()).toHaveLength(1)
  await desk.cancel(id, {}, again)
  expect(await told()).toEqual([])
})

test('[EVT-001] [EVT-054] only the platform that made a booking is told of it', async () => {
  await settle()
  const other = await testReceiver()
  const theirs = await shop.newPlatform((await testPlatform({ webhook_url: other.url })).url)
  const [mine, yours] = [await canceled(), await canceled(theirs)]
  await told()
  expect(seen()).toEqual([[mine, 'booking.canceled']])
  expect(other.received.map(({ body }) => body.booking_id)).toEqual([yours])
})

test('the staff are shown as many deliveries at a time as they ask for', async () => {
  await settle()
  await canceled()
  await canceled()
  const list = async (input: object) =>
    (await desk.call('usp_business_deliveries_list', { ...input }, { as: shop.staff })).data
  const all = await list({})
  const first = await list({ limit: 1 })
  expect([first.deliveries, first.pagination.has_more]).toEqual([all.deliveries.slice(0, 1), true])
  const next = await list({ limit: 1, cursor: first.pagination.cursor })
  expect(next.deliveries).toEqual(all.deliveries.slice(1, 2))
})
