import { describe, expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { at } from '../desk/studio.ts'
import { receptionist, WAYS } from './at-desk.ts'
import { hasBrowser } from './chromium.ts'
import { daySalon } from './day-salon.ts'
import { later, tasks } from './desk-tasks.ts'
import { finger, keyboard, mouse, tabTo } from './hands.ts'
import { expectNotTooWide } from './well-made.ts'

describe.runIf(hasBrowser).each(WAYS)('[the tasks of the desk] %s', async (_, way) => {
  const salon = await daySalon()
  const { shop, comes, staff, rowOf } = salon
  const jo = await receptionist(shop, way)

  test.each(tasks)('$task', async ({ guest, books, with: whom, before, minutesLater, presses, ...then }) => {
    if (guest) await comes(guest, books, whom)
    await before?.(salon)
    const row = guest ? await rowOf(guest) : undefined
    const now = row && minutesLater ? later(row.starts_at, minutesLater) : shop.time.now
    const { form = [], reads, becomes } = then
    const steps = typeof form === 'function' ? (row ? form(row) : []) : form
    await at(shop, now.toISOString(), async () => {
      await jo.page.goto(`${shop.url}/desk`)
      expect(presses.length).toBeLessThanOrEqual(3)
      for (const press of presses) await jo.press(press)
      for (const step of steps) await jo.take(step)
      if (reads) await expect.poll(async () => (await jo.content()).innerText()).toMatch(reads)
      await expectNotTooWide(jo.page)
    })
    if (guest && row && becomes)
      // The panel can appear anew a moment before the server has done what the last press asked for.
      await expect.poll(() => rowOf(guest)).toMatchObject(typeof becomes === 'function' ? becomes(row) : becomes)
  })

  test('1. what somebody else does shows by itself', async () => {
    await jo.page.goto(`${shop.url}/desk`)
    await comes('Lou')
    await jo.page.getByText('Lou Klein').first().waitFor()
  })

  test('print the day', async () => {
    await comes('Ines')
    await jo.page.goto(`${shop.url}/desk`)
    await jo.page.evaluate(`globalThis.print = () => (document.title = 'printed')`)
    await jo.press('Print')
    // How much waits in the inbox may stand before it.
    expect(await jo.page.title()).toMatch(/printed$/)
    await jo.page.emulateMedia({ media: 'print' })
    expect(await jo.page.getByText('Ines Klein').first().isVisible()).toBe(true)
    expect(await jo.page.getByRole('navigation').count()).toBe(0)
    await jo.page.emulateMedia({ media: null })
  })

  test.runIf(way.hand === mouse)(
    '6. how much waits is said at once, whatever somebody is at, and elsewhere if they want',
    async () => {
      const page = await jo.page.context().newPage()
      // A browser without a screen shows none, and lets nobody allow them.
      await page.addInitScript(`{
        globalThis.told = []
        globalThis.Notification = class extends EventTarget {
          static permission = location.pathname === '/desk/customers' ? 'granted' : 'default'
          static requestPermission = async () => (Notification.permission = 'granted')
          constructor(title, { body }) { super(); told.push(title + ': ' + body) }
        }
        document.hasFocus = () => false
      }`)
      await page.goto(`${shop.url}/desk/inbox`)
      await page.getByRole('button', { name: 'Turn on notifications on this device' }).click()
      await page.goto(`${shop.url}/desk/customers`)
      await page.fill('input[type=search]', 'Nob')
      const waiting = async () => Number(await page.locator('[data-inbox]').getAttribute('data-inbox'))
      const before = await waiting()
      await comes('Olga', 'svc_advice')
      await expect.poll(waiting).toBe(before + 1)
      expect(await page.title()).toMatch(new RegExp(`^\\(${before + 1}\\) `))
      expect(await page.inputValue('input[type=search]')).toBe('Nob')
      expect(await page.evaluate('told')).toEqual([expect.stringMatching(new RegExp(`Inbox ${before + 1}$`))])
      await page.goto(`${shop.url}/desk/inbox`)
      await page.getByRole('button', { name: 'Turn on notifications on this device' }).click()
      await page.getByRole('button', { name: 'Turn off notifications on this device' }).click()
      await page.getByRole('button', { name: 'Turn on notifications on this device' }).waitFor()
      await page.close()
    },
  )

  test.runIf(way.hand === mouse)('2. book by pressing a gap', async () => {
    await jo.page.goto(`${shop.url}/desk`)
    const ben = jo.page.locator('[data-to=staff_ben]')
    const first = Number.parseInt((await ben.getAttribute('data-first')) ?? '', 10)
    await ben.click({ position: { x: 40, y: (17 - first) * 72 + 10 } })
    await jo.page.waitForURL(/\/desk\/book/)
    await jo.press('Haircut')
    expect(await jo.page.locator('.time-row:has(:checked)').innerText()).toMatch(/^\s*5:00 PM/)
  })

  test.runIf(way.hand === keyboard)('[kept as it is now] who is at a button stays there', async () => {
    await comes('Tom')
    await jo.page.goto(`${shop.url}/desk`)
    await jo.press('Tom')
    const { page } = jo
    const arrived = page.getByRole('button', { name: 'Mark as arrived' })
    await tabTo(page.mainFrame(), arrived)
    await staff('bookings_correct', 'Tom', { notes: 'By train' })
    // As when somebody looks at it again.
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
    await page.getByText('By train').waitFor()
    expect(await arrived.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  test.runIf(way.hand === finger)(
    '[calm on a phone] the toolbar has two rows at most, and the calendar stays where it was pushed to',
    async () => {
      await comes('Una')
      const { page } = jo
      await page.goto(`${shop.url}/desk`)
      // At once, for what is shown may be put in its place anew.
      expect(await page.evaluate(`document.querySelector('.toolbar').offsetHeight`)).toBeLessThan(120)
      const rows = page.locator('.columns')
      await rows.evaluate((one) => one.scrollTo(one.clientWidth, 0))
      const pushed = await rows.evaluate((one) => one.scrollLeft)
      expect(pushed).toBeGreaterThan(120)
      await staff('bookings_correct', 'Una', { buyer: { last_name: 'Tram' } })
      // As when somebody looks at it again.
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
      await page.getByText('Una Tram').first().waitFor()
      expect(await rows.evaluate((one) => one.scrollLeft)).toBe(pushed)
    },
  )

  test('nothing was booked twice, and no money lost', async () => {
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
  })
})
