import axe from 'axe-core'
import type { Frame, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Only what is wrong is told of in full, which saves most of the time that it takes. */
const LOOK = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ' at ' + nodes[0].target))`

/** Nothing that axe-core knows of keeps anybody out, and nothing is wider than the screen. */
export async function expectWellMade(page: Page | Frame): Promise<void> {
  await page.evaluate(axe.source)
  expect(await page.evaluate(LOOK), page.url()).toEqual([])
  await expectNotTooWide(page)
}

/** How far things moved after they were first seen, up to some time after the page was there. */
export const layoutShift = (page: Page | Frame, milliseconds: number): Promise<number> =>
  page.evaluate(`new Promise((done) => {
    let sum = 0
    const add = (list) => list.getEntries().forEach((one) => { if (!one.hadRecentInput) sum += one.value })
    new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
    setTimeout(() => done(sum), ${milliseconds})
  })`)

/** Whoever has begun to read is not moved away from it. */
export async function expectStill(page: Page | Frame): Promise<void> {
  expect(await layoutShift(page, 0), page.url()).toBeLessThan(0.01)
}

export async function expectNotTooWide(page: Page | Frame): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), page.url()).toBe(true)
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
