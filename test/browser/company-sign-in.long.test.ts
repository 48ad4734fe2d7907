import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { staffLinkMake } from '../../src/core/authentication/desk-sign-in-links.ts'
import { staffInsert } from '../../src/core/authentication/staff-members.ts'
import { salon } from '../booking-flow/visitor.ts'
import { oidcProvider } from '../company/oidc-provider.ts'
import { CLIENT } from '../company/stand-in.ts'
import { WAYS } from './at-desk.ts'
import { hasBrowser, newPage, visit } from './chromium.ts'
import { openShop } from './open-shop.ts'
import { expectWellMade } from './well-made.ts'

describe.runIf(hasBrowser)('[company sign-in, in a real browser]', async () => {
  const shop = await openShop(salon())
  const { runtime, time, url } = shop
  const issuer = await oidcProvider(
    {
      rosa: { email: 'Rosa@Example.com', email_verified: true, name: 'Rosa', groups: ['desk'] },
      eve: { email: 'eve@example.com', email_verified: false, name: 'Eve', groups: ['desk'] },
      new: { email: 'new@example.com', email_verified: true, name: 'Nora New', groups: ['desk', 'heads'] },
    },
    `${url}/desk/company-sign-in/return`,
  )
  const owner = await staffInsert(runtime.db, { name: 'Olga', role: 'owner', email: 'eve@example.com' }, time.now)
  const rosa = await staffInsert(runtime.db, { name: 'Rosa', role: 'viewer', email: 'rosa@example.com' }, time.now)
  const signedInOwner = async (look: Parameters<typeof newPage>[0]) => {
    const page = await visit(look)
    await page.goto(await staffLinkMake(runtime.db, url, owner.id, time.now))
    await Promise.all([page.waitForNavigation(), page.locator('main form button').first().click()])
    return page
  }
  const picture = async (page: Page, name: string) => {
    const { SCREENSHOTS } = process.env
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/company ${name}.png`, fullPage: true })
  }

  test.each(WAYS)('an owner %s enters the provider and tests it, and staff sign in', async (name, { hand, look }) => {
    await runtime.db.deleteFrom('company_sign_in').execute()
    const page = await signedInOwner(look)
    const frame = page.mainFrame()
    await page.goto(`${url}/desk/setup`)
    await hand.press(frame, 'main a[href="/desk/setup/company-sign-in"]')
    await page.waitForURL(/company-sign-in$/)
    await expectWellMade(page)
    await picture(page, `empty ${name}`)
    const enter = async (fields: Record<string, string>) => {
      for (const [field, text] of Object.entries(fields)) await hand.write(frame, field, text)
      await hand.press(frame, 'main button[value=save]')
    }
    await enter({ name: 'Example ID', issuer: url, client_id: CLIENT.client_id, client_secret: CLIENT.client_secret })
    await page.locator('#domains-error, #issuer-error').first().waitFor()
    await expectWellMade(page)
    await picture(page, `wrong ${name}`)
    await page.goto(`${url}/desk/setup/company-sign-in`)
    const rules = { 'claim-0': 'groups', 'value-0': 'desk', 'claim-1': 'groups', 'value-1': 'heads' }
    await hand.write(frame, 'name', 'Example ID')
    await hand.choose(frame, 'role-1', 'manager')
    await enter({ issuer, ...CLIENT, domains: 'example.com', ...rules })
    await page.waitForURL(/\?saved$/)
    await page.getByText('Not tested yet.').waitFor()
    await expectWellMade(page)
    await picture(page, `untested ${name}`)
    await hand.press(frame, 'main a[href="/desk/company-sign-in/test"]')
    await page.waitForURL(/\/login\//)
    await hand.write(frame, 'user', 'eve')
    await hand.press(frame, '#go')
    await page.getByText('The test worked.').waitFor()
    await expectWellMade(page)
    await picture(page, `tested ${name}`)
    expect(
      await runtime.db.selectFrom('company_accounts').selectAll().where('staff_id', '=', owner.id).execute(),
    ).toEqual([])

    const staff = await visit(look)
    const there = staff.mainFrame()
    const signIn = async (user: string) => {
      await staff.context().clearCookies()
      await staff.goto(`${url}/desk`)
      await expectWellMade(staff)
      await picture(staff, `sign-in ${name}`)
      await hand.press(there, 'main a[href="/desk/company-sign-in"]')
      await staff.waitForURL(/\/login\//)
      if (user === '') return hand.press(there, '#cancel')
      await hand.write(there, 'user', user)
      await hand.press(there, '#go')
    }
    for (const user of ['', 'eve']) {
      await signIn(user)
      await staff.getByText('That did not work.').waitFor()
      await expectWellMade(staff)
    }
    for (const [user, role] of [
      ['rosa', 'staff'],
      ['new', 'manager'],
    ] as const) {
      await signIn(user)
      await staff.waitForURL(`${url}/desk`)
      const { sub: _, ...found } = {
        sub: user,
        ...(await memberOf(user === 'rosa' ? 'rosa@example.com' : 'new@example.com')),
      }
      expect(found.role).toBe(role)
    }
    expect((await memberOf('rosa@example.com'))?.id).toBe(rosa.id)
    await page.goto(`${url}/desk/setup/company-sign-in`)
    await hand.press(frame, 'main details:has(button[value=remove]) summary')
    await hand.press(frame, 'main button[value=remove]')
    await page.locator('#secret-stored').waitFor({ state: 'detached' })
    await staff.goto(`${url}/desk`)
    await staff.locator('main a[href="/desk/company-sign-in"]').waitFor({ state: 'detached' })
    expect(await staff.locator('main').innerText()).not.toContain('Example ID')
  })

  const memberOf = (email: string) =>
    runtime.db.selectFrom('staff').select(['id', 'role']).where('email', '=', email).executeTakeFirst()

  describe.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['with forced colours', { forcedColors: 'active' }],
    ['in Arabic', { locale: 'ar' }],
  ] as const)('%s', (_, options) => {
    let page: Page
    beforeAll(async () => {
      page = await newPage(options)
      await page.goto(await staffLinkMake(runtime.db, url, owner.id, time.now))
      await Promise.all([page.waitForNavigation(), page.locator('main form button').first().click()])
    })
    afterAll(() => page.context().close())

    test.each([1280, 390])('axe finds no fault at %d px', async (width) => {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`${url}/desk/setup/company-sign-in`)
      await expectWellMade(page)
      await page.locator('#issuer').fill('https://127.0.0.1:1')
      for (const field of ['name', 'client_id', 'client_secret']) await page.locator(`#${field}`).fill('x')
      await page.locator('#domains').fill('example.com')
      await page.locator('main button[value=save]').click()
      await page.locator('#issuer-error').waitFor()
      await expectWellMade(page)
    })
  })
})
