import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { languages } from '../../src/languages/languages.ts'
import { salon } from '../book/visitor.ts'
import { bookFirst, expectWellMade, hasBrowser, openShop, otherSite, visits } from './visitor.ts'

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
  const statusOf = async (url: string) => {
    const id = /\/booking\/([\w-]+)\//.exec(url)?.[1] ?? ''
    const found = await shop.runtime.db.selectFrom('bookings').select('status').where('id', '=', id).executeTakeFirst()
    return found?.status
  }

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
  describe.each([
    ['at 1280 px', { viewport: { width: 1280, height: 900 } }],
    ['at 360 px, without scripts', { viewport: { width: 360, height: 780 }, javaScriptEnabled: false }],
  ])('%s', (_, options) => {
    test.each(wishes)('%s is booked', { timeout: 60_000 }, async (_, path, status, more) => {
      const page = await visit(options)
      await page.goto(shop.url + path)
      await bookFirst(page, shop, more)
      expect(await statusOf(page.url())).toBe(status)
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
      expect(await statusOf(page.url())).toBe('confirmed')
    },
  )

  test('[by keyboard alone] a haircut is booked', { timeout: 60_000 }, async () => {
    const page = await visit()
    await page.goto(`${shop.url}/book`)
    const focused = (what: string) => page.evaluate(`document.activeElement?.matches(${JSON.stringify(what)})`)
    const tabTo = async (what: string) => {
      for (let presses = 0; presses < 200 && !(await focused(what)); presses++) await page.keyboard.press('Tab')
      expect(await focused(what)).toBe(true)
    }
    await tabTo('.card a[href="/book/svc_haircut"]')
    await page.keyboard.press('Enter')
    await page.waitForURL(/svc_haircut/)
    await tabTo('.days a')
    await page.keyboard.press('Enter')
    await tabTo('.times button')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/details\?/)
    for (const [name, text] of [
      ['first_name', 'Rosa'],
      ['last_name', 'Díaz'],
      ['email', 'rosa@example.com'],
    ] as const) {
      await tabTo(`#${name}`)
      await page.keyboard.type(text)
    }
    shop.time.now = new Date(shop.time.now.getTime() + 5_000)
    await tabTo('main form button:not([name])')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/booking\//)
    expect(await statusOf(page.url())).toBe('confirmed')
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

  test('[from the business’s own site] the frame grows with the page, and a table is booked in it', {
    timeout: 60_000,
  }, async () => {
    const site = await otherSite(
      `<!doctype html><title>Salon</title><h1>Salon</h1><script type="module" src="${shop.url}/embed.js"></script><usp-booking service="svc_table"></usp-booking>`,
    )
    await shop.apply(salon({ website: { origins: [site.origin] } }))
    await expect
      .poll(async () => (await shop.raw({ method: 'GET', url: '/book' })).headers['content-security-policy'])
      .toContain(site.origin)
    const page = await visit()
    await page.goto(`${site.origin}/`)
    const frame = page.frameLocator('usp-booking iframe')
    await frame.locator('.times button').first().waitFor()
    const height = async () => (await page.locator('usp-booking iframe').boundingBox())?.height ?? 0
    await expect.poll(height).toBeGreaterThan(620)
    await frame.locator('.times button').first().click()
    await frame.locator('#first_name').fill('Rosa')
    await frame.locator('#last_name').fill('Díaz')
    await frame.locator('#email').fill('rosa@example.com')
    shop.time.now = new Date(shop.time.now.getTime() + 5_000)
    await frame.locator('main form button').last().click()
    await frame.getByText('Confirmed').waitFor()
    site.close()
  })

  test('every language is spoken', async () => {
    for (const language of Object.keys(languages)) {
      const { body } = await shop.raw({ method: 'GET', url: `/book/svc_haircut?lang=${language}` })
      expect(body).toContain(`<html lang="${language}"`)
    }
  })
})
