import { afterEach, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { classOfOne, lineOf } from '../waitlist/queue.ts'
import { shopDefinition } from './shop.ts'

const definition = businessWith([
  ...shopDefinition.services.filter(({ id }) => ['svc_asked', 'svc_paid', 'svc_asked_paid'].includes(id)),
  ...[classOfOne, service('svc_open')],
])

/** Answers publish times in whole seconds; the server's clock is never at one when it computes a deadline. */
const BETWEEN_SECONDS = new Date(START.getTime() + 734)

await onBothDesks(
  () => testShop(definition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const { accept, entry, fill, wait } = lineOf(desk)
    const at = (published: string) => {
      shop.time.now = new Date(published)
    }

    test('[HLD-023] a hold ends at the instant that is published', async () => {
      shop.time.now = BETWEEN_SECONDS
      const [slot] = await desk.slots('svc_open')
      const { hold } = (await desk.hold(slot)).data
      at(hold.expires_at)
      expect((await desk.book(slot, { hold_id: hold.id })).code).toBe('hold_expired')
    })

    test.each(['svc_asked', 'svc_paid'])(
      '[BKG-122] a booking of %s ends at the instant that is published',
      async (id) => {
        shop.time.now = BETWEEN_SECONDS
        const { booking } = (await desk.book((await desk.slots(id))[0])).data
        at(booking.expires_at)
        expect((await desk.get(booking.id)).data.booking.status).toBe('canceled')
      },
    )

    test('[BKG-122] the window for paying after approval ends at the instant that is published', async () => {
      const asked = (await desk.book((await desk.slots('svc_asked_paid'))[0])).data.booking
      shop.time.now = BETWEEN_SECONDS
      const { booking } = (await desk.confirm(asked.id)).data
      expect(booking.status).toBe('requires_action')
      at(booking.expires_at)
      expect((await desk.pay(booking)).data.booking.status).toBe('canceled')
    })

    test('[WTL-041] an offer ends at the instant that is published', async () => {
      const bookings = await fill()
      const ann = await wait('Ann')
      shop.time.now = BETWEEN_SECONDS
      await desk.cancel(bookings[0].id)
      const offered = await entry(ann.id)
      at(offered.offer_expires_at)
      expect((await accept(ann.id)).code).toBe('offer_expired')
      expect((await entry(ann.id)).status).toBe('expired')
    })
  },
)
