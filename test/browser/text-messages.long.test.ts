import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { staffLinkMake } from '../../src/core/authentication/desk-sign-in-links.ts'
import { addStaff, findStaff } from '../../src/core/authentication/staff-members.ts'
import { sendDueMails } from '../../src/core/mails/mail-worker.ts'
import { remind } from '../../src/domain/bookings/send-reminders.ts'
import { salon } from '../booking-flow/visitor.ts'
import { restDesk } from '../support/desk.ts'
import { ACCOUNT, TOKEN, twilioCall, twilioSettings, twilioStandIn } from '../texts/provider-stand-ins.ts'
import { WAYS } from './at-desk.ts'
import { hasBrowser, newPage } from './chromium.ts'
import { keyboard, mouse } from './hands.ts'
import { bookingOf, openShop } from './open-shop.ts'
import { comes, ROSA, type Way } from './visitor.ts'
import { expectWellMade } from './well-made.ts'

const PHONE = { width: 390, height: 844 }
const BUYERS: [string, Way & { answer: '1' | 'link' }][] = [
  [
    'by mouse at 1280 px, in English, with the answer 1',
    { hand: mouse, browser: { locale: 'en', viewport: { width: 1280, height: 900 } }, answer: '1' },
  ],
  [
    'by mouse at 390 px, in German, with the answer 1',
    { hand: mouse, browser: { locale: 'de', viewport: PHONE }, answer: '1' },
  ],
  [
    'by keyboard alone at 390 px, in English, with the link',
    { hand: keyboard, browser: { locale: 'en', viewport: PHONE }, answer: 'link' },
  ],
]

describe.runIf(hasBrowser)('[text messages, in a real browser]', async () => {
  const [twilio, shop] = [await twilioStandIn(), await openShop(salon({ reminder: 'PT1H' }))]
  const { runtime, time, url } = shop
  await addStaff(runtime.db, 'Owner', 'owner', time.now)
  const [owner] = await findStaff(runtime.db, 'Owner')
  const picture = async (page: Page, name: string) => {
    const { SCREENSHOTS } = process.env
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/texts ${name}.png`, fullPage: true })
  }

  /** Sends what is due, as the background thread does. */
  let isOver = false
  const worker = (async () => {
    for (; !isOver; await sleep(200)) await sendDueMails(runtime)
  })()
  afterAll(() => {
    isOver = true
    return worker
  })

  test.each(WAYS)(
    'an owner %s enters the provider, and reads what became of a test message',
    async (name, { hand, look }) => {
      const page = await newPage(look)
      await page.goto(await staffLinkMake(runtime.db, url, owner?.id ?? '', time.now))
      await Promise.all([page.waitForNavigation(), page.locator('main form button').first().click()])
      await page.goto(`${url}/desk/setup`)
      const frame = page.mainFrame()
      await hand.press(frame, 'main a[href="/desk/setup/text-messages"]')
      await page.waitForURL(/text-messages$/)
      await expectWellMade(page)
      await picture(page, `empty ${name}`)
      await hand.write(frame, 'url', twilio.url)
      await hand.write(frame, 'account', ACCOUNT)
      await hand.write(frame, 'secret', TOKEN)
      await hand.write(frame, 'sender', '+12125550100')
      await hand.write(frame, 'countries', 'ZZ')
      await hand.press(frame, 'main button[value=save]')
      await page.locator('#countries-error').waitFor()
      await expectWellMade(page)
      await picture(page, `wrong ${name}`)
      await hand.write(frame, 'secret', TOKEN)
      await hand.write(frame, 'countries', 'US')
      await hand.press(frame, 'main button[value=save]')
      await page.waitForURL(/\?saved$/)
      time.now = new Date(time.now.getTime() + 5_000)
      await sleep(1_100)
      await hand.write(frame, 'to', '212 555 0171')
      const sent = twilio.sent.length
      const moving = setInterval(() => {
        time.now = new Date(time.now.getTime() + 1_000)
      }, 500)
      await hand.press(frame, 'main button[value=test]')
      await page.getByText('The provider accepted the test message.').waitFor()
      clearInterval(moving)
      expect(twilio.sent.slice(sent)).toMatchObject([{ to: '+12125550171' }])
      await expectWellMade(page)
      await picture(page, `set ${name}`)
      await hand.press(frame, 'main details:has(button[value=remove]) summary')
      await hand.press(frame, 'main button[value=remove]')
      await page.locator('#secret-stored').waitFor({ state: 'detached' })
    },
  )

  test.each(BUYERS)('a buyer %s agrees, and confirms after the reminder', async (name, way) => {
    const as = await shop.staffAs('owner')
    const settings = twilioSettings(twilio)
    const said = await restDesk(shop).call('usp_business_text_provider_set', settings, { as })
    expect(said.code).toBeUndefined()
    await sleep(1_100)
    const visitor = await comes(shop, way, 'svc_haircut')
    await visitor.press('.times button', /\/details\?/)
    await visitor.write(ROSA)
    await visitor.press('#texts')
    expect(await visitor.frame.locator('#texts').isChecked()).toBe(true)
    await expectWellMade(visitor.frame)
    await picture(visitor.page, `consent ${name}`)
    await visitor.send(/\/booking\//)
    const booking = await bookingOf(shop, visitor.frame)
    const { now } = time
    time.now = new Date(booking.starts_at.getTime() - 59 * 60_000)
    await remind(runtime, time.now)
    await expect.poll(() => twilio.sent.at(-1)?.text, { timeout: 10_000 }).toContain('/attend/')
    const text = twilio.sent.at(-1)?.text ?? ''
    const link = new URL(text.split(' ').at(-1) ?? '').pathname
    if (way.answer === '1') {
      const fields = { From: '+12125550143', Body: '1', MessageSid: name }
      expect((await shop.inject(twilioCall(fields, { url: `${url}/text-messages/twilio` }))).statusCode).toBe(200)
      await visitor.open(link)
      await visitor.frame.waitForURL(/\/manage\//)
    } else {
      await visitor.open(link)
      await expectWellMade(visitor.frame)
      await visitor.press('main form button', /\/manage\//)
    }
    await visitor.reads('booking.attending')
    await expectWellMade(visitor.frame)
    await picture(visitor.page, `confirmed ${name}`)
    time.now = now
  })
})
