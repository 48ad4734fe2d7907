import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { staffLinkMake } from '../../src/core/authentication/desk-sign-in-links.ts'
import { addStaff, findStaff } from '../../src/core/authentication/staff-members.ts'
import { businessDefinition } from '../../src/core/business/definition-queries.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'
import { serverWithAllInterfaces } from '../support/server.ts'
import { Receptionist } from './at-desk.ts'
import { hasBrowser, newPage, visit } from './chromium.ts'
import { mouse } from './hands.ts'
import { fillIn, ROSA } from './visitor.ts'
import { expectWellMade } from './well-made.ts'

const phone = { width: 390, height: 800 }

describe.runIf(hasBrowser).each([
  ['with scripts', true],
  ['without', false],
])('[a newcomer without a file] %s', (_, javaScriptEnabled) => {
  test('answers five questions, is booked, and changes a price', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const { app, runtime, time } = await serverWithAllInterfaces(undefined, {
      env: { BASE_URL: url, PORT: String(port) },
    })
    await app.listen({ port, host: '127.0.0.1' })
    await addStaff(runtime.db, 'Owner', 'owner', time.now)
    const [{ id } = { id: '' }] = await findStaff(runtime.db, 'Owner')

    const page = await newPage({ viewport: phone, javaScriptEnabled, timezoneId: 'Europe/Berlin' })
    await page.goto(await staffLinkMake(runtime.db, url, id, time.now))
    await page.locator('main form button').click()
    await page.waitForURL(/\/desk\/setup$/)
    if (javaScriptEnabled) {
      await expectWellMade(page)
      expect(await page.inputValue('#zone')).toBe('Europe/Berlin')
    }
    await fillIn(page, {
      name: 'Salon Zoë',
      address: 'Hauptstr. 1',
      service: 'Cut',
      price: '45.50',
      people: 'Zoë\nAnna',
    })
    await page.getByRole('button', { name: 'Open for bookings' }).click()
    await page.getByRole('link', { name: 'Customers can now book' }).click()

    await page.getByRole('link', { name: 'Cut' }).click()
    await page.locator('.times button').first().click()
    await page.waitForURL(/\/details/)
    await fillIn(page, ROSA)
    // Nobody writes that fast but a machine.
    time.now = new Date(time.now.getTime() + 5_000)
    await page.locator('main form button').last().click()
    await page.waitForURL(/\/booking\//)
    expect(await runtime.db.selectFrom('bookings').select('status').execute()).toEqual([{ status: 'confirmed' }])

    await page.goto(`${url}/desk/setup/services`)
    await page.getByRole('link', { name: 'Cut' }).click()
    await page.locator('[name="pricing.amount"]').fill('50')
    await page.locator('[name="pricing.amount"]').press('Enter')
    await page.getByText('Price › Amount: $45.50 → $50.00').waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.waitForURL(/\/desk\/setup\/services\?saved$/)
    expect((await businessDefinition(runtime.db))?.services[0]?.pricing.amount).toBe(5000)
    await page.context().close()
  })
})

test.runIf(hasBrowser)(
  '[a newcomer in an empty folder] is seven pages and six presses from `npm start -- --new` to an appointment',
  async () => {
    const folder = join(tmpdir(), `usp-newcomer-${randomUUID()}`)
    const running = usp(['serve', '--new'], { PORT: String(await freePort()), USP_DATA_DIR: folder })
    await waitForOutput(running, 'Ctrl-C stops it.')
    const page = await visit()
    const pages: string[] = []
    page.on('domcontentloaded', () => pages.push(new URL(page.url()).pathname))
    const newcomer = new Receptionist(page, mouse)
    await page.goto(/http\S+\/desk\/enter\/\S+/.exec(running.output())?.[0] ?? '')
    await newcomer.press('Sign in')
    await newcomer.take({
      Name: 'Salon Zoë',
      'One service, such as Haircut': 'Cut',
      'Names, one per line': 'Zoë',
    })
    await newcomer.press('Open for bookings')
    await newcomer.press('Customers can now book')
    await newcomer.press('Cut')
    // Today is as late as it is.
    await newcomer.press(await page.locator('.times button').first().innerText())
    await newcomer.take({ 'First name': 'Rosa', 'Last name': 'Díaz' })
    // As people write: who is faster is taken for a machine.
    await page.getByLabel('Email address').pressSequentially('rosa@example.com', { delay: 120 })
    await newcomer.press('Confirm booking')
    expect(await page.locator('main').innerText()).toMatch(/Confirmed|booked/i)
    expect([pages.length, newcomer.presses]).toEqual([7, 6])
    running.process.kill('SIGINT')
    await running.ended
    rmSync(folder, { recursive: true, force: true })
  },
)
