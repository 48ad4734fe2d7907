import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { salon } from '../book/visitor.ts'
import { restDesk } from '../support/desk.ts'
import { bookingOf, fillIn, hasBrowser, openShop, pressByKeyboard, ROSA, sendSlowly, visits, WAYS } from './visitor.ts'

describe.runIf(hasBrowser)('[waiting for what is full, in a real browser]', { timeout: 60_000 }, async () => {
  const shop = await openShop(salon())
  const desk = restDesk(shop)
  const visit = visits()
  const classes = await desk.slots('svc_yoga', { end_date: '2026-12-08' })

  /** Somebody has all places of a class, and somebody else queues for it. */
  async function inLine(options: BrowserContextOptions = {}) {
    const slot = classes.shift()
    const { booking } = (await desk.book(slot, { party_size: slot.capacity.remaining })).data
    const page = await visit(options)
    await page.goto(`${shop.url}/book/svc_yoga?day=${slot.start.slice(0, 10)}`)
    await page.getByRole('link', { name: 'Full: join the waitlist' }).click()
    await page.waitForURL(/\/waitlist\?/)
    await fillIn(page, { ...ROSA, email: `rosa${classes.length}@example.com` })
    await sendSlowly(page, shop)
    await page.waitForURL(/\/waiting\//)
    await page.getByText('Nobody is before you.').waitFor()
    const comesFree = async () => {
      await desk.cancel(booking.id)
      await page.reload()
      await page.getByText('30 minutes left.').waitFor()
    }
    return { page, comesFree }
  }

  test.each(WAYS)('%s somebody queues, is offered the place that comes free, and takes it', async (_, options) => {
    const { page, comesFree } = await inLine(options)
    await comesFree()
    await page.getByRole('button', { name: 'Book for $' }).click()
    await page.waitForURL(/\/booking\//)
    expect(await bookingOf(shop, page)).toMatchObject({ service_id: 'svc_yoga', status: 'requires_action' })
    await page.locator('main a[href*="/payment/"]').first().waitFor()
    await page.context().close()
  })

  describe('[by keyboard alone] after being asked once more', () => {
    test('an offer is declined', async () => {
      const { page, comesFree } = await inLine()
      await comesFree()
      await pressByKeyboard(page, 'main a[href$="/decline"]')
      await page.getByText('It is offered to the next in line, and you leave the waitlist.').waitFor()
      await pressByKeyboard(page, 'main form button')
      await page.getByText('You have left it, and nothing is kept for you.').waitFor()
    })

    test('the line is left', async () => {
      const { page } = await inLine()
      await pressByKeyboard(page, 'main a[href$="/leave"]')
      await page.getByText('Your place in line is given to who is behind you').waitFor()
      await pressByKeyboard(page, 'main form button')
      await page.getByText('You have left it, and nothing is kept for you.').waitFor()
    })
  })
})
