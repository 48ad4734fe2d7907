import { describe, expect, test } from 'vitest'
import { staffLinkMake } from '../../src/core/authentication/desk-sign-in-links.ts'
import { addStaff, findStaff } from '../../src/core/authentication/staff-members.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { daysLater } from '../../src/infra/time/time-zone.ts'
import { studio } from '../desk/studio.ts'
import { buyer, restDesk } from '../support/desk.ts'
import { hasBrowser, visit } from './chromium.ts'
import { type Hand, keyboard, mouse } from './hands.ts'
import { openShop } from './open-shop.ts'
import { expectNotTooWide, expectWellMade } from './well-made.ts'

const wide = { width: 1280, height: 900 }
const narrow = { width: 390, height: 844 }

type Look = { locale: string; colorScheme: 'light' | 'dark'; viewport: typeof wide; javaScriptEnabled?: boolean }

describe.runIf(hasBrowser)('[a sick day, in a real browser]', async () => {
  const shop = await openShop(studio)
  const desk = restDesk(shop)
  const { db } = shop.runtime
  await addStaff(db, 'Jo', 'staff', shop.time.now)
  const [jo] = await findStaff(db, 'Jo')
  let day = '2026-11-24'

  test.each<[string, Hand, Look]>([
    ['by mouse, in English, in the light', mouse, { locale: 'en', colorScheme: 'light', viewport: wide }],
    ['by keyboard alone, in Arabic, in the dark', keyboard, { locale: 'ar', colorScheme: 'dark', viewport: wide }],
    ['on a phone, in German, in the dark', mouse, { locale: 'de', colorScheme: 'dark', viewport: narrow }],
    [
      'on a phone without scripts, in Japanese, in the light',
      mouse,
      { locale: 'ja', colorScheme: 'light', viewport: narrow, javaScriptEnabled: false },
    ],
  ])('%s: away, one button, and everybody has another time', async (_, hand, look) => {
    day = daysLater(day, 7)
    const ids: string[] = []
    for (const email of ['rosa@example.com', 'sam@example.com', 'kim@example.com']) {
      const of = { resource_id: 'staff_ann', start_date: day, end_date: day }
      const person = { ...buyer, last_name: 'Featherstonehaugh-Cholmondeley', email, phone_number: '+12125550143' }
      ids.push((await desk.book((await desk.slots('svc_cut', of))[0], { buyer: person })).data.booking.id)
    }
    const page = await visit(look)
    const frame = page.mainFrame()
    await page.goto(await staffLinkMake(db, shop.url, jo?.id ?? '', shop.time.now))
    await hand.press(frame, 'main form button')
    await page.waitForURL(/\/desk$/)
    await page.goto(`${shop.url}/desk?date=${day}`)
    const begins = () =>
      page.locator('.columns ol').evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
    // Noon is as far down for everybody, however long a name is.
    if (look.viewport === wide) expect(new Set(await begins()).size).toBe(1)
    if (look.javaScriptEnabled !== false) await expectWellMade(page)

    await hand.press(frame, '.person summary')
    await hand.press(frame, '.person a[href^="/desk/away"]')
    await page.waitForURL(/\/desk\/away/)
    await (look.javaScriptEnabled === false ? expectNotTooWide(page) : expectWellMade(page))
    const { SCREENSHOTS } = process.env
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${look.locale}.png`, fullPage: true })
    expect(await page.locator('.affected :checked').count()).toBe(3)
    await hand.press(frame, '.affected button:not([name])')
    await page.waitForURL(/\/desk\?date=/)
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${look.locale}-day.png`, fullPage: true })

    const rows = await db.selectFrom('bookings').select(['starts_at', 'resource_ids']).where('id', 'in', ids).execute()
    for (const { starts_at, resource_ids } of rows)
      expect(resource_ids.includes('staff_ann') && starts_at.toISOString().startsWith(day)).toBe(false)
    const [block] = await db.selectFrom('blocks').selectAll().orderBy('starts_at', 'desc').limit(1).execute()
    expect(block?.starts_at.toISOString().slice(0, 10)).toBe(day)
    expect((await verify(db, shop.time.now)).findings.listed).toEqual([])
  })

  test('what is new comes up by itself, unless something was chosen already', async () => {
    day = daysLater(day, 7)
    const book = async () => {
      const of = { resource_id: 'staff_ann', start_date: day, end_date: day }
      await desk.book((await desk.slots('svc_cut', of))[0])
    }
    await book()
    const page = await visit()
    await page.goto(await staffLinkMake(db, shop.url, jo?.id ?? '', shop.time.now))
    await page.locator('main form button').click()
    await page.waitForURL(/\/desk$/)
    const isLive = page.waitForResponse(/\/desk\/live/)
    await page.goto(`${shop.url}/desk/away?with=staff_ann&date=${day}`)
    await isLive
    // The line is at its end once it has looked for the first time.
    await page.waitForTimeout(1_000)
    await book()
    await page.locator('fieldset').nth(1).waitFor()
    await page.locator('fieldset').first().getByText('Cancel').click()
    await page.locator('h1').click()
    const shown = await page.locator('fieldset').count()
    await book()
    // Longer than what is new takes to come up.
    await page.waitForTimeout(2_000)
    expect(await page.locator('fieldset').count()).toBe(shown)
    expect(await page.locator('fieldset').first().getByText('Cancel').locator('input').isChecked()).toBe(true)
  })
})
