import { describe, expect, test } from 'vitest'
import { salon } from '../book/visitor.ts'
import { stripeStandIn } from '../support/stripe.ts'
import { cardPage } from './card-page.ts'
import {
  bookFirst,
  bookingOf,
  fillIn,
  hasBrowser,
  openShop,
  otherSite,
  ROSA,
  sendSlowly,
  visits,
  WAYS,
} from './visitor.ts'

describe.runIf(hasBrowser)('[paying by card, in a real browser]', { timeout: 60_000 }, async () => {
  const stripe = await stripeStandIn()
  const site = await otherSite(
    () =>
      `<!doctype html><title>Salon</title><script type="module" src="${shop.url}/embed.js"></script><usp-booking service="svc_massage"></usp-booking>`,
  )
  const shop = await openShop(
    salon({ payments: { provider: 'stripe' }, website: { origins: [site.origin] } }),
    stripe.env,
  )
  stripe.now = () => shop.time.now.getTime() / 1000
  const visit = visits([await cardPage(stripe)])

  test.each(WAYS)('%s a massage is booked, not paid at first, then paid, and stands', async (_, options) => {
    const page = await visit({ ...options, ignoreHTTPSErrors: true })
    await page.goto(`${shop.url}/book/svc_massage`)
    await bookFirst(page, shop)
    await page.getByRole('button', { name: 'Pay by card' }).click()
    await page.waitForURL(/^https:\/\/checkout\.stripe\.com\//)
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByText('Nothing was paid. You can still do it here.').waitFor()
    await page.getByRole('button', { name: 'Pay by card' }).click()
    await page.getByRole('link', { name: 'Pay' }).click()
    await page.getByRole('heading', { name: 'It is paid' }).waitFor()
    await page.getByRole('link', { name: 'Add to calendar' }).waitFor()
    await page.getByRole('link', { name: 'See, move or cancel your booking' }).click()
    await page.getByRole('table', { name: 'Receipt' }).getByText('By card').waitFor()
    expect(await bookingOf(shop, page)).toMatchObject({ status: 'confirmed' })
    await page.context().close()
  })

  test('from a frame on the business’s own site the card is asked for in the whole window', async () => {
    const page = await visit({ ignoreHTTPSErrors: true })
    await page.goto(site.origin)
    const frame = page.frameLocator('usp-booking iframe')
    await frame.locator('.times button').first().click()
    await fillIn(frame, ROSA)
    await sendSlowly(frame, shop)
    await frame.getByRole('button', { name: 'Pay by card' }).click()
    await page.waitForURL(/^https:\/\/checkout\.stripe\.com\//)
    await page.getByRole('link', { name: 'Pay' }).click()
    await page.getByRole('heading', { name: 'It is paid' }).waitFor()
    expect(await bookingOf(shop, page)).toMatchObject({ status: 'confirmed' })
  })
})
