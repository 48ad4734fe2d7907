import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { languages } from '../../src/languages/languages.ts'
import { salon } from '../book/visitor.ts'
import {
  bookFirst,
  bookingOf,
  hasBrowser,
  openShop,
  pressByKeyboard,
  secondsLater,
  tabTo,
  visits,
  WAYS,
} from './visitor.ts'
import { expectWellMade } from './well-made.ts'

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"/>'

/** How far things moved after they were first seen, half a second after the page was there. */
const SHIFT = `new Promise((done) => {
  let sum = 0
  new PerformanceObserver((list) => list.getEntries().forEach((one) => { sum += one.value })).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => done(sum), 500)
})`

describe.runIf(hasBrowser)('[in a real browser]', async () => {
  const shop = await openShop(
    salon({ website: { accent: '#0f766e', contact: { phone: '+12125550100', email: 'hello@salon.example' } } }),
  )
  const visit = visits()
  const statusOf = async (page: Page) => (await bookingOf(shop, page)).status

  const wishes: [string, string, string, Record<string, string>][] = [
    ['a haircut', '/book/svc_haircut', 'confirmed', {}],
    ['a class', '/book/svc_yoga', 'requires_action', {}],
    ['a table for four', '/book/svc_table?party=4', 'confirmed', {}],
    ['a rental of two hours', '/book/svc_bike?length=120', 'confirmed', {}],
    ['a massage that is paid', '/book/svc_massage', 'requires_action', {}],
    [
      'a plumber',
      '/book/svc_plumbing',
      'confirmed',
      { line1: '120 Spring Street', city: 'New York', postal_code: '10012', country: 'US' },
    ],
  ]
  describe.each(WAYS)('%s', (_, options) => {
    test.each(wishes)('%s is booked', { timeout: 60_000 }, async (_, path, status, more) => {
      const page = await visit(options)
      await page.goto(shop.url + path)
      await bookFirst(page, shop, more)
      expect(await statusOf(page)).toBe(status)
      await page.context().close()
    })
  })

  test.each([360, 1280])(
    '[nobody is kept out] every page at %i px, in the light and in the dark',
    { timeout: 120_000 },
    async (width) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await visit({ viewport: { width, height: 800 }, colorScheme })
        for (const path of ['/book', '/book/svc_haircut', '/book/svc_table', '/book/svc_yoga', '/book/none']) {
          await page.goto(shop.url + path)
          await expectWellMade(page)
        }
        await page.goto(`${shop.url}/book/svc_plumbing`)
        await page.locator('.times button').nth(1).click()
        await page.waitForURL(/\/details\?/)
        await expectWellMade(page)
        await page.locator('main form button').last().click()
        await page.locator('[aria-invalid]').first().waitFor()
        await expectWellMade(page)
        await page.context().close()
      }
    },
  )

  test.each([
    ['de', 'ltr', 'Ihre Angaben'],
    ['ar', 'rtl', undefined],
    ['ja', 'ltr', undefined],
  ])(
    '[in the own language] a haircut is booked in %s, and every page of it is well made',
    { timeout: 90_000 },
    async (locale, direction, title) => {
      const page = await visit({ locale, viewport: { width: 360, height: 780 } })
      await page.goto(`${shop.url}/book`)
      expect(await page.evaluate('[document.documentElement.lang, getComputedStyle(document.body).direction]')).toEqual(
        [locale, direction],
      )
      await expectWellMade(page)
      await page.locator('.card a[href="/book/svc_haircut"]').click()
      await page.waitForURL(/svc_haircut/)
      await expectWellMade(page)
      await page.locator('.times button').first().click()
      await page.waitForURL(/\/details\?/)
      if (title !== undefined) expect(await page.title()).toContain(title)
      await expectWellMade(page)
      await page.goBack()
      await bookFirst(page, shop)
      await expectWellMade(page)
      expect(await statusOf(page)).toBe('confirmed')
    },
  )

  test('[by keyboard alone] a haircut is booked', { timeout: 60_000 }, async () => {
    const page = await visit()
    await page.goto(`${shop.url}/book`)
    await pressByKeyboard(page, '.card a[href="/book/svc_haircut"]')
    await page.waitForURL(/svc_haircut/)
    await pressByKeyboard(page, '.days a')
    await pressByKeyboard(page, '.times button')
    await page.waitForURL(/\/details\?/)
    for (const [name, text] of [
      ['first_name', 'Rosa'],
      ['last_name', 'Díaz'],
      ['email', 'rosa@example.com'],
    ] as const) {
      await tabTo(page, `#${name}`)
      await page.keyboard.type(text)
    }
    secondsLater(shop, 5)
    await pressByKeyboard(page, 'main form button:not([name])')
    await page.waitForURL(/\/booking\//)
    expect(await statusOf(page)).toBe('confirmed')
  })

  test('[quicker with scripts] another day and person come without a new page, and going back works', {
    timeout: 60_000,
  }, async () => {
    const page = await visit()
    await page.goto(`${shop.url}/book/svc_haircut`)
    await page.evaluate('window.isTheSame = true')
    await page.locator('.days a').nth(2).click()
    await page.waitForURL(/day=/)
    const chosen = await page.locator('.days [aria-current]').textContent()
    await page.locator('#with-0').selectOption('staff_alex')
    await page.waitForURL(/with=staff_alex/)
    expect(await page.evaluate('window.isTheSame')).toBe(true)
    await page.goBack()
    await expect.poll(() => page.locator('.days [aria-current]').textContent()).toBe(chosen)
    expect(await page.evaluate('window.isTheSame')).toBe(true)
  })

  test('[two browsers race for the last place] one gets it, the other is told and offered the next', {
    timeout: 60_000,
  }, async () => {
    const url = `${shop.url}/book/svc_massage?day=2026-12-02`
    const pages = await Promise.all([visit(), visit()])
    await Promise.all(pages.map((page) => page.goto(url)))
    const answers = await Promise.all(
      pages.map(async (page) => {
        await page.locator('.times button').first().click()
        await page.waitForLoadState()
        return /\/details\?/.test(page.url()) ? 'kept' : page.locator('[role=alert]').textContent()
      }),
    )
    expect(answers.toSorted()).toEqual([expect.stringMatching(/taken a moment ago.*next free one is/), 'kept'])
    for (const page of pages) await page.context().close()
  })

  test('[no layout shift, small] each page is complete as it comes', { timeout: 60_000 }, async () => {
    const page = await visit()
    await page.route(/^https:/, (route) => route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }))
    for (const path of ['/book', '/book/svc_haircut']) {
      const sizes: number[] = []
      page.on('response', async (answer) => {
        if (answer.url().startsWith(shop.url)) sizes.push(gzipSync(await answer.body()).length)
      })
      await page.goto(shop.url + path)
      expect(await page.evaluate(SHIFT)).toBeLessThan(0.01)
      expect(sizes.length).toBeGreaterThan(1)
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30_000)
      page.removeAllListeners('response')
    }
    expect(gzipSync((await shop.raw({ method: 'GET', url: '/embed.js' })).body).length).toBeLessThan(4_000)
  })

  test('every language is spoken', async () => {
    for (const language of Object.keys(languages)) {
      const { body } = await shop.raw({ method: 'GET', url: `/book/svc_haircut?lang=${language}` })
      expect(body).toContain(`<html lang="${language}"`)
    }
  })
})
