import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { staffLinkMake } from '../../src/core/authentication/desk-sign-in-links.ts'
import { addStaff, findStaff } from '../../src/core/authentication/staff-members.ts'
import { studio } from '../desk/studio.ts'
import { buyer, restDesk } from '../support/desk.ts'
import { hasBrowser, visit } from './chromium.ts'
import { type Hand, keyboard, mouse } from './hands.ts'
import { openShop } from './open-shop.ts'
import { expectNotTooWide, expectWellMade } from './well-made.ts'

const DAY = '2026-11-24'

describe.runIf(hasBrowser)('[a booking finds another place, in a real browser]', async () => {
  const shop = await openShop(studio)
  const desk = restDesk(shop)
  const { db } = shop.runtime
  await addStaff(db, 'Jo', 'staff', shop.time.now)
  const [jo] = await findStaff(db, 'Jo')

  const book = async (resource_id = 'staff_ann') => {
    const of = { resource_id, start_date: DAY, end_date: DAY }
    return (await desk.book((await desk.slots('svc_cut', of))[0], { buyer })).data.booking
  }
  const rowOf = ({ id }: { id: string }) =>
    db.selectFrom('bookings').select(['starts_at', 'resource_ids']).where('id', '=', id).executeTakeFirstOrThrow()
  const open = async (look: Parameters<typeof visit>[0] = {}) => {
    const page = await visit(look)
    await page.goto(await staffLinkMake(db, shop.url, jo?.id ?? '', shop.time.now))
    await page.locator('main form button').click()
    await page.waitForURL(/\/desk$/)
    await page.goto(`${shop.url}/desk?date=${DAY}`)
    return page
  }
  const shot = async (page: Page, name: string) => {
    const { SCREENSHOTS } = process.env
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true })
  }
  const boxOf = async (page: Page, what: string) => {
    const box = await page.locator(what).first().boundingBox()
    if (!box) throw new Error(`there is no ${what}`)
    return box
  }
  async function takeUp(page: Page, { id }: { id: string }) {
    const { x, y } = await boxOf(page, `[data-move="${id}"]`)
    await page.mouse.move(x + 20, y + 10)
    await page.mouse.down()
  }
  /** Holds what was taken up over this time of somebody, and tells what is said of that. */
  async function hold(page: Page, person: string, hour: number) {
    const { x, y } = await boxOf(page, `ol[data-to="${person}"]`)
    await page.mouse.move(x + 40, y + 100, { steps: 4 })
    await page.mouse.move(x + 40, y + (hour - 9) * 72 + 10, { steps: 2 })
    return page.locator('.dropping').textContent()
  }
  const at = (hour: number) => `2026-11-24T${hour + 5}:00:00.000Z`

  test('what the page was before it was let go is not put in the place of what came of it', async () => {
    const one = await book()
    const page = await open()
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(
      ({ pathname }) => pathname === '/desk',
      async (route) => {
        const response = await route.fetch()
        asked.resolve()
        await released.promise
        await route.fulfill({ response })
      },
    )
    // Somebody else's change, of which this page asks how it is now.
    await book()
    await asked.promise
    await takeUp(page, one)
    expect(await hold(page, 'staff_ben', 16)).toBe('4:00 PM')
    await page.mouse.up()
    await page.getByRole('status').waitFor()
    released.resolve()
    await page.evaluate('new Promise((seen) => setTimeout(seen, 100))')
    expect(await page.getByRole('status').isVisible()).toBe(true)
    expect((await rowOf(one)).resource_ids).toEqual(['staff_ben'])
    await page.context().close()
  })

  test('it is dragged to somebody else and back by a press; what stands in its way is said before', async () => {
    const [one, other] = [await book(), await book()]
    const page = await open()
    await shot(page, 'day')
    const hourOf = async (id: { id: string }) => (await rowOf(id)).starts_at.getUTCHours() - 5
    await takeUp(page, one)
    expect(await hold(page, 'staff_ben', 9)).toBe('9:00 AM · Not available')
    expect(await hold(page, 'staff_cat', 12)).toBe('12:00 PM · Does not offer this service')
    expect(await hold(page, 'staff_ann', await hourOf(other))).toMatch(/ · Booked$/)
    await shot(page, 'taken')
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect((await rowOf(one)).resource_ids).toEqual(['staff_ann'])

    await takeUp(page, one)
    expect(await hold(page, 'staff_ben', 14)).toBe('2:00 PM')
    await shot(page, 'dragging')
    await page.mouse.up()
    await page.getByRole('status').waitFor()
    expect(await rowOf(one)).toMatchObject({ starts_at: new Date(at(14)), resource_ids: ['staff_ben'] })
    await shot(page, 'moved')
    await expectWellMade(page)
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await page.waitForURL(`${shop.url}/desk?date=${DAY}`)
    expect((await rowOf(one)).resource_ids).toEqual(['staff_ann'])
  })

  test('what the business says no to is told with what has the time', async () => {
    const [one, other] = [await book(), await book()]
    const page = await open()
    await takeUp(page, one)
    await hold(page, 'staff_ann', (await rowOf(other)).starts_at.getUTCHours() - 5)
    await page.mouse.up()
    await page.getByRole('alert').waitFor()
    await shot(page, 'refused')
    expect(await page.getByRole('alert').locator('a').getAttribute('href')).toContain('/desk/bookings/bkg_')
    await page.goBack()
    await page.locator('.columns').waitFor()
  })

  test.each<[string, Hand, { viewport?: { width: number; height: number }; javaScriptEnabled?: boolean }]>([
    ['by keyboard alone', keyboard, {}],
    ['on a phone without scripts', mouse, { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }],
  ])('%s it is taken up and put elsewhere', async (name, hand, look) => {
    const one = await book()
    const page = await open(look)
    await page.goto(`${shop.url}/desk/bookings/${one.id}`)
    await hand.press(page.mainFrame(), 'a[href*="put="]')
    await page.waitForURL(/put=/)
    await shot(page, name)
    await (look.javaScriptEnabled === false ? expectNotTooWide(page) : expectWellMade(page))
    await hand.press(page.mainFrame(), 'button[value*="staff_ben"]')
    await page.waitForURL(/undo=/)
    expect((await rowOf(one)).resource_ids).toEqual(['staff_ben'])
  })
})
