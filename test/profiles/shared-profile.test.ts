import { describe, expect, test } from 'vitest'
import { type Desk, onBothDesks, type Said, type Shop, type Who } from '../support/desk.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { published } from '../support/sign.ts'
import { business, lineOf, openShop } from '../waitlist/queue.ts'

const keys = [testKey(), testKey()] as const
const shared = await testPlatform({ keys: [published('one', keys[0]), published('other', keys[1])] })
const profile = shared.url

type Make = (shop: Shop) => Promise<Who>
const client: Make = (shop) => shop.newPlatform(profile)
const unpublished: Make = async () => ({ key: testKey(), profile })
const firstKey: Make = async () => ({ key: keys[0], profile })
const secondKey: Make = async () => ({ key: keys[1], profile })

const apart: [string, Make, Make][] = [
  ['two clients', client, client],
  ['a client and a key', client, unpublished],
  ['a key and a client', unpublished, client],
  ['two keys that are not published', unpublished, unpublished],
  ['a published key and one that is not', firstKey, unpublished],
  ['a key that is not published and one that is', unpublished, firstKey],
  ['a published key and a client', firstKey, client],
  ['a client and a published key', client, firstKey],
]

const wish = { callback_url: 'https://127.0.0.1:9443/hook' }

await onBothDesks(
  () => openShop(business),
  (desk, shop) => {
    const line = lineOf(desk)
    const filled = line.fill()
    const own = (as: Who, idempotencyKey: string) => ({ as, idempotencyKey })
    const free = async (at: number) => (await desk.slots('svc_plain')).at(at)

    /** One of each. */
    async function makeAll(owner: Who) {
      await filled
      const as = { as: owner }
      const { booking } = (await desk.book(await free(0), {}, as)).data
      const { hold } = (await desk.hold(await free(0), {}, as)).data
      const { entry } = (await line.join('Ann', {}, as)).data
      const { subscription } = (await desk.call('usp_services_feed_subscribe', wish, as)).data
      return { booking, hold, entry, subscription }
    }

    test.each(apart)(
      '[AUT-049] of %s neither reads nor changes what the other has, nor learns that it is there',
      async (_, makeOwner, makeOther) => {
        const [owner, other] = [await makeOwner(shop), await makeOther(shop)]
        const made = await makeAll(owner)
        const slot = await free(-1)
        for (const [tool, member, thing, more] of reach(made, slot.id)) {
          const foreign = await desk.call(tool, { [member]: thing.id, ...more }, { as: other })
          const unknown = await desk.call(tool, { [member]: `${thing.id}x`, ...more }, { as: other })
          expect([tool, foreign.code]).toEqual([tool, expect.stringMatching(/not_found$/)])
          expect([tool, essence(foreign, thing.id)]).toEqual([tool, essence(unknown, `${thing.id}x`)])
        }
        expect(JSON.stringify((await line.list({}, { as: other })).data)).not.toContain(made.entry.id)
        const held = { id: made.hold.slot_id, service_id: 'svc_plain' }
        const taken = await desk.book(held, { hold_id: made.hold.id }, { as: other })
        expect(taken.code).toBe((await desk.book(held, { hold_id: `${made.hold.id}x` }, { as: other })).code)
        expect(taken.data.booking).toBeUndefined()
        await expectUntouched(desk, made, owner)
      },
    )

    test.each(apart)(
      '[AUT-049] of %s neither gets the other’s answer under the same idempotency key, nor a conflict with it',
      async (_, makeOwner, makeOther) => {
        const [owner, other] = [await makeOwner(shop), await makeOther(shop)]
        const [same, different] = [crypto.randomUUID(), crypto.randomUUID()]
        const subscribe = (as: Who, key: string, input: object) =>
          desk.call('usp_services_feed_subscribe', { ...input }, own(as, key))
        const first = await subscribe(owner, same, wish)
        const theirs = await subscribe(other, same, wish)
        expect(theirs.data.subscription.id).not.toBe(first.data.subscription.id)
        expect((await subscribe(owner, different, wish)).code).toBeUndefined()
        const changed = { callback_url: 'https://127.0.0.1:9443/other' }
        expect((await subscribe(other, different, changed)).data.subscription.callback_url).toBe(changed.callback_url)
        expect((await subscribe(owner, same, wish)).data).toEqual(first.data)
      },
    )

    describe('[AUT-049] two keys that the profile publishes are one owner', () => {
      test('of what there is', async () => {
        const [owner, other] = [await firstKey(shop), await secondKey(shop)]
        const made = await makeAll(owner)
        const listed = (await line.list({}, { as: other })).data
        expect(JSON.stringify(listed)).toContain(made.entry.id)
        for (const [tool, member, thing, more] of reach(made, (await free(-1)).id)) {
          const { code } = await desk.call(tool, { [member]: thing.id, ...more }, { as: other })
          expect([tool, code ?? 'done']).not.toEqual([tool, expect.stringMatching(/not_found$/)])
        }
      })

      test('and of the answer to a call that is repeated', async () => {
        const key = crypto.randomUUID()
        const [first, again] = [
          await desk.call('usp_services_feed_subscribe', wish, own(await firstKey(shop), key)),
          await desk.call('usp_services_feed_subscribe', wish, own(await secondKey(shop), key)),
        ]
        expect(again.data.subscription.id).toBe(first.data.subscription.id)
      })
    })
  },
)

type Reached = [tool: string, member: string, thing: { id: string }, more?: object]

/** All that may be done to things that somebody has, what undoes them last. */
function reach({ booking, hold, entry, subscription }: Things, slot_id: string): Reached[] {
  const paid = { status: 'paid', transaction_id: 'txn_1', amount_paid: 0, currency: 'USD' }
  return [
    ['usp_bookings_get', 'booking_id', booking],
    ['usp_bookings_update', 'booking_id', booking, { notes: 'Mine now' }],
    ['usp_bookings_confirm_payment', 'booking_id', booking, { payment_result: paid }],
    ['usp_bookings_reschedule', 'booking_id', booking, { slot_id }],
    ['usp_bookings_cancel', 'booking_id', booking],
    ['usp_availability_release', 'hold_id', hold],
    ['usp_waitlist_get', 'entry_id', entry],
    ['usp_waitlist_accept', 'entry_id', entry],
    ['usp_waitlist_decline', 'entry_id', entry],
    ['usp_waitlist_leave', 'entry_id', entry],
    ['usp_services_feed_subscription_get', 'subscription_id', subscription],
    ['usp_services_feed_subscription_pause', 'subscription_id', subscription],
    ['usp_services_feed_subscription_resume', 'subscription_id', subscription],
    ['usp_services_feed_unsubscribe', 'subscription_id', subscription],
  ]
}
type Things = Record<'booking' | 'hold' | 'entry' | 'subscription', { id: string }>

/** An answer without what is different in each. */
const essence = ({ status, rpc, code, data }: Said, id: string) => {
  const { instance, ...rest } = data
  return { status, rpc, code, data: JSON.stringify(rest).replaceAll(id, 'ID') }
}

async function expectUntouched(desk: Desk, { booking, hold, entry, subscription }: Things, owner: Who) {
  const as = { as: owner }
  expect((await desk.get(booking.id, as)).data.booking).toEqual(booking)
  expect((await desk.call('usp_waitlist_get', { entry_id: entry.id }, as)).data.entry).toEqual(entry)
  const read = await desk.call('usp_services_feed_subscription_get', { subscription_id: subscription.id }, as)
  expect(read.data.subscription.status).toBe('active')
  expect((await desk.release(hold.id, as)).data.hold.status).toBe('released')
}
