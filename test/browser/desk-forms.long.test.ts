import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { studio } from '../desk/studio.ts'
import { buyer, restDesk } from '../support/desk.ts'
import { receptionist } from './at-desk.ts'
import { hasBrowser } from './chromium.ts'
import { mouse } from './hands.ts'
import { openShop } from './open-shop.ts'

const DAY = '2026-11-24'

describe.runIf(hasBrowser)('[one form, one effect] at the desk, in a real browser', async () => {
  const shop = await openShop(studio)
  const desk = restDesk(shop)
  const { db } = shop.runtime
  const jo = await receptionist(shop, { hand: mouse, look: { viewport: { width: 1280, height: 900 } } })
  const { page } = jo

  const book = async () => {
    const [slot] = await desk.slots('svc_cut', { resource_id: 'staff_ann', start_date: DAY, end_date: DAY })
    return (await desk.book(slot, { buyer })).data.booking
  }
  const rowOf = ({ id }: { id: string }) =>
    db.selectFrom('bookings').select(['starts_at', 'resource_ids']).where('id', '=', id).executeTakeFirstOrThrow()
  const bookings = () => db.selectFrom('bookings').select('id').execute()

  async function drag({ id }: { id: string }, hour: number) {
    const [thing, column] = [`[data-move="${id}"]`, 'ol[data-to="staff_ben"]'].map((one) => page.locator(one).first())
    const [from, to] = [await thing?.boundingBox(), await column?.boundingBox()]
    if (!from || !to) throw new Error('there is nothing to drag, or nowhere to')
    await page.mouse.move(from.x + 20, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(to.x + 40, to.y + 100, { steps: 4 })
    await page.mouse.move(to.x + 40, to.y + (hour - 9) * 72 + 10, { steps: 2 })
    await page.locator('.dropping').waitFor()
    await page.mouse.up()
  }

  /** Holds back what the browser sends there, until it is let go. */
  async function heldBack(there: Page, path: string) {
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await there.route(
      ({ pathname }) => pathname === path,
      async (route) => {
        asked.resolve()
        await released.promise
        await route.continue()
      },
    )
    return { asked: asked.promise, letGo: released.resolve }
  }

  test('each drop is a form of its own, also while the answer to another is due', async () => {
    const [one, other] = [await book(), await book()]
    await page.goto(`${shop.url}/desk?date=${DAY}`)
    const { asked, letGo } = await heldBack(page, `/desk/bookings/${one.id}/move`)
    await drag(one, 14)
    await asked
    await drag(other, 12)
    await expect.poll(async () => (await rowOf(other)).resource_ids).toEqual(['staff_ben'])
    letGo()
    await expect.poll(async () => (await rowOf(one)).resource_ids).toEqual(['staff_ben'])
  })

  test('a page that is read anew and says the same is left as it is, though its forms have other tokens', async () => {
    await page.goto(`${shop.url}/desk?date=${DAY}`)
    await page.waitForLoadState('networkidle').catch(() => {})
    await page.evaluate('document.querySelector("main h1").isStillThere = true')
    const read = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/desk')
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
    await (await read).finished()
    await page.evaluate('new Promise((seen) => setTimeout(seen, 200))')
    expect(await page.evaluate('document.querySelector("main h1").isStillThere')).toBe(true)
  })

  test('a button that is pressed twice books once, and the browser comes to the booking', async () => {
    await page.goto(`${shop.url}/desk/book?service=svc_class`)
    await page.fill('[name=first_name]', 'Ada')
    const before = await bookings()
    await page.evaluate(
      'document.querySelectorAll("main form[method=post] button").forEach((one) => { one.click(); one.click() })',
    )
    await page.waitForURL(/\/desk\/bookings\/bkg_/)
    expect(await page.locator('h1').innerText()).toBe('Ada')
    expect(await bookings()).toHaveLength(before.length + 1)
  })

  test('a form whose answer is lost and that is sent again books once', async () => {
    await page.goto(`${shop.url}/desk/book?service=svc_class`)
    await page.fill('[name=first_name]', 'Grace')
    const before = await bookings()
    // The server does it, and its answer never arrives; a moment later the button is pressed again.
    await page.route('**/desk/book', async (route) => void (await route.fetch({ maxRedirects: 0 })), { times: 1 })
    await page.evaluate(`{
      const button = document.querySelector('main form[method=post] > button')
      button.click()
      setTimeout(() => button.click(), 1500)
    }`)
    await expect.poll(() => page.url()).toMatch(/\/desk\/bookings\/bkg_/)
    expect(await page.locator('h1').innerText()).toBe('Grace')
    expect(await bookings()).toHaveLength(before.length + 1)
  })
})
