import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Frame, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { listening } from '../clients/listening.ts'
import { accountWith, newEmail, PASSWORD } from '../oauth/browser.ts'
import { freePort } from '../support/process.ts'
import { hasBrowser, visit } from './chromium.ts'
import { fillIn, ROSA, submit } from './visitor.ts'
import { expectWellMade } from './well-made.ts'

describe.runIf(hasBrowser)('[any assistant can book] the Inspector in a browser', async () => {
  const { server, origin } = await listening()
  const inspector = await inspectorOf(`${origin}/mcp`)
  const bookings = () => server.runtime.db.selectFrom('bookings').select('principal').execute()

  /** When the bookings of whoever signed in begin that stand. */
  const starts = () =>
    server.runtime.db
      .selectFrom('bookings')
      .select('starts_at')
      .where('principal', 'like', 'client:%')
      .where('status', '=', 'confirmed')
      .execute()

  /** The Inspector, connected by nothing but the address. */
  async function connected(): Promise<Page> {
    server.time.now = new Date()
    const page = await visit()
    await page.goto(inspector)
    await page.getByLabel(/^Connect or disconnect/).click({ force: true })
    await tab(page, 'Apps').waitFor()
    return page
  }

  test('shows an app in which somebody finds a time, and books by its link', async () => {
    const page = await connected()
    const view = await opened(page, 'Find services')
    await expectWellMade(view)
    await view.getByRole('button', { name: /^Show times: Women’s/ }).click()
    await view.locator('.times button').first().click()
    const coming = page.context().waitForEvent('page')
    await view.getByRole('button', { name: 'Continue booking' }).click()
    const link = await coming
    await fillIn(link, ROSA)
    // Nobody writes a name within a moment.
    server.time.now = new Date(Date.now() + 60_000)
    await submit(link)
    await link.waitForURL(/\/booking\//)
    await view.getByText('Confirmed', { exact: true }).waitFor()
    await expectWellMade(view)
    expect(await bookings()).toEqual([{ principal: expect.stringMatching(/^assistant:/) }])
  })

  test('sends somebody to sign in once a tool needs it, books at once, and shows what they booked, to move and to cancel', async () => {
    const page = await connected()
    await choose(page, 'My bookings')
    await page.waitForURL(/\/link\//)
    const email = newEmail()
    await accountWith(server, email)
    await fillIn(page, { email, password: PASSWORD })
    await page.locator('button[value=sign_in]').click()
    await expectWellMade(page)
    await page.locator('button[value=allow]').click()
    const times = await told(page, 'find_times', { service_ids: ['svc_haircut'] })
    const [slot_id] = /slot_[\w-]+/.exec(times) ?? []
    const person = { first_name: 'Rosa', last_name: 'Díaz' }
    expect(await told(page, 'book', { slot_id, person })).toMatch(/- bkg_.*: confirmed$/m)
    const view = await opened(page, 'My bookings')
    await view.getByText('Confirmed', { exact: true }).waitFor()
    await expectWellMade(view)
    expect(await bookings()).toContainEqual({ principal: expect.stringMatching(/^client:app_/) })

    const [booked] = await starts()
    await view.getByRole('button', { name: /^Reschedule booking: / }).click()
    await view.locator('.times button').last().click()
    await expectWellMade(view)
    await view.getByRole('button', { name: 'Reschedule booking' }).click()
    await view.getByText('Confirmed', { exact: true }).waitFor()
    expect(await starts()).not.toEqual([booked])
    await view.getByRole('button', { name: /^Cancel booking: / }).click()
    await expectWellMade(view)
    await view.getByRole('button', { name: 'Cancel booking' }).click()
    await view.getByText('Canceled', { exact: true }).waitFor()
    await expectWellMade(view)
    expect(await starts()).toEqual([])
  })
})

/** The Inspector’s own server, and where it says that its page is. */
async function inspectorOf(url: string): Promise<string> {
  const [CLIENT_PORT, MCP_SANDBOX_PORT, MCP_APP_ORIGIN_PORT] = [await freePort(), await freePort(), await freePort()]
  const child = spawn('node_modules/.bin/mcp-inspector', ['--web', '--server-url', url, '--transport', 'http'], {
    env: {
      PATH: process.env.PATH,
      HOME: mkdtempSync(join(tmpdir(), 'usp-inspector-')),
      MCP_AUTO_OPEN_ENABLED: 'false',
      MCP_INSPECTOR_SECRET_STORE: 'file',
      CLIENT_PORT: `${CLIENT_PORT}`,
      MCP_SANDBOX_PORT: `${MCP_SANDBOX_PORT}`,
      MCP_APP_ORIGIN_PORT: `${MCP_APP_ORIGIN_PORT}`,
    },
  })
  afterAll(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  })
  let says = ''
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error(says)))
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        says += chunk
        const [address] = /http:\S+TOKEN=\w+(?=\s)/.exec(says) ?? []
        if (address) resolve(address)
      })
  })
}

/** Headings say the same below. */
const tab = (page: Page, name: string) => page.getByText(name, { exact: true }).first()

async function choose(page: Page, app: string): Promise<void> {
  await tab(page, 'Apps').click()
  await page.getByText(app, { exact: true }).first().click()
  await page.getByRole('button', { name: 'Open App' }).click()
}

/** The view that the app shows, once it shows something: the Inspector puts it into a frame within a frame. */
async function opened(page: Page, app: string): Promise<Frame> {
  await choose(page, app)
  const inner = () => page.frames().find((frame) => frame.parentFrame()?.url().includes('/sandbox'))
  await expect.poll(inner, { timeout: 60_000 }).toBeDefined()
  const view = inner()
  if (!view) throw new Error('There is no view')
  await view.locator('main > *').first().waitFor()
  return view
}

/** What a tool says of this, once there is an answer. */
async function told(page: Page, tool: string, input: object): Promise<string> {
  await tab(page, 'Tools').click()
  await page.getByRole('button', { name: new RegExp(`\\b${tool}$`) }).click()
  const asJson = page.getByLabel('Edit as JSON')
  if (!(await asJson.isChecked())) await asJson.click()
  await page.getByLabel(/^Arguments JSON/).focus()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(JSON.stringify(input))
  await page.getByRole('button', { name: 'Execute Tool' }).click()
  const answered = page.getByText(/^(Free times, |Booked:)/)
  return answered.first().innerText()
}
