import type { BrowserContextOptions, Download, Frame, FrameLocator, Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  englishLocalizer,
  type Localizer,
  localizerFor,
  type Message,
  type Values,
} from '../../src/infra/i18n/localizer.ts'
import { visitAgain } from './chromium.ts'
import { type Hand, keyboard, mouse } from './hands.ts'
import { type OpenShop, secondsLater } from './open-shop.ts'
import { expectNotTooWide } from './well-made.ts'

/** How somebody comes. */
export interface Way {
  hand: Hand
  browser: BrowserContextOptions & { locale: string }
  /** On the business's own site. */
  isFramed?: boolean
}

const desk = { viewport: { width: 1280, height: 900 } }
const phone = { viewport: { width: 360, height: 780 } }

/** What can be done is to be done in each of these ways. */
export const WAYS: [string, Way][] = [
  ['by mouse at 1280 px, in German', { hand: mouse, browser: { locale: 'de', ...desk } }],
  ['by keyboard alone at 1280 px, in Arabic', { hand: keyboard, browser: { locale: 'ar', ...desk } }],
  [
    'without scripts at 360 px, in German',
    { hand: mouse, browser: { locale: 'de', ...phone, javaScriptEnabled: false } },
  ],
  [
    'in a frame of another origin at 360 px, in Arabic',
    { hand: mouse, browser: { locale: 'ar', ...phone }, isFramed: true },
  ],
]

/** Where a booking is seen; what puts it into a calendar has nearly the same address. */
export const SEE = 'main a[href*="/manage/"]:not([href$=".ics"])'

export const ADDRESS = { line1: '120 Spring Street', city: 'New York', postal_code: '10012', country: 'US' }

export const ROSA = { first_name: 'Rosa', last_name: 'Díaz', email: 'rosa@example.com', phone: '+12125550143' }

/** Somebody on the booking pages of a shop; each page there must speak the own language and be no wider than the screen. */
export class Visitor {
  readonly page: Page
  readonly localizer: Localizer
  readonly #shop: OpenShop
  readonly #way: Way
  #frame: Frame

  constructor(shop: OpenShop, way: Way, page: Page) {
    this.page = page
    this.localizer = localizerFor(way.browser.locale) ?? englishLocalizer()
    this.#shop = shop
    this.#way = way
    this.#frame = page.mainFrame()
  }

  /** Where the shop's pages are: the page itself, or a frame of it. */
  get frame(): Frame {
    return this.#frame
  }

  /** To all services, or to one. */
  async come(service?: string): Promise<void> {
    if (!this.#way.isFramed) return this.open(service === undefined ? '/book' : `/book/${service}`)
    const asked = { lang: this.localizer.language, ...(service !== undefined && { service }) }
    await this.page.goto(`${this.#shop.site}/?${new URLSearchParams(asked)}`)
    const element = await this.page.waitForSelector('usp-booking iframe')
    this.#frame = (await element.contentFrame()) ?? this.#frame
    await this.#frame.waitForURL(/\/book\b/)
    await this.#look()
  }

  async open(path: string): Promise<void> {
    await this.#frame.goto(new URL(path, this.#shop.url).href)
    await this.#look()
  }

  /** Who pays by card or follows a link in a mail has the whole window, whether there was a frame or not. */
  leaveFrame(): void {
    this.#frame = this.page.mainFrame()
  }

  async press(what: string, leadsTo?: RegExp): Promise<void> {
    await this.#way.hand.press(this.#frame, what)
    if (!leadsTo) return
    await this.#frame.waitForURL(leadsTo)
    await this.#look()
  }

  async write(values: Record<string, string>): Promise<void> {
    const { hand } = this.#way
    for (const [name, value] of Object.entries(values))
      await (name === 'country' ? hand.choose : hand.write)(this.#frame, name, value)
  }

  /** What narrows the times. Where no script shows the new ones at once, a button does. */
  async choose(name: string, value: string): Promise<void> {
    await this.#way.hand.choose(this.#frame, name, value)
    if (this.#way.browser.javaScriptEnabled === false) await this.press('form.choose button')
    await this.#frame.waitForURL(new RegExp(`${name}=${value}`))
    await this.#look()
  }

  /** As slowly as people write: the shop's clock goes on meanwhile. */
  async send(leadsTo: RegExp): Promise<void> {
    secondsLater(this.#shop, 5)
    await this.press('main form button', leadsTo)
  }

  /** Presses a time and says who comes; the booking, or what it asks for first, is what one sees then. */
  async bookFirst(more: Record<string, string> = {}): Promise<void> {
    await this.press('.times button', /\/details\?/)
    await this.write({ ...ROSA, ...more })
    await this.send(/\/booking\//)
  }

  async download(what: string): Promise<Download> {
    const file = this.page.waitForEvent('download')
    await this.press(what)
    return file
  }

  /** What a row of a summary says. */
  row(name: Message): Promise<string> {
    const title = this.#frame.getByText(this.localizer.say(name), { exact: true })
    return this.#frame.locator('dl div', { has: title }).locator('dd:not(.copy)').innerText()
  }

  async reads(message: Message, values?: Values): Promise<void> {
    await this.#frame.getByText(this.localizer.say(message, values)).first().waitFor()
  }

  async #look(): Promise<void> {
    if (!this.#frame.url().startsWith(this.#shop.url)) return
    const { locale, direction } = this.localizer
    const page = this.#frame.locator('html')
    expect([await page.getAttribute('lang'), (await page.getAttribute('dir')) ?? 'ltr']).toEqual([locale, direction])
    await expectNotTooWide(this.#frame)
  }
}

export async function comes(shop: OpenShop, way: Way, service?: string): Promise<Visitor> {
  const visitor = new Visitor(shop, way, await visitAgain(way.browser))
  await visitor.come(service)
  return visitor
}

export async function fillIn(page: Page | FrameLocator, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`#${name}`).fill(value)
}

export const submit = (page: Page | FrameLocator): Promise<void> => page.locator('main form button').last().click()

export async function sendSlowly(page: Page | FrameLocator, shop: OpenShop): Promise<void> {
  secondsLater(shop, 5)
  await submit(page)
}
