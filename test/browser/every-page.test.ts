import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { hasBrowser, newPage } from './chromium.ts'
import { everyState } from './every-state.ts'
import { expectNotTooWide, expectSkipLink, expectStill, expectWellMade } from './well-made.ts'

describe.runIf(hasBrowser)('[nobody is kept out] every page', async () => {
  const { shop, definition, states } = await everyState()

  const phone = { width: 360, height: 780 }
  const desktop = { width: 1280, height: 800 }
  describe.each([
    ['in German on a phone, in the light', 'de-DE', 'light', phone, desktop, undefined],
    ['in Arabic on a desk, in the dark, in yellow', 'ar', 'dark', desktop, phone, '#ffe600'],
  ] as const)('%s', (_, locale, colorScheme, viewport, otherViewport, accent) => {
    let page: Page
    beforeAll(async () => {
      page = await newPage({ locale, colorScheme })
      if (accent === undefined) return
      await shop.apply({ ...definition, website: { ...definition.website, accent, origins: [shop.site] } })
    })
    afterAll(() => page.context().close())

    test.each(states)('%s', async (_, address, act) => {
      await page.setViewportSize(viewport)
      await page.goto(new URL(address, shop.url).href)
      await act?.(page)
      await expectWellMade(page)
      await expectStill(page)
      await page.setViewportSize(otherViewport)
      await expectNotTooWide(page)
      // The keyboard is at the desk; mails are read, not gone about.
      if (viewport === desktop && !address.startsWith('/mails')) await expectSkipLink(page)
    })
  })
})
