import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Nothing that axe-core knows of keeps anybody out, and nothing is wider than the screen. */
export async function expectWellMade(page: Page): Promise<void> {
  // Without frames there is nothing to collect, which would take a page of its own each time.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  expect(violations.map(({ id, nodes }) => `${page.url()}: ${id} at ${nodes[0]?.target}`)).toEqual([])
  await expectNotTooWide(page)
}

export async function expectNotTooWide(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
}

/** Who uses no mouse is led past what each page begins with. */
export async function expectSkipLink(page: Page): Promise<void> {
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement?.className')).toBe('skip')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.querySelector(":target")?.localName')).toBe('main')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement?.closest("header")')).toBe(null)
}
