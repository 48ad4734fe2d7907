import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addStaff, findStaff } from '../../src/authentication/staff.ts'
import { staffLinkMake } from '../../src/authentication/staff-links.ts'
import { studio } from '../desk/studio.ts'
import { buyer, restDesk } from '../support/desk.ts'
import { hasBrowser, newPage } from './chromium.ts'
import { openShop } from './open-shop.ts'
import { expectNotTooWide, expectSkipLink, expectStill, expectWellMade } from './well-made.ts'

/** What is no page to look at: files, what a browser listens to, and the link that is used up by opening the desk here. */
const NO_PAGE = ['/desk/desk.js', '/desk/desk.css', '/desk/live', '/desk/leave', '/desk/enter/:secret']

const DAY = '2026-11-24'

describe.runIf(hasBrowser)('[nobody is kept out] every page of the desk', async () => {
  const served = new Set<string>()
  subscribe('fastify.initialization', (message) => {
    const { fastify }: { fastify?: FastifyInstance } = Object(message)
    fastify?.addHook('onRoute', ({ url, method }) => {
      if ([method].flat().includes('GET') && /^\/desk(\/|$)/.test(url) && !NO_PAGE.includes(url)) served.add(url)
    })
  })
  const services = studio.services.map((one) =>
    one.id === 'svc_class' ? { ...one, capacity: { min: 1, max: 1, waitlist: true } } : one,
  )
  const shop = await openShop({ ...studio, services })
  const { db } = shop.runtime
  const desk = restDesk(shop)
  const person = { ...buyer, last_name: 'Featherstonehaugh-Cholmondeley', phone_number: '+12125550143' }
  const on = { start_date: DAY, end_date: DAY }
  const bookings = []
  for (const service of ['svc_cut', 'svc_cut', 'svc_asked', 'svc_paid', 'svc_class'])
    bookings.push((await desk.book((await desk.slots(service, on))[0], { buyer: person })).data.booking)
  const full = (await desk.slots('svc_class', on)).find(({ state }) => state === 'waitlist')
  const join = { service_id: 'svc_class', slot_id: full?.id, buyer: { ...person, email: 'kim@example.com' } }
  const { entry } = (await desk.call('usp_waitlist_join', join)).data
  const [session] = await db
    .selectFrom('bookings')
    .select('session_id as id')
    .where('session_id', 'is not', null)
    .execute()
  const block = { resource_id: 'staff_ben', start: `${DAY}T13:00:00-05:00`, end: `${DAY}T14:00:00-05:00` }
  await desk.call('usp_business_blocks_create', { ...block, reason: 'Dentist' }, { as: shop.staff })
  await addStaff(db, 'Jo', 'owner', shop.time.now)
  const [jo] = await findStaff(db, 'Jo')
  const [booking] = bookings

  /** Addresses of each route. */
  const pages: Record<string, string[]> = {
    '/desk': [`/desk?date=${DAY}`],
    '/desk/book': ['/desk/book', `/desk/book?service=svc_cut&date=${DAY}`],
    '/desk/away': [`/desk/away?with=staff_ann&date=${DAY}`],
    '/desk/inbox': ['/desk/inbox'],
    '/desk/bookings': ['/desk/bookings?query=Feather'],
    '/desk/bookings/:id': [`/desk/bookings/${booking?.id}`],
    '/desk/bookings/:id/move': [`/desk/bookings/${booking?.id}/move?date=${DAY}`],
    '/desk/classes': [`/desk/classes?date=${DAY}`],
    '/desk/classes/:id': [`/desk/classes/${session?.id}`],
    '/desk/waitlist': ['/desk/waitlist'],
    '/desk/waitlist/:id': [`/desk/waitlist/${entry.id}`],
    '/desk/blocks': ['/desk/blocks'],
    '/desk/devices': ['/desk/devices'],
  }

  test('is looked at', () => {
    expect([...served].sort()).toEqual(Object.keys(pages).sort())
  })

  const phone = { width: 360, height: 780 }
  const desktop = { width: 1280, height: 900 }
  describe.each([
    ['in German on a phone, in the light', 'de-DE', 'light', phone, desktop],
    ['in Arabic on a desk, in the dark', 'ar', 'dark', desktop, phone],
  ] as const)('%s', (_, locale, colorScheme, viewport, otherViewport) => {
    let page: Page
    beforeAll(async () => {
      page = await newPage({ locale, colorScheme })
      await page.goto(await staffLinkMake(db, shop.url, jo?.id ?? '', shop.time.now))
      await page.locator('main form button').click()
      await page.waitForURL(/\/desk$/)
    })
    afterAll(() => page.context().close())

    test.each(Object.values(pages).flat())('%s', async (address) => {
      await page.setViewportSize(viewport)
      const answer = await page.goto(shop.url + address)
      expect(answer?.status()).toBe(200)
      const { SCREENSHOTS } = process.env
      const name = address.replace(/\W+/g, '-').slice(1, 40)
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}-${locale}.png`, fullPage: true })
      await expectStill(page)
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
      await expectWellMade(page)
      await page.setViewportSize(otherViewport)
      await expectNotTooWide(page)
      if (viewport === desktop) {
        await page.goto(shop.url + address)
        await expectSkipLink(page)
      }
    })
  })
})
