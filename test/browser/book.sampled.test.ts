import { gzipSync } from 'node:zlib'
import type { Response } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { languages } from '../../src/infra/i18n/languages.ts'
import { salon } from '../booking-flow/visitor.ts'
import { sampling } from '../support/case-sampling.ts'
import { hasBrowser, visit } from './chromium.ts'
import { bookingOf, openShop } from './open-shop.ts'
import { ADDRESS, comes, fillIn, ROSA, sendSlowly, WAYS } from './visitor.ts'
import { layoutShift } from './well-made.ts'

interface Wish {
  /** What is chosen on the page before the time. */
  chosen?: [name: string, value: string]
  details?: Record<string, string>
  status: string
  party?: number
  length: number
}

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900"/>'

describe.runIf(hasBrowser)('[in a real browser]', async () => {
  const shop = await openShop(
    salon({ website: { accent: '#0f766e', contact: { phone: '+12125550100', email: 'hello@salon.example' } } }),
  )
  const sampled = sampling()
  const HOUR = 3_600_000
  const wishes: [string, string, Wish][] = [
    ['a class', 'svc_yoga', { status: 'requires_action', party: 1, length: HOUR }],
    ['a table for four', 'svc_table', { chosen: ['party', '4'], status: 'confirmed', party: 4, length: 1.5 * HOUR }],
    ['a rental of two hours', 'svc_bike', { chosen: ['length', '120'], status: 'confirmed', length: 2 * HOUR }],
    ['a plumber', 'svc_plumbing', { status: 'confirmed', length: HOUR, details: ADDRESS }],
  ]
  describe.each(WAYS)('%s', (_, way) => {
    test.each(sampled(wishes))('%s is booked', async (_, service, { chosen, status, party, length, details }) => {
      const visitor = await comes(shop, way, service)
      if (chosen) await visitor.choose(...chosen)
      await visitor.bookFirst(details)
      const booking = await bookingOf(shop, visitor.frame)
      expect({ ...booking, length: booking.ends_at.getTime() - booking.starts_at.getTime() }).toMatchObject({
        service_id: service,
        status,
        length,
        ...(party !== undefined && { record: { party_size: party } }),
      })
    })
  })

  test('[quicker with scripts] another day and person come without a new page, and going back works', async () => {
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

  test('[where scripts run] the own clock is told where it differs, and what was kept too long can be sent no more', async () => {
    const url = `${shop.url}/book/svc_haircut?day=2026-12-02&place=loc_downtown`
    const [home, page] = [await visit({ timezoneId: 'America/New_York' }), await visit({ timezoneId: 'Europe/Berlin' })]
    await home.goto(url)
    await home.locator('.times button').first().waitFor()
    expect(await home.locator('[data-zone]').isVisible()).toBe(false)
    await page.clock.install()
    await page.route('**/assets/demo/**', (route) => route.abort())
    await page.goto(url)
    await page.getByText('9:00 AM').waitFor()
    expect(await page.locator('[data-zone]').innerText()).toMatch(/Wed,? 3:00.PM.*Europe\/Berlin/)
    // Of a picture that cannot be had, nothing stays.
    await expect.poll(() => page.locator('.picture img').count()).toBe(0)
    expect(await page.locator('.picture').isVisible()).toBe(false)
    await page.locator('.times button').first().click()
    await page.waitForURL(/\/details\?/)
    await page.locator('#first_name').fill('Rosa')
    const [timer, send] = [page.getByRole('timer'), page.locator('main form button')]
    await page.clock.fastForward('05:05')
    await timer.getByText('5 minutes left.').waitFor()
    expect(await send.isEnabled()).toBe(true)
    await page.clock.fastForward('05:00')
    await timer.getByText('available to others again').waitFor()
    expect(await send.isDisabled()).toBe(true)
    expect(await page.locator('#first_name').inputValue()).toBe('Rosa')
  })

  test('[on a phone] the price and the way to the times are in sight until the times are, also after another choice', async () => {
    const page = await visit({ viewport: { width: 390, height: 600 } })
    await page.goto(`${shop.url}/book/svc_haircut?day=2026-12-02&place=loc_downtown`)
    const bar = page.locator('.choose-bar')
    await expect.poll(() => bar.isVisible()).toBe(true)
    expect(await bar.innerText()).toContain('$75.00')
    await bar.getByRole('link').click()
    await expect.poll(() => bar.isVisible()).toBe(false)
    await page.getByLabel('Location').selectOption('loc_uptown')
    await page.waitForURL(/loc_uptown/)
    await page.evaluate(() => scrollTo(0, 0))
    await expect.poll(() => bar.isVisible()).toBe(true)
    await page.locator('.times').first().scrollIntoViewIfNeeded()
    await expect.poll(() => bar.isVisible()).toBe(false)
  })

  test('[two browsers race for the last place] one gets it, the other is told and offered the next', async () => {
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
    expect(answers.toSorted()).toEqual([expect.stringMatching(/just booked.*next free time is/), 'kept'])
  })

  test('[no layout shift, small] each page is complete as it comes', async () => {
    const page = await visit()
    await page.route(
      ({ origin }) => origin !== shop.url,
      (route) => route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }),
    )
    const answers: Response[] = []
    page.on('response', (answer) => answer.url().startsWith(shop.url) && answers.push(answer))
    const sizeOf = async (some: Response[]) => {
      const sizes = await Promise.all(some.map(async (answer) => gzipSync(await answer.body()).length))
      return sizes.reduce((sum, size) => sum + size, 0)
    }
    const isComplete = async (url: string) => {
      answers.length = 0
      await page.goto(url)
      expect(await layoutShift(page, 500)).toBeLessThan(0.01)
      expect(answers.length).toBeGreaterThan(1)
      const isFont = (answer: Response) => answer.url().endsWith('.woff2')
      expect(await sizeOf(answers.filter((answer) => !isFont(answer)))).toBeLessThan(30_000)
      expect(await sizeOf(answers)).toBeLessThan(60_000)
    }
    await isComplete(`${shop.url}/book`)
    await isComplete(`${shop.url}/book/svc_haircut?lang=ar`)
    await isComplete(`${shop.url}/book/svc_haircut?lang=en`)
    await page.locator('.times button').first().click()
    await page.waitForURL(/\/details\?/)
    await isComplete(page.url())
    await fillIn(page, ROSA)
    await sendSlowly(page, shop)
    await page.waitForURL(/\/booking\//)
    await isComplete(page.url())
    expect(gzipSync((await shop.raw({ method: 'GET', url: '/embed.js' })).body).length).toBeLessThan(4_000)
  })

  test('every language is spoken', async () => {
    for (const language of Object.keys(languages)) {
      const { body } = await shop.raw({ method: 'GET', url: `/book/svc_haircut?lang=${language}` })
      expect(body).toContain(`<html lang="${language}"`)
    }
  })
})
