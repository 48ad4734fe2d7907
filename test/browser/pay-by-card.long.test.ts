import { describe, expect, test } from 'vitest'
import { salon } from '../booking-flow/visitor.ts'
import { stripeStandIn } from '../support/stripe.ts'
import { openCardPage } from './card-page.ts'
import { hasBrowser } from './chromium.ts'
import { bookingOf, openShop } from './open-shop.ts'
import { comes, SEE, WAYS } from './visitor.ts'

describe.runIf(hasBrowser)('[paying by card, in a real browser]', async () => {
  const stripe = await stripeStandIn()
  await openCardPage(stripe)
  const shop = await openShop(salon({ payments: { provider: 'stripe' } }), stripe.env)
  stripe.now = () => shop.time.now.getTime() / 1000

  test.each(WAYS)('%s a massage is booked, not paid at first, then paid, and stands', async (_, way) => {
    const visitor = await comes(shop, way, 'svc_massage')
    await visitor.bookFirst()
    const goesToStripe = async () => {
      await visitor.press('main form button')
      // A frame is left: the card is asked for in the whole window.
      await visitor.page.waitForURL(/^https:\/\/checkout\.stripe\.com\//)
      visitor.leaveFrame()
    }
    await goesToStripe()
    await visitor.press('#back', /\/payment\//)
    await visitor.reads('booking.payment.left')
    await goesToStripe()
    await visitor.press('#pay', /\/payment\//)
    await visitor.reads('booking.done.payment')
    expect(await bookingOf(shop, visitor.frame)).toMatchObject({ status: 'confirmed' })
    // To the whole window, who booked in a frame is somebody who only pays.
    if (way.isFramed) return
    await visitor.press(SEE, /\/manage\//)
    await visitor.reads('booking.receipt.card')
  })
})
