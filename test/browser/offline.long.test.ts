import { describe, expect, test } from 'vitest'
import { staffLinkMake } from '../../src/core/authentication/desk-sign-in-links.ts'
import { addStaff, findStaff } from '../../src/core/authentication/staff-members.ts'
import { studio } from '../desk/studio.ts'
import { testShop } from '../support/desk.ts'
import { freePort } from '../support/process.ts'
import { hasBrowser, visit } from './chromium.ts'
import { expectWellMade } from './well-made.ts'

describe.runIf(hasBrowser)('[the desk as an app, in a real browser]', async () => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const shop = await testShop(studio, { env: { BASE_URL: url, PORT: String(port) } })
  await (await shop.whole()).listen({ port, host: '127.0.0.1' })
  await addStaff(shop.runtime.db, 'Owner', 'owner', shop.time.now)
  const [owner] = await findStaff(shop.runtime.db, 'Owner')

  test('without a connection it says so, shows no old booking, and comes back', async () => {
    const page = await visit({ viewport: { width: 390, height: 844 } })
    await page.goto(await staffLinkMake(shop.runtime.db, url, owner?.id ?? '', shop.time.now))
    await page.locator('main form button').first().click()
    await page.waitForURL(/\/desk\//)
    await page.goto(`${url}/desk`)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.reload()
    expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(`${url}/desk/worker.js`)

    await page.context().setOffline(true)
    for (const path of ['/desk', '/desk/customers']) {
      await page.goto(`${url}${path}`)
      expect(await page.locator('h1').innerText()).toBe('You are offline')
      expect(await page.locator('.columns, .bookings').count()).toBe(0)
    }
    await expectWellMade(page)
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.locator('.columns').first().waitFor()
    await page.context().close()
  })
})
