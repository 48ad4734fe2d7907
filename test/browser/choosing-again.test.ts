import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { salon } from '../booking-flow/visitor.ts'
import { hasBrowser, visit } from './chromium.ts'
import { openShop } from './open-shop.ts'
import { expectWellMade } from './well-made.ts'

describe.runIf(hasBrowser)('[choosing again, in a real browser]', async () => {
  const shop = await openShop(salon())

  test.each([
    ['with a wide window', {}],
    ['on a phone without scripts', { viewport: { width: 360, height: 780 }, javaScriptEnabled: false }],
  ])(
    '%s who goes back finds the kept time as their own, and goes on with it',
    async (_, options: BrowserContextOptions) => {
      const page = await visit(options)
      await page.goto(`${shop.url}/book/svc_haircut?with=staff_jane`)
      const [first] = await page.locator('.times button').allTextContents()
      await page.locator('.times button').first().click()
      await page.waitForURL(/\/details\?/)
      const details = page.url()
      await page.goBack()
      // What the browser kept of the page may still have a button for it.
      const own = page.locator('.times :is(button, a)').first()
      expect(await own.textContent()).toContain(first)
      await own.click()
      await page.waitForURL(/\/details\?/)
      expect(page.url()).toBe(details)
      await page.getByRole('link', { name: 'Choose another time' }).click()
      await page.locator('.times .own').waitFor()
      if (options.javaScriptEnabled !== false) await expectWellMade(page)
      await page.locator('.times button').first().click()
      await page.waitForURL(/\/details\?/)
      expect(page.url()).not.toBe(details)
    },
  )

  test('who asks for somebody else reads their price at the head at once', async () => {
    const page = await visit()
    await page.goto(`${shop.url}/book/svc_color`)
    const head = page.locator('.facts li').first()
    expect(await head.textContent()).toBe('from $140.00 plus tax')
    await page.locator('#with-0').selectOption('staff_jane')
    await expect.poll(() => head.textContent()).toBe('from $168.00 plus tax')
  })
})
