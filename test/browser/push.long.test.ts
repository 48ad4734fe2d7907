import type { CDPSession, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { staffLinkMake } from '../../src/core/authentication/desk-sign-in-links.ts'
import { addStaff, findStaff } from '../../src/core/authentication/staff-members.ts'
import { sendDuePushMessages } from '../../src/core/push/push-worker.ts'
import { studio } from '../desk/studio.ts'
import { pushService } from '../push/push-service.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { freePort } from '../support/process.ts'
import { hasBrowser, visit } from './chromium.ts'
import { expectWellMade } from './well-made.ts'

describe.runIf(hasBrowser)('[push notifications, in a real browser]', async () => {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const shop = await testShop(studio, { env: { BASE_URL: url, PORT: String(port) } })
  await (await shop.whole()).listen({ port, host: '127.0.0.1' })
  const { db, business } = shop.runtime
  await addStaff(db, 'Owner', 'owner', shop.time.now)
  const [owner] = await findStaff(db, 'Owner')
  const service = await pushService()

  async function signedIn(look: Parameters<typeof visit>[0] = {}): Promise<Page> {
    const page = await visit(look)
    await page.goto(await staffLinkMake(db, url, owner?.id ?? '', shop.time.now))
    await page.locator('main form button').first().click()
    await page.waitForURL(/\/desk\//)
    await page.goto(`${url}/desk/devices`)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    return page
  }

  /** A browser without a screen reaches no push service. What it would answer is given by the test instead. */
  const withPushService = (page: Page) =>
    page.evaluate(
      `Notification.requestPermission = async () => 'granted'
      PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
        const { endpoint, ...keys } = await subscribeAtService(applicationServerKey, userVisibleOnly)
        return { toJSON: () => ({ endpoint, keys }) }
      }`,
    )

  test.each([
    ['on a computer', { viewport: { width: 1280, height: 900 } }],
    ['on a phone, in the dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
    ['on a phone, in Arabic', { viewport: { width: 390, height: 844 }, locale: 'ar' }],
    ['on a phone, in German', { viewport: { width: 390, height: 844 }, locale: 'de' }],
  ] as const)('%s: turned on, extended, and turned off again', async (name, look) => {
    const page = await signedIn(look)
    const section = page.locator('#push')
    const picture = async (of: string) => {
      const { SCREENSHOTS } = process.env
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/push ${name} ${of}.png`, fullPage: true })
    }
    await page.exposeFunction('subscribeAtService', (key: string, isVisible: boolean) =>
      isVisible ? service.subscribe(key) : undefined,
    )
    await expectWellMade(page)
    await picture('off')
    await withPushService(page)
    await section.locator('button').click()
    await section.locator('[name=details]').waitFor()
    expect(page.url()).toBe(`${url}/desk/devices#push`)
    await expectWellMade(page)
    await picture('on')
    await section.locator('[name=details]').check()
    await section.locator('button').first().click()
    await page.waitForURL(/#push$/)
    expect(await section.locator('[name=details]').isChecked()).toBe(true)

    await business.seenBy(db)
    const desk = restDesk(shop)
    const { id } = (await desk.book((await desk.slots('svc_cut'))[0])).data.booking
    await sendDuePushMessages(shop.runtime)
    const [arrival] = service.arrivals.splice(0)
    expect(arrival?.payload).toMatchObject({ url: `/desk/bookings/${id}`, body: expect.stringContaining('Alice') })

    await section.locator('button').last().click()
    await section.locator('form[data-push-key]').waitFor()
    expect(await db.selectFrom('push_subscriptions').select('id').execute()).toEqual([])
  })

  test('without the permission it says what to do', async () => {
    const page = await signedIn()
    await page.evaluate(`Notification.requestPermission = async () => 'denied'`)
    await page.locator('#push button').click()
    const alert = page.locator('#push [role=alert]')
    await alert.waitFor()
    expect(await alert.innerText()).toContain('Allow notifications for this page')
    await expectWellMade(page)
  })

  test('without scripts there is no button that does nothing', async () => {
    const page = await visit({ javaScriptEnabled: false })
    await page.goto(await staffLinkMake(db, url, owner?.id ?? '', shop.time.now))
    await page.locator('main form button').first().click()
    await page.waitForURL(/\/desk\//)
    await page.goto(`${url}/desk/devices`)
    expect(await page.locator('#push').isVisible()).toBe(false)
  })

  /** Hands a message to the service worker, as a browser does after it has decrypted one. */
  async function deliver(session: CDPSession, data: string): Promise<void> {
    const registrationId = new Promise<string>((resolve) =>
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [found] = registrations.filter(({ isDeleted }) => !isDeleted)
        if (found) resolve(found.registrationId)
      }),
    )
    await session.send('ServiceWorker.enable')
    await session.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId: await registrationId, data })
  }

  /** A browser without a screen shows no notifications. The worker of the page gets stand-ins that record the calls. */
  async function workerOf(page: Page) {
    const worker = page
      .context()
      .serviceWorkers()
      .find((one) => one.url() === `${url}/desk/worker.js`)
    if (!worker) throw new Error('There is no service worker')
    await worker.evaluate(`{
      globalThis.calls = []
      registration.showNotification = async (title, options) => void calls.push({ title, ...options })
      clients.openWindow = async (address) => void calls.push({ opened: address })
      clients.matchAll = async () => [{ url: '${url}/desk/inbox', focus: async () => void calls.push({ focused: true }) }]
    }`)
    return { calls: () => worker.evaluate('calls.splice(0)'), evaluate: (script: string) => worker.evaluate(script) }
  }

  test('the service worker shows a message, and a later one about the same replaces it', async () => {
    const page = await signedIn()
    const worker = await workerOf(page)
    const message = { title: 'New booking', body: 'Tue, 10:00', tag: 't', lang: 'en', dir: 'ltr' }
    await deliver(await page.context().newCDPSession(page), JSON.stringify({ ...message, url: '/desk/inbox' }))
    const calls: unknown[] = []
    await expect.poll(async () => calls.push(...((await worker.calls()) as unknown[]))).toBe(1)
    expect(calls).toEqual([{ ...message, renotify: true, data: { url: '/desk/inbox' } }])
  })

  test.each([
    ['the page that is open', '/desk/inbox', { focused: true }],
    ['another page in a new window', '/desk/bookings/bkg_1', { opened: `${url}/desk/bookings/bkg_1` }],
  ])('a click shows %s', async (_, path, call) => {
    const page = await signedIn()
    const worker = await workerOf(page)
    await worker.evaluate(`{
      const event = new Event('notificationclick')
      const notification = { close: () => calls.push({ closed: true }), data: { url: '${path}' } }
      globalThis.done = undefined
      dispatchEvent(Object.assign(event, { notification, waitUntil: (promise) => { done = promise } }))
    }`)
    await worker.evaluate('done')
    expect(await worker.calls()).toEqual([{ closed: true }, call])
  })

  test('the page for a device without a connection has the language in which the desk was opened last', async () => {
    const page = await signedIn({ locale: 'en' })
    await page.goto(`${url}/desk?lang=de`)
    const stored = () =>
      page.evaluate(async () => (await (await caches.match('/desk/offline'))?.text())?.includes('<html lang="de"'))
    await expect.poll(stored).toBe(true)
    await page.reload()
    await page.context().setOffline(true)
    await page.goto(`${url}/desk`)
    expect(await page.locator('h1').innerText()).toBe('Sie sind offline')
    await page.context().setOffline(false)
  })
})
