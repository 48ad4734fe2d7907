import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, newPage } from './chromium.ts'
import { everyState } from './every-state.ts'
import { expectNotTooWide, expectSkipLink, expectStill, expectWellMade } from './well-made.ts'

describe.runIf(hasBrowser)('[nobody is kept out] every page', async () => {
  const served = new Set<string>()
  subscribe('fastify.initialization', (message) => {
    const { fastify }: { fastify?: FastifyInstance } = Object(message)
    fastify?.addHook('onRoute', ({ url, method }) => void (method === 'GET' && served.add(url)))
  })
  const { shop, definition, states } = await everyState()

  test('of the desk is among them', () => {
    const shown = (route: string) => new RegExp(`^[^?]*${route.replace(/:\w+/g, '[^/?]+')}(\\?|$)`)
    const pages = [...served].filter((url) => /^\/desk(\/|$)/.test(url) && !/\.\w+$|\/live$/.test(url))
    expect(pages.filter((page) => !states.some(([, address]) => shown(page).test(address)))).toEqual([])
  })

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
      await expectStill(page)
      const seen = await page.evaluate('performance.timeOrigin')
      await act?.(page)
      await expectWellMade(page)
      // What was opened by a press made room for itself; a page that it led to stays where it is.
      if ((await page.evaluate('performance.timeOrigin')) !== seen) await expectStill(page)
      await page.setViewportSize(otherViewport)
      await expectNotTooWide(page)
      // The keyboard is at the desk, and begins where nothing was pressed yet; mails are read, not gone about.
      // A page that was opened at one of its parts begins there.
      const isAtTop = await page.evaluate('document.activeElement === document.body && location.hash === ""')
      if (viewport === desktop && isAtTop && !address.startsWith('/mails')) await expectSkipLink(page)
    })
  })
})
