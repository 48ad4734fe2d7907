import { describe, expect, test } from 'vitest'
import { salon } from '../booking-flow/visitor.ts'
import { assistant } from '../interfaces/assistant/talk.ts'
import { hasBrowser, visit } from './chromium.ts'
import { bookingOf, openShop } from './open-shop.ts'
import { fillIn, ROSA, sendSlowly } from './visitor.ts'
import { expectWellMade } from './well-made.ts'

describe.runIf(hasBrowser)('[in a real browser]', async () => {
  const shop = await openShop(salon())
  const helper = assistant(shop)

  test('[any assistant can book] somebody opens the link that it was given, says who they are and presses the button', async () => {
    const { data } = await helper.call('find_times', { service_ids: ['svc_haircut'], from: '2026-11-24' })
    const { data: begun } = await helper.call('book', { slot_id: data.times[0].slots[0].slot_id })
    const page = await visit({ locale: 'de-DE', viewport: { width: 360, height: 780 }, colorScheme: 'dark' })
    await page.goto(begun.link)
    await expectWellMade(page)
    const statusOf = async () => (await helper.call('booking_status', { status_code: begun.status_code })).data.state
    expect(await statusOf()).toBe('opened')
    await fillIn(page, ROSA)
    await sendSlowly(page, shop)
    await page.waitForURL(/\/booking\//)
    expect(await statusOf()).toBe('booked')
    expect((await bookingOf(shop, page)).principal).toMatch(/^assistant:/)
  })
})
