import { expect, test } from 'vitest'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { testPlatform } from '../support/platform.ts'
import { testReceiver } from '../support/receiver.ts'
import { soon, toldShop } from './told-shop.ts'

const often = { retries: Array.from({ length: 40 }, () => 'PT1S') }

test('[EVT-042] a receiver that fails again and again is left alone for a while, ever longer, and blocks nobody', async () => {
  const shop = await toldShop(businessWith([service('svc_a')], { events: often }))
  const desk = restDesk(shop)
  const { receiver } = shop
  const other = await testReceiver()
  const theirs = await shop.newPlatform((await testPlatform({ webhook_url: other.url })).url)
  const canceled = async (as = shop.platform) => {
    const [slot] = await desk.slots('svc_a', soon(shop))
    const { id } = (await desk.book(slot, {}, { as })).data.booking
    await desk.cancel(id, {}, { as })
    return id
  }

  receiver.answer = 500
  for (let count = 0; count < 3; count++) await canceled()
  expect(await shop.told()).toHaveLength(3)
  const waiting = []
  for (let count = 0; count < 20; count++) waiting.push(await canceled())
  // Ten failures in a row are enough; what was on its way by then is one more at most.
  const tries = (await shop.told()).length
  expect(tries).toBeGreaterThanOrEqual(7)
  expect(tries).toBeLessThanOrEqual(8)

  const mine = await canceled()
  const yours = await canceled(theirs)
  expect(await shop.toldAfter(4)).toEqual([])
  expect(other.received.map(({ body }) => body.booking_id)).toEqual([yours])

  // One try shows that nothing is better; then the rest doubles, up to five minutes.
  const rests: number[] = []
  for (let round = 0; round < 9; round++) {
    let seconds = 0
    while ((await shop.toldAfter(1)).length === 0) seconds++
    rests.push(seconds + 1)
    expect(receiver.received.length).toBeLessThanOrEqual(2)
  }
  expect(rests.slice(1)).toEqual(rests.slice(1).toSorted((one, next) => one - next))
  expect(rests.at(-1)).toBe(300)

  receiver.answer = 204
  const caught = new Set((await shop.toldAfter(300)).map(({ booking_id }) => booking_id))
  for (const id of [...waiting, mine]) expect(caught).toContain(id)
  expect(await shop.toldAfter(3_600)).toEqual([])
})

test('[EVT-042] what was on its way with the failure that is one too many makes the rest no longer', async () => {
  const shop = await toldShop(businessWith([service('svc_a')], { events: often }))
  const desk = restDesk(shop)
  for (let count = 0; count < 30; count++) {
    const [slot] = await desk.slots('svc_a', soon(shop))
    await desk.cancel((await desk.book(slot)).data.booking.id)
  }
  shop.receiver.answer = 500
  await Promise.all(Array.from({ length: 8 }, () => sendDueEvents(shop.runtime)))
  const rest = await shop.runtime.db.selectFrom('receivers').selectAll().executeTakeFirstOrThrow()
  expect(rest.resting_until).toEqual(new Date(shop.time.now.getTime() + 5_000))
})
