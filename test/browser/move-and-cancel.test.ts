import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { salon } from '../book/visitor.ts'
import { bookFirst, bookingOf, hasBrowser, openShop, pressByKeyboard, rowOf, visits, WAYS } from './visitor.ts'

describe.runIf(hasBrowser)('[the buyer’s side of a booking, in a real browser]', { timeout: 60_000 }, async () => {
  const shop = await openShop(salon())
  const visit = visits()
  const linkTo = (page: Page, what: string) => page.locator(`main a[href*="/${what}/"]`)
  /** On the page of a haircut that begins within a day, so that canceling costs something. */
  const booked = async (options = {}) => {
    const page = await visit(options)
    await page.goto(`${shop.url}/book/svc_haircut`)
    await bookFirst(page, shop)
    return page
  }

  describe.each(WAYS)('%s', (_, options) => {
    test('a booking is moved to another day, after what that costs was said', async () => {
      const page = await booked(options)
      const before = await rowOf(page, 'When')
      await linkTo(page, 'move').click()
      await page.locator('.days a').nth(2).click()
      await page.waitForURL(/day=/)
      await page.locator('.times a').first().click()
      await page.waitForURL(/time=/)
      expect(await rowOf(page, 'Now')).toBe(before)
      const after = await rowOf(page, 'New')
      await page.getByText('Moving is free.').waitFor()
      await page.getByRole('button', { name: 'Move the booking' }).click()
      await page.waitForURL(/\/manage\//)
      expect(await rowOf(page, 'When')).toBe(after)
      expect(after).not.toBe(before)
      expect(await bookingOf(shop, page)).toMatchObject({ status: 'confirmed', record: { reschedules: 1 } })
      await page.context().close()
    })

    test('it is canceled once its cost was said and asked once more; who thinks better of it keeps it', async () => {
      const page = await booked(options)
      await linkTo(page, 'cancel').click()
      await page.getByText('Canceling now costs $25.00').waitFor()
      await page.getByRole('link', { name: 'Keep the booking' }).click()
      await page.getByText('Confirmed. See you then!').waitFor()
      await linkTo(page, 'cancel').click()
      await page.locator('#reason').fill('I am ill')
      await page.getByRole('button', { name: 'Cancel the booking' }).click()
      await page.waitForURL(/\/manage\//)
      await page.getByText('Canceled.', { exact: true }).waitFor()
      expect(await linkTo(page, 'manage').count()).toBe(0)
      expect(await bookingOf(shop, page)).toMatchObject({
        status: 'canceled',
        record: { cancellation: { canceled_by: 'buyer', reason: 'I am ill' } },
      })
      await page.context().close()
    })

    test('it is put into a calendar by a file', async () => {
      const page = await booked(options)
      const file = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Add to calendar' }).click()
      expect((await file).suggestedFilename()).toBe('booking.ics')
      expect(readFileSync(await (await file).path(), 'utf8')).toContain('SUMMARY:Women’s Haircut & Style')
      await page.context().close()
    })
  })

  test.each([
    ['de', 'ltr'],
    ['ar', 'rtl'],
  ])('[by keyboard alone] in %s a booking is moved, and canceled', async (locale, direction) => {
    const page = await booked({ locale })
    const written = await page.evaluate('[document.documentElement.lang, getComputedStyle(document.body).direction]')
    expect(written).toEqual([locale, direction])
    const before = (await bookingOf(shop, page)).starts_at
    await pressByKeyboard(page, 'main a[href*="/move/"]')
    await page.waitForURL(/\/move\//)
    await pressByKeyboard(page, '.days td:nth-child(4) a')
    await page.waitForURL(/day=/)
    await pressByKeyboard(page, '.times a')
    await page.waitForURL(/time=/)
    await pressByKeyboard(page, 'main form button')
    await page.waitForURL(/\/manage\//)
    const { starts_at, record } = await bookingOf(shop, page)
    expect(record).toMatchObject({ reschedules: 1 })
    expect(starts_at.getTime()).toBeGreaterThan(before.getTime())
    await pressByKeyboard(page, 'main a[href*="/cancel/"]')
    await page.waitForURL(/\/cancel\//)
    await pressByKeyboard(page, 'main form button')
    await page.waitForURL(/\/manage\//)
    expect(await bookingOf(shop, page)).toMatchObject({ status: 'canceled' })
    await page.context().close()
  })
})
