import { describe, expect, test } from 'vitest'
import { salon } from '../booking-flow/visitor.ts'
import { hasBrowser, visit } from './chromium.ts'
import { openShop } from './open-shop.ts'
import { comes, WAYS } from './visitor.ts'

describe.runIf(hasBrowser)('[what, when, who, done, in a real browser]', async () => {
  const shop = await openShop(salon())

  test.each(WAYS)(
    '%s somebody looks through the list, searches, chooses a category, a service and a time',
    async (_, way) => {
      const visitor = await comes(shop, way)
      const { frame } = visitor
      const listed = () =>
        frame.evaluate('[...document.querySelectorAll(".card h2 a")].map(({ pathname }) => pathname)')
      expect(await listed()).toHaveLength(salon().services.length)

      await visitor.press('.chips a[href*="Massage"]', /category=Massage/)
      expect(await listed()).toEqual(['/book/svc_massage'])
      await visitor.press('.card h2 a', /\/book\/svc_massage/)
      await visitor.press('a.way[href="/book"]', /\/book$/)

      await visitor.write({ q: 'hiarcut' })
      await visitor.press('.search button', /q=hiarcut/)
      expect(await listed()).toEqual(['/book/svc_haircut'])
      await visitor.press('.card h2 a', /\/book\/svc_haircut/)
      await visitor.press('.times button', /\/details\?/)
      await visitor.reads('book.details')
    },
  )

  test('the name of a month stays whole, however narrow a day is', async () => {
    const page = await visit({ locale: 'ar', viewport: { width: 360, height: 780 } })
    await page.goto(`${shop.url}/book/svc_haircut`)
    const heights = await page.evaluate(
      `[...document.querySelectorAll('[data-month]')].map((day) => parseFloat(getComputedStyle(day, '::after').height))`,
    )
    expect(heights).toEqual([expect.closeTo(13.5, 0)])
  })
})
