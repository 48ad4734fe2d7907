import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languages } from '../../src/infra/i18n/languages.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { studio, tuesday } from '../desk/studio.ts'
import { buyer, restDesk } from '../support/desk.ts'
import { receptionist } from './at-desk.ts'
import { hasBrowser } from './chromium.ts'
import { mouse } from './hands.ts'
import { openShop } from './open-shop.ts'

const DAY = '2026-11-24'
const phone = { width: 390, height: 844 }
const LONG = 'Bartholomew Featherstonehaugh-Cholmondeley'

const salon: BusinessDefinition = {
  ...studio,
  resources: studio.resources?.map((one) => (one.id === 'staff_cat' ? { ...one, name: LONG } : one)) ?? [],
}

describe.runIf(hasBrowser)('the desk, in a real browser', async () => {
  const shop = await openShop(salon)
  const desk = restDesk(shop)
  const { page } = await receptionist(shop, { hand: mouse, look: { viewport: phone } })
  const [first_name = '', last_name = ''] = LONG.split(' ')
  const book = async (service: string, resource_id?: string) => {
    const of = { start_date: DAY, end_date: DAY, ...(resource_id !== undefined && { resource_id }) }
    const [slot] = await desk.slots(service, of)
    return (await desk.book(slot, { buyer: { ...buyer, first_name, last_name } })).data.booking
  }
  const [cut, asked, paid] = [await book('svc_cut', 'staff_ann'), await book('svc_asked'), await book('svc_paid')]
  await book('svc_class')
  const { session_id: session } = await shop.runtime.db
    .selectFrom('bookings')
    .select('session_id')
    .where('session_id', 'is not', null)
    .executeTakeFirstOrThrow()
  await desk.call('usp_business_bookings_mark_paid', { booking_id: paid.id }, { as: shop.staff })

  const block = { resource_id: 'staff_ben', start: tuesday('10:00'), end: tuesday('10:30'), reason: 'Dentist' }
  await desk.call('usp_business_blocks_create', block, { as: shop.staff })

  const open = async (address: string) => {
    await page.goto(shop.url + address)
    await page.locator('main details').evaluateAll((all) => {
      for (const one of all) one.setAttribute('open', '')
    })
  }

  describe('on a phone', () => {
    test.each(Object.keys(languages))('each item of the bar at the bottom has one line: %s', async (language) => {
      for (const width of [360, 390]) {
        await page.setViewportSize({ ...phone, width })
        await page.goto(`${shop.url}/desk/inbox?lang=${language}`)
        const names = page
          .locator('header.desk nav > ul')
          .locator(':scope > li > a, :scope > li > details > summary')
          .filter({ visible: true })
        const lines = await names.evaluateAll(linesOfNames)
        expect([language, width, lines.length]).toEqual([language, width, 5])
        expect([language, width, lines.filter(({ isOneLine }) => !isOneLine)]).toEqual([language, width, []])
      }
      await page.goto(`${shop.url}/desk/inbox?lang=en`)
      await page.setViewportSize(phone)
    })

    test.each([
      `/desk?date=${DAY}`,
      '/desk',
      `/desk?view=week&date=${DAY}`,
      `/desk?view=week&date=${DAY}&with=staff_ann`,
      `/desk?put=${cut.id}&date=${DAY}`,
      '/desk/inbox',
      '/desk/bookings',
      `/desk/bookings?query=${first_name}`,
      ...['', '/move', '/series?times=3', '/correct'].map((path) => `/desk/bookings/${cut.id}${path}`),
      `/desk/bookings/${asked.id}`,
      ...['', '/refund'].map((path) => `/desk/bookings/${paid.id}${path}`),
      '/desk/book',
      '/desk/book?service=svc_cut',
      '/desk/book?service=svc_class',
      `/desk/customers?query=${first_name}`,
      `/desk/customers/${cut.id}`,
      `/desk/classes?date=${DAY}`,
      `/desk/classes/${session}`,
      '/desk/waitlist',
      '/desk/blocks',
      `/desk/away?with=staff_ann&date=${DAY}`,
      '/desk/money',
      `/desk/reports?from=${DAY}&to=${DAY}`,
      '/desk/people',
      '/desk/devices',
      '/desk/passkey',
      '/desk/setup',
      '/desk/setup/business',
      '/desk/setup/hours',
      '/desk/setup/resources',
      '/desk/setup/resources/staff_cat',
      '/desk/setup/services/svc_kept',
      '/desk/setup/website',
      '/desk/setup/yaml',
    ])('%s has nothing beyond the right edge', async (address) => {
      await open(address)
      const { SCREENSHOTS } = process.env
      if (SCREENSHOTS)
        await page.screenshot({ path: `${SCREENSHOTS}/${address.replace(/\W+/g, '_')}.png`, fullPage: true })
      expect(await beyondEdge(page)).toEqual([])
    })
  })

  describe.each([
    ['on a phone', phone],
    ['on a wide screen', { width: 1280, height: 900 }],
  ])('%s', (_, size) => {
    beforeAll(() => page.setViewportSize(size))
    afterAll(() => page.setViewportSize(phone))

    test('the form for a new booking shows free times and the names of people without scrolling', async () => {
      await page.goto(`${shop.url}/desk/book?service=svc_cut&date=${DAY}`)
      const [row, bar] = await Promise.all(
        [page.locator('.time-row:visible').first(), page.locator('.save-bar')].map((one) => one.boundingBox()),
      )
      expect((row?.y ?? Number.NaN) + (row?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
    })

    test('the note about invented bookings is one line of at most 44 pixels', async () => {
      await page.goto(`${shop.url}/desk/design`)
      expect((await page.locator('.demo').boundingBox())?.height).toBeLessThanOrEqual(44)
    })
  })

  describe('on a wide screen', () => {
    beforeAll(() => page.setViewportSize({ width: 1280, height: 900 }))

    test('in the form for a new booking, the search for customers and all fields stand beside the free times', async () => {
      await page.goto(`${shop.url}/desk/book?service=svc_cut&date=${DAY}`)
      const [search, times, note] = await Promise.all(
        ['.find-customer', '.time-chooser', '.booking-note'].map((one) => page.locator(one).boundingBox()),
      )
      expect(Math.abs((times?.y ?? 0) - (search?.y ?? 0))).toBeLessThan(40)
      expect((note?.y ?? 0) + (note?.height ?? 0)).toBeGreaterThan(550)
    })

    test('cards show whole lines, whatever their height', async () => {
      await page.goto(`${shop.url}/desk/design`)
      const cards = await page.locator('.columns:not(.lists) .thing').evaluateAll(linesOfCards)
      expect(cards.length).toBeGreaterThan(30)
      expect(cards.filter(({ isCut }) => isCut)).toEqual([])
      // The first calendar of the page is the roomy one.
      const linesOf = (name: string) => cards.find(({ lines }) => lines[0] === name)?.lines ?? []
      const [service, of30Minutes, of45Minutes] = [
        'Color & Style Consultation',
        linesOf('Omar Santos'),
        linesOf('Greg Byrne'),
      ]
      expect(linesOf('Aylin Yılmaz').slice(1, 2)).toEqual([service])
      expect(of30Minutes.slice(1)).toEqual([service])
      expect(of45Minutes.slice(1)).toEqual(['Women’s Haircut & Style', expect.stringMatching(/^12:15/)])
    })

    test('the calendar begins within the first 130 pixels', async () => {
      await page.goto(`${shop.url}/desk?date=${DAY}`)
      expect((await page.locator('.columns').boundingBox())?.y).toBeLessThan(130)
    })

    test('the names and the hours stay in sight, wherever somebody scrolls', async () => {
      await page.setViewportSize({ width: 640, height: 500 })
      const columns = page.locator('.columns')
      await columns.evaluate((one) => one.scrollTo(300, 300))
      const [frame, hours, name] = await Promise.all(
        [columns, page.locator('.hours'), page.locator('.columns h2').nth(1)].map((one) => one.boundingBox()),
      )
      expect(await columns.evaluate((one) => [one.scrollLeft > 0, one.scrollTop > 0])).toEqual([true, true])
      expect([hours?.x, Math.round(name?.y ?? 0)]).toEqual([frame?.x, Math.round((frame?.y ?? 0) + 1)])
      await page.setViewportSize({ width: 1280, height: 900 })
    })

    test('an hour has 72 pixels, and 48 pixels in the compact calendar', async () => {
      await page.goto(`${shop.url}/desk?date=${DAY}`)
      const card = page.locator(`.thing:has([href="/desk/bookings/${cut.id}"])`).first()
      const heights = async () => [
        await page
          .locator('.hours li')
          .nth(1)
          .evaluate((one) => one.getBoundingClientRect().height),
        Math.round(await card.evaluate((one) => one.getBoundingClientRect().height + 1)),
      ]
      expect(await heights()).toEqual([72, 72])
      await page.getByRole('button', { name: 'Compact calendar' }).click()
      await page.locator('.columns.compact').waitFor()
      expect(page.url()).toBe(`${shop.url}/desk?date=${DAY}`)
      expect(await heights()).toEqual([48, 48])
      await page.getByRole('button', { name: 'Roomy calendar' }).click()
      await page.locator('.columns:not(.compact)').waitFor()
    })

    test('while staff move a booking, the button of each free time is as wide as its column', async () => {
      await page.goto(`${shop.url}/desk?put=${cut.id}&date=${DAY}`)
      const widths = await page.locator('.gap button').evaluateAll((all) =>
        all.map((one) => {
          const column = one.closest('section')?.getBoundingClientRect().width ?? 0
          return column - one.getBoundingClientRect().width
        }),
      )
      expect(widths.length).toBeGreaterThan(0)
      expect(Math.max(...widths)).toBeLessThan(10)
    })

    test('a booking opens beside the calendar, is renewed with it, and goes back to its card', async () => {
      await page.goto(`${shop.url}/desk?date=${DAY}`)
      const card = page.locator(`.thing a[href="/desk/bookings/${cut.id}"]`).first()
      await card.click()
      const panel = page.getByRole('complementary')
      await panel.getByRole('button', { name: 'Mark as arrived' }).click()
      await panel.getByRole('button', { name: 'Mark as completed' }).waitFor()
      await page.locator(`.thing.in_progress a[href="/desk/bookings/${cut.id}"]`).first().waitFor()
      expect(page.url()).toBe(`${shop.url}/desk?date=${DAY}`)
      await page.keyboard.press('Escape')
      expect(await panel.count()).toBe(0)
      expect(await card.evaluate((one) => one === document.activeElement)).toBe(true)
    })

    test('cards break names between words, and end what is too long with an ellipsis', async () => {
      await page.goto(`${shop.url}/desk?view=week&date=${DAY}`)
      const cards = await page.locator('.thing .line:has(strong)').evaluateAll(namesOnCards)
      const long = cards.filter(({ text }) => text.includes(last_name))
      expect(long.length).toBeGreaterThan(2)
      expect(long.flatMap(({ broken }) => broken)).toEqual([])
      expect(long.filter(({ isCut, end }) => isCut && end !== 'ellipsis')).toEqual([])
      expect(long.some(({ isCut }) => isCut)).toBe(true)
    })

    describe.each(['none', 'active'] as const)('with forced colors: %s', (forcedColors) => {
      beforeAll(async () => {
        await page.emulateMedia({ forcedColors })
        await page.goto(`${shop.url}/desk?date=${DAY}`)
      })

      test('closed hours look different from open hours', async () => {
        const box = await page.locator('ol[data-to=staff_ben]').boundingBox()
        const at = (hour: number) =>
          page.screenshot({
            clip: { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + (hour - 9) * 72 + 10, width: 50, height: 50 },
          })
        const [closed, open] = [await at(9), await at(13)]
        expect(closed.equals(open)).toBe(false)
        expect(open.equals(await at(14))).toBe(true)
      })

      test('what takes place in closed hours is shown above them', async () => {
        const seen = await page.locator('.thing', { hasText: 'Dentist' }).evaluate((card) => {
          for (const one of document.querySelectorAll<HTMLElement>('.closed')) one.style.pointerEvents = 'auto'
          const { x, y, width, height } = card.getBoundingClientRect()
          return card.contains(document.elementFromPoint(x + width / 2, y + height / 2))
        })
        expect(seen).toBe(true)
      })
    })
  })
})

/** Whether the name of each item fits into the item, and stands in one line. */
const linesOfNames = (items: Element[]) =>
  items.map((item) => {
    const range = document.createRange()
    const name =
      [...item.querySelectorAll('span')].findLast((one) => one.checkVisibility() && !one.dataset.inbox) ?? item
    range.selectNodeContents(name)
    const [text, box] = [range.getBoundingClientRect(), item.getBoundingClientRect()]
    const lineHeight = Number.parseFloat(getComputedStyle(name).lineHeight)
    const isInside = text.left >= box.left && text.right <= box.right
    return { name: name.textContent, isOneLine: isInside && text.height < 1.5 * lineHeight }
  })

/** The visible lines of each card, and whether the card cuts one of them in its height. */
const linesOfCards = (cards: Element[]) =>
  cards.map((card) => {
    const box = card.getBoundingClientRect()
    const lines = [...card.querySelectorAll('.line')].filter(
      (one) =>
        one.getBoundingClientRect().left < (one.parentElement?.getBoundingClientRect().right ?? 0) &&
        getComputedStyle(one).opacity !== '0',
    )
    // A low card has all its lines in one. The box of such a line is higher than its letters.
    const isLow = card.classList.contains('low')
    const bottom = (line: Element) =>
      isLow ? box.top + Number.parseFloat(getComputedStyle(line).lineHeight) : line.getBoundingClientRect().bottom
    return { lines: lines.map((one) => one.textContent), isCut: lines.some((one) => bottom(one) > box.bottom) }
  })

/** The words that stand on more than one line, and whether a word is wider than its card. */
const namesOnCards = (cards: Element[]) =>
  cards.map((card) => {
    const name = card.querySelector('strong')?.firstChild
    const words = [...(name?.textContent ?? '').matchAll(/[^\s-]+/g)]
    const broken = words.filter(({ 0: word, index }) => {
      const range = document.createRange()
      if (!name) return false
      range.setStart(name, index)
      range.setEnd(name, index + word.length)
      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
    })
    return {
      text: card.textContent ?? '',
      broken: broken.map(([word]) => word),
      isCut: card.scrollWidth > card.clientWidth,
      end: getComputedStyle(card).textOverflow,
    }
  })

/**
 * Elements to the right of the screen, and whether the page scrolls sideways. The table of busy hours, the columns of the
 * calendar and the names above them scroll in their own frames.
 */
const beyondEdge = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isOutside = (one: Element) => {
      const { width, right } = one.getBoundingClientRect()
      return width > 1 && right > innerWidth + 0.5
    }
    const named = (one: Element) => `${one.localName}.${one.className}: ${one.textContent?.trim().slice(0, 30)}`
    const outside = [...document.querySelectorAll('body :not(.heat *, .columns *, .people *)')]
      .filter((one) => one.checkVisibility() && isOutside(one))
      .map(named)
    return document.documentElement.scrollWidth > innerWidth ? ['the page scrolls', ...outside] : outside
  })
