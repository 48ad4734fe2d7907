import { describe, expect, test } from 'vitest'
import { staffLinkMake } from '../../src/core/authentication/desk-sign-in-links.ts'
import { addStaff, findStaff } from '../../src/core/authentication/staff-members.ts'
import { studio } from '../desk/studio.ts'
import { testShop } from '../support/desk.ts'
import { freePort } from '../support/process.ts'
import { hasBrowser, visit } from './chromium.ts'
import { keyboard, mouse } from './hands.ts'
import { expectWellMade } from './well-made.ts'

describe.runIf(hasBrowser)('[coming in, in a real browser]', async () => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const shop = await testShop(studio, { env: { BASE_URL: url, PORT: String(port) } })
  await (await shop.whole()).listen({ port, host: '127.0.0.1' })
  await addStaff(shop.runtime.db, 'Owner', 'owner', shop.time.now)
  const [owner] = await findStaff(shop.runtime.db, 'Owner')

  test.each([
    ['by mouse', 'Kim', mouse, { locale: 'en', colorScheme: 'light', viewport: { width: 1280, height: 900 } }],
    [
      'by keyboard, on a phone, in Arabic, in the dark',
      'Sam',
      keyboard,
      { locale: 'ar', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
    ],
  ] as const)('%s: invited by a link, and from then on a passkey', async (_, name, hand, look) => {
    const { SCREENSHOTS } = process.env
    const picture = async (page: Awaited<ReturnType<typeof visit>>, of: string) => {
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${of}-${look.locale}.png`, fullPage: true })
    }
    const boss = await visit(look)
    await boss.goto(await staffLinkMake(shop.runtime.db, url, owner?.id ?? '', shop.time.now))
    await hand.press(boss.mainFrame(), 'main form button')
    await boss.waitForURL(/\/desk\/passkey$/)
    await boss.goto(`${url}/desk/people`)
    await picture(boss, 'people')
    if (!(await boss.locator('#name-new').isVisible())) await hand.press(boss.mainFrame(), 'main > details > summary')
    await hand.write(boss.mainFrame(), 'name-new', name)
    await hand.press(boss.mainFrame(), '[value=invite]')
    const link = await boss.locator('[data-copy]').getAttribute('data-copy')
    await expectWellMade(boss)
    await picture(boss, 'invited')

    const page = await visit(look)
    const frame = page.mainFrame()
    const device = await page.context().newCDPSession(page)
    await device.send('WebAuthn.enable')
    const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto(link ?? '')
    await hand.press(frame, 'main form button')
    await page.waitForURL(/\/desk\/passkey$/)
    await expectWellMade(page)
    await picture(page, 'offer')

    // Whose finger it is not makes none, and is told so.
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await hand.press(frame, 'form[data-passkey] button')
    await page.getByRole('alert').waitFor()
    await expectWellMade(page)
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    await hand.press(frame, 'form[data-passkey] button')
    await page.waitForURL(/\/desk$/)
    expect((await device.send('WebAuthn.getCredentials', { authenticatorId })).credentials).toHaveLength(1)

    await page.goto(`${url}/desk/devices`)
    await expectWellMade(page)
    await picture(page, 'devices')
    for (let time = 0; time < 2; time++) {
      await page.context().clearCookies()
      await page.goto(`${url}/desk`)
      await expectWellMade(page)
      await picture(page, 'outside')
      await hand.press(frame, 'form[data-passkey] button')
      await page.locator('header nav a').first().waitFor()
      expect(await page.locator('header nav').textContent()).toContain(name)
    }

    await page.goto(`${url}/desk/devices`)
    await hand.press(frame, '[name=passkey]')
    await page.locator('[name=passkey]').waitFor({ state: 'detached' })
    await page.context().clearCookies()
    await page.goto(`${url}/desk`)
    await hand.press(frame, 'form[data-passkey] button')
    await page.getByRole('alert').waitFor()
    await expectWellMade(page)
    await picture(page, 'refused')
  })

  test('without scripts there is no such button, and a link lets in', async () => {
    const page = await visit({ javaScriptEnabled: false })
    await page.goto(`${url}/desk`)
    expect(await page.locator('form[data-passkey]').isVisible()).toBe(false)
    expect(await page.locator('#email').isVisible()).toBe(true)
    await page.goto(await staffLinkMake(shop.runtime.db, url, owner?.id ?? '', shop.time.now))
    await page.locator('main form button').click()
    await page.waitForURL(/\/desk\/passkey$/)
    await page.locator('main a.button').click()
    await page.locator('header nav').waitFor()
  })
})
