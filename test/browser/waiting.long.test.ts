import { describe, expect, test } from 'vitest'
import { salon } from '../booking-flow/visitor.ts'
import { restDesk } from '../support/desk.ts'
import { hasBrowser } from './chromium.ts'
import { bookingOf, openShop } from './open-shop.ts'
import { comes, ROSA, type Visitor, WAYS } from './visitor.ts'

describe.runIf(hasBrowser)('[waiting for what is full, in a real browser]', async () => {
  const shop = await openShop(salon())
  const desk = restDesk(shop)
  const classes = await desk.slots('svc_yoga', { end_date: '2026-12-17' })

  describe.each(WAYS)('%s', (_, way) => {
    /** Somebody has all places of a class, and gives them back. */
    const fullClass = async () => {
      const slot = classes.shift()
      const { booking } = (await desk.book(slot, { party_size: slot.capacity.remaining })).data
      return { day: slot.start.slice(0, 10), comesFree: () => desk.cancel(booking.id) }
    }
    const queue = async (visitor: Visitor, day: string) => {
      await visitor.open(`/book/svc_yoga?day=${day}`)
      await visitor.press('.times a[href*="/waitlist?"]', /\/waitlist\?/)
      await visitor.write({ ...ROSA, email: `rosa-${day}@example.com` })
      await visitor.send(/\/waiting\//)
      await visitor.reads('waiting.title')
    }
    const leave = 'main a[href$="/leave"]'

    test('who queues is offered the place that comes free, and takes it', async () => {
      const [{ day, comesFree }, visitor] = [await fullClass(), await comes(shop, way, 'svc_yoga')]
      await queue(visitor, day)
      const entry = visitor.frame.url()
      await visitor.press(leave, /\/leave$/)
      await visitor.press('main a[href*="/waiting/"]', /\/waiting\/[^/]+\/[^/]+$/)
      await comesFree()
      await visitor.open(entry)
      await visitor.reads('waiting.offer')
      await visitor.reads('book.confirm.paid', { price: visitor.localizer.money(2_395, 'USD') })
      await visitor.press('main form button', /\/booking\//)
      expect(await bookingOf(shop, visitor.frame)).toMatchObject({ service_id: 'svc_yoga', status: 'requires_action' })
      expect(await visitor.frame.locator('main a[href*="/payment/"]').count()).toBeGreaterThan(0)
    })

    test('who is asked once more leaves the line, or declines what was offered', async () => {
      const [{ day, comesFree }, visitor] = [await fullClass(), await comes(shop, way, 'svc_yoga')]
      await queue(visitor, day)
      await visitor.press(leave, /\/leave$/)
      await visitor.reads('waiting.leave.meaning')
      await visitor.press('main form button', /\/waiting\/[^/]+\/[^/]+$/)
      await visitor.reads('waiting.left')

      await queue(visitor, day)
      const entry = visitor.frame.url()
      await comesFree()
      await visitor.open(entry)
      await visitor.press('main a[href$="/decline"]', /\/decline$/)
      await visitor.reads('waiting.decline.leaves')
      await visitor.press('main form button', /\/waiting\/[^/]+\/[^/]+$/)
      await visitor.reads('waiting.left')
    })
  })
})
