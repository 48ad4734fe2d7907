import { expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { businessWith, service } from '../support/definitions.ts'
import { newcomer, restDesk, testShop, type Who } from '../support/desk.ts'
import { testPlatform } from '../support/platform.ts'
import { CLASS, classOfOne, person } from '../waitlist/queue.ts'

const shop = await testShop(businessWith([service('svc_a'), classOfOne]))
const desk = restDesk(shop)
const { url } = await testPlatform()
const elsewhere = await testPlatform()
const DAY = 24 * 60

const isKnown = async ({ key }: ReturnType<typeof newcomer>) => {
  const principal = `key:${key?.thumbprint}`
  const rows = await shop.runtime.db.selectFrom('principals').selectAll().where('principal', '=', principal).execute()
  return rows.length > 0
}

async function daysLater(days: number) {
  for (let passed = 0; passed < days; passed++) {
    shop.minutesLater(DAY)
    await runHousekeeping(shop.runtime)
  }
}

test('[who left nothing is forgotten] the binding of a key that has nothing here goes once it is unseen for long', async () => {
  const visitor = newcomer(url, '203.0.113.1')
  const customer = newcomer(url, '203.0.113.1')
  const regular = newcomer(url, '203.0.113.1')
  const [slot] = await desk.slots('svc_a')
  const { booking } = (await desk.book(slot, {}, { as: customer })).data
  for (const as of [visitor, regular]) expect((await desk.get(booking.id, { as })).code).toBe('booking_not_found')

  await daysLater(7)
  expect([await isKnown(visitor), await isKnown(customer)]).toEqual([true, true])
  expect((await desk.get(booking.id, { as: regular })).code).toBe('booking_not_found')
  await daysLater(2)
  expect([await isKnown(visitor), await isKnown(customer), await isKnown(regular)]).toEqual([false, true, true])

  // What has something here keeps to its profile for good; who was forgotten is as new as on the first day.
  const moved = (who: typeof visitor) => desk.get(booking.id, { as: { ...who, profile: elsewhere.url } })
  expect((await moved(customer)).code).toBe('authentication_required')
  expect((await moved(regular)).code).toBe('authentication_required')
  expect((await moved(visitor)).code).toBe('booking_not_found')
  expect((await desk.get(booking.id, { as: visitor })).code).toBe('authentication_required')
  expect((await desk.get(booking.id, { as: customer })).data.booking.id).toBe(booking.id)
})

test('[who left nothing is forgotten] what was canceled or left keeps nobody known, what still lasts does', async () => {
  const somebody = () => newcomer(url, '203.0.113.1')
  const [subscribed, canceled, waits, left] = [somebody(), somebody(), somebody(), somebody()]
  const subscribe = async (as: Who, nth: number) =>
    (
      await desk.call(
        'usp_services_feed_subscribe',
        { callback_url: `https://127.0.0.1:9443/principals/${nth}` },
        { as },
      )
    ).data.subscription.id
  const join = async (as: Who, name: string) =>
    (await desk.call('usp_waitlist_join', { service_id: CLASS, buyer: person(name) }, { as })).data.entry.id
  await subscribe(subscribed, 1)
  const subscription_id = await subscribe(canceled, 2)
  await desk.call('usp_services_feed_unsubscribe', { subscription_id }, { as: canceled })
  await join(waits, 'Ann')
  await desk.call('usp_waitlist_leave', { entry_id: await join(left, 'Bob') }, { as: left })

  await daysLater(9)
  const known = await Promise.all([subscribed, canceled, waits, left].map(isKnown))
  expect(known).toEqual([true, false, true, false])
})

test('[who left nothing is forgotten] clients and certificates are few and stay', async () => {
  await desk.get('bkg_none')
  await daysLater(20)
  const rows = await shop.runtime.db.selectFrom('principals').select('principal').execute()
  expect(rows.some(({ principal }) => principal.startsWith('client:'))).toBe(true)
})
