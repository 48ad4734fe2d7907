import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { staffLinkMake } from '../../src/core/authentication/desk-sign-in-links.ts'
import { addStaff, findStaff } from '../../src/core/authentication/staff-members.ts'
import { businessWith, service } from '../support/definitions.ts'
import { hasBrowser, newPage } from './chromium.ts'
import { comparePictures, smallPng } from './compare-pictures.ts'
import { openShop } from './open-shop.ts'
import { expectNotTooWide, expectWellMade } from './well-made.ts'

const PAGES = { desk: '/desk/design', buyers: '/desk/design/buyers' }
const FOLDER = new URL('design-pictures/', import.meta.url).pathname
const VERSION_FILE = join(FOLDER, 'chromium-version.txt')
/** The browser draws the same page the same each time. A few pixels at rounded corners may still differ. */
const MOST_PIXELS = 20
/** Without this setting, the letters depend on the font configuration of the machine. */
const UNHINTED = ['--font-render-hinting=none']
const isUpdate = process.env.UPDATE_PICTURES === 'yes'
const phone = { width: 390, height: 844 }
const desktop = { width: 1000, height: 800 }

describe.runIf(hasBrowser)('[design pages]', async () => {
  const shop = await openShop(businessWith([service('svc_cut')]))
  const { db } = shop.runtime
  await addStaff(db, 'Jo', 'owner', shop.time.now)
  const [jo] = await findStaff(db, 'Jo')
  const signIn = async (options: BrowserContextOptions, settings?: string[]) => {
    const page = await newPage({ timezoneId: 'America/New_York', ...options }, settings)
    await page.goto(await staffLinkMake(db, shop.url, jo?.id ?? '', shop.time.now))
    await page.locator('main form button').click()
    await page.waitForURL(/\/desk$/)
    return page
  }

  describe.each([
    ['in German, light', { locale: 'de-DE', colorScheme: 'light' }],
    ['in German, dark', { locale: 'de-DE', colorScheme: 'dark' }],
    ['in German, with forced colours', { locale: 'de-DE', forcedColors: 'active' }],
    ['in Arabic, light', { locale: 'ar', colorScheme: 'light' }],
    ['in Arabic, dark', { locale: 'ar', colorScheme: 'dark' }],
    ['in Arabic, with forced colours', { locale: 'ar', forcedColors: 'active' }],
  ] as const)('%s', (_, options) => {
    let page: Page
    beforeAll(async () => {
      page = await signIn(options)
    })
    afterAll(() => page.context().close())

    test.each(Object.entries(PAGES))('axe finds no fault in the components (%s)', async (_, path) => {
      await page.setViewportSize(desktop)
      await page.goto(shop.url + path)
      await expectWellMade(page)
      await page.setViewportSize(phone)
      await expectNotTooWide(page)
    })
  })

  // Another version of Chromium can draw the same page differently.
  describe.runIf(isUpdate || (await chromiumVersion()) === storedVersion())('the components look as stored', () => {
    const seen = new Set<string>()

    describe.each([
      ['light', { colorScheme: 'light' }, desktop],
      ['dark', { colorScheme: 'dark' }, desktop],
      ['phone', { colorScheme: 'light', hasTouch: true }, phone],
    ] as const)('%s', (look, options, viewport) => {
      test.each(Object.entries(PAGES))('%s', async (pageName, path) => {
        const page = await signIn({ ...options, viewport }, UNHINTED)
        await page.goto(shop.url + path)
        const pictures = await picturesOf(page, viewport)
        await page.context().close()
        const differences: string[] = []
        for (const [component, picture] of pictures) {
          // The other components look almost the same on a phone, and the pictures must stay small.
          if (look === 'phone' && component !== 'navigation') continue
          const name = `${pageName}-${component}-${look}.png`
          seen.add(name)
          if (isUpdate) writeFileSync(join(FOLDER, name), await smallPng(picture))
          else differences.push(...(await differencesOf(name, picture)))
        }
        expect(differences, 'If the new look is right, run `npm run update-pictures`.').toEqual([])
      })
    })

    test('there are no other pictures', async () => {
      const stored = readdirSync(FOLDER).filter((name) => name.endsWith('.png'))
      const others = stored.filter((name) => !seen.has(name))
      if (!isUpdate) return expect(others).toEqual([])
      for (const name of others) rmSync(join(FOLDER, name))
      writeFileSync(VERSION_FILE, `${await chromiumVersion()}\n`)
    })
  })
})

async function chromiumVersion(): Promise<string | undefined> {
  const page = await newPage()
  const version = page.context().browser()?.version()
  await page.context().close()
  return version
}

const storedVersion = () => readFileSync(VERSION_FILE, 'utf8').trim()

/** A picture of each component group of the open page. */
async function picturesOf(page: Page, { width }: { width: number }): Promise<Map<string, Buffer>> {
  await page.locator('[data-component=panel] details').evaluateAll((all) => {
    for (const one of all) one.setAttribute('open', '')
  })
  // The whole page fits into the window, so that nothing scrolls and no bar covers a component.
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  await page.setViewportSize({ width, height: height + 200 })
  await page.evaluate(async () => {
    await document.fonts.ready
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
  })
  const pictures = new Map<string, Buffer>()
  for (const group of await page.locator('[data-component]').all()) {
    const name = (await group.getAttribute('data-component')) ?? ''
    pictures.set(name, await group.screenshot({ animations: 'disabled' }))
  }
  return pictures
}

/** The folder for pictures that differ. It exists only if one differs. */
let folder: string | undefined

/** Compares a picture with the stored one. If they differ, stores the new picture and the difference, and names them. */
async function differencesOf(name: string, picture: Buffer): Promise<string[]> {
  const stored = join(FOLDER, name)
  const { pixels, marked } = existsSync(stored)
    ? await comparePictures(readFileSync(stored), picture)
    : { pixels: undefined, marked: picture }
  if (pixels !== undefined && pixels <= MOST_PIXELS) return []
  folder ??= mkdtempSync(join(tmpdir(), 'usp-pictures-'))
  const file = join(folder, name)
  const markedFile = file.replace('.png', '-difference.png')
  writeFileSync(file, picture)
  writeFileSync(markedFile, marked)
  const what = pixels === undefined ? 'is missing or has another size' : `differs in ${pixels} pixels`
  return [`${name} ${what}. The new picture is ${file}, and ${markedFile} marks the difference in red.`]
}
