import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { type Receptionist, receptionist, WAYS } from './at-desk.ts'
import { hasBrowser } from './chromium.ts'
import { keyboard, mouse } from './hands.ts'
import { openShop } from './open-shop.ts'
import { expectStill, expectWellMade } from './well-made.ts'

const FORM = '/desk/setup/services/svc_cut'
const GAP = 'Not translated yet'

const definition = businessWith([
  service('svc_cut', {
    name: 'Haircut',
    description: 'A cut with the stylist of your choice.',
    channel: { type: 'at_business_location', instructions: 'Ring the bell' },
    localized: { name: { de: 'Haarschnitt' } },
  }),
])
const salon = { ...definition, business: { ...definition.business, languages: ['de', 'ar'] } }

const tab = (page: Page, language: string, text = 'Name') =>
  page.getByRole('group', { name: text, exact: true }).getByRole('tab', { name: language })

describe.runIf(hasBrowser)('[languages] in the forms of the settings, in a real browser', async () => {
  const shop = await openShop(salon)
  const at = (address: string) => shop.url + address
  const opened = async ({ page }: Receptionist, address = FORM) => {
    await page.goto(at(address))
    return page
  }

  describe.each(WAYS)('%s', async (_, way) => {
    const owner = await receptionist(shop, way)

    test('the languages of a text are tabs, and one choice applies to all texts of the form', async () => {
      const page = await opened(owner)
      expect(await page.locator('#name').isVisible()).toBe(true)
      expect(await page.locator('.in-language').filter({ visible: true }).count()).toBe(2)
      expect(await tab(page, 'German').innerText()).not.toContain(GAP.toLowerCase())
      expect(await tab(page, 'Arabic (not translated yet)').count()).toBe(1)
      if (way.hand !== keyboard) await way.hand.press(page.mainFrame(), tab(page, 'Arabic'))
      else {
        await tab(page, 'English').focus()
        for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key)
        expect(await page.evaluate('document.activeElement.textContent')).toContain('Arabic')
      }
      for (const text of ['Name', 'Description'])
        expect(await tab(page, 'Arabic', text).getAttribute('aria-selected')).toBe('true')
      const field = page.locator('[id="localized.name.ar"]')
      expect(await field.isVisible()).toBe(true)
      expect(await page.locator('#name').isVisible()).toBe(false)
      expect(await field.evaluate((one) => getComputedStyle(one).direction)).toBe('rtl')
      await expectWellMade(page)
    })

    test('the mark disappears while somebody translates', async () => {
      const page = await opened(owner)
      await tab(page, 'Arabic').click()
      const note = page.locator('[id="localized.name.ar-untranslated"]')
      expect(await note.innerText()).toContain(GAP)
      await page.locator('[id="localized.name.ar"]').fill('قص الشعر')
      expect(await note.isVisible()).toBe(false)
      expect(await tab(page, 'Arabic (not translated yet)').count()).toBe(0)
      expect(await page.locator('[id="localized.name.ar"]').getAttribute('aria-describedby')).toBe(null)
      await page.locator('[id="localized.name.ar"]').fill('')
      expect(await note.isVisible()).toBe(true)
    })

    test('the overview leads to the field of the first gap, and a hidden field that is required is shown', async () => {
      const page = await opened(owner, '/desk/setup')
      await owner.press('Arabic')
      expect(new URL(page.url()).hash).toBe('#localized.name.ar')
      expect(await page.evaluate('document.activeElement.id')).toBe('localized.name.ar')
      await tab(page, 'English').click()
      await page.locator('#name').fill('')
      await tab(page, 'German').click()
      await page.locator('.save-bar button[value=review]').click()
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('name')
    })

    test('a translation that is refused is shown, and its message leads to it from another tab', async () => {
      const page = await opened(owner)
      await tab(page, 'German').click()
      await page.locator('[id="localized.name.de"]').fill('x'.repeat(201))
      await Promise.all([page.waitForNavigation(), page.locator('.save-bar button[value=review]').click()])
      expect(await page.locator('[id="localized.name.de"][aria-invalid]').isVisible()).toBe(true)
      await tab(page, 'Arabic').click()
      await page.locator('[role=alert] a').click()
      expect(await page.locator('[id="localized.name.de"]').isVisible()).toBe(true)
      await expectWellMade(page)
    })
  })

  test.each(['de', 'ar'])('without scripts all languages stand one below the other: %s', async (language) => {
    const phone = { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }
    const { page } = await receptionist(shop, { hand: mouse, look: phone })
    await page.goto(at(`${FORM}?lang=${language}`))
    expect(await page.getByRole('tab').count()).toBe(0)
    for (const id of ['name', 'localized.name.de', 'localized.name.ar'])
      expect(await page.locator(`[id="${id}"]`).isVisible()).toBe(true)
    expect(await page.locator('[id="localized.name.ar-untranslated"]').isVisible()).toBe(true)
    expect(await page.locator('.language').filter({ visible: true }).count()).toBe(6)
  })

  test.each([320, 360])('on a phone of %i pixels the tabs take one row, and the page does not move', async (width) => {
    await shop.apply({ ...salon, business: { ...salon.business, languages: ['de', 'ar', 'fr', 'it', 'es', 'pt'] } })
    const { page } = await receptionist(shop, { hand: mouse, look: { viewport: { width, height: 780 } } })
    await page.goto(at(FORM))
    await expectStill(page)
    await page.locator('main details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '')
    })
    const lists = page.getByRole('tablist').filter({ visible: true })
    expect(await lists.count()).toBeGreaterThan(0)
    for (const list of await lists.all()) {
      const tops = await list.getByRole('tab').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
      expect(new Set(tops).size).toBe(1)
      const box = await list.boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? width)).toBeLessThanOrEqual(width)
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await expectWellMade(page)
    await shop.apply(salon)
  })

  test.each(['de', 'ar'])('the form is well made in another language: %s', async (language) => {
    const { page } = await receptionist(shop, { hand: mouse, look: { viewport: { width: 390, height: 844 } } })
    for (const address of [FORM, '/desk/setup', '/desk/setup/business']) {
      await page.goto(at(`${address}?lang=${language}`))
      await expectWellMade(page)
    }
    await page.goto(at(`${FORM}?lang=${language}`))
    await page.getByRole('tab').first().focus()
    await page.keyboard.press(language === 'ar' ? 'ArrowLeft' : 'ArrowRight')
    expect(await page.evaluate('document.activeElement.id')).toBe('localized.name.de-tab')
  })
})
