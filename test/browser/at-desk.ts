import { type Locator, type Page, selectors } from 'playwright-core'
import { staffLinkMake } from '../../src/core/authentication/desk-sign-in-links.ts'
import { addStaff, findStaff } from '../../src/core/authentication/staff-members.ts'
import { staffSessionBegin } from '../../src/core/authentication/staff-sessions.ts'
import { newPage } from './chromium.ts'
import { finger, type Hand, keyboard, mouse } from './hands.ts'
import type { OpenShop } from './open-shop.ts'

/** How somebody is at the desk. */
export interface Way {
  hand: Hand
  look: { viewport: { width: number; height: number }; hasTouch?: true }
}

const wide = { width: 1280, height: 900 }

export const WAYS: [string, Way][] = [
  ['by mouse', { hand: mouse, look: { viewport: wide } }],
  ['by keyboard alone', { hand: keyboard, look: { viewport: wide } }],
  ['by touch on a phone', { hand: finger, look: { viewport: { width: 390, height: 844 }, hasTouch: true } }],
]

/**
 * What can be pressed by what is read on it: what reads just so, before what has it somewhere; what is in the panel, before the
 * page, and the page before the menu that is above each. Links that only scroll lead nowhere. What is open already is not opened again.
 */
await selectors.register('reads', () => {
  const PRESSABLE = 'a[href]:not([href^="#"]), button, [type=checkbox], details:not([open]) > summary'
  const textOf = (one: Element) =>
    one.ariaLabel ?? [...((one as HTMLInputElement).labels ?? []), one].map(({ textContent }) => textContent).join(' ')
  const queryAll = (root: Element, wanted: string) => {
    const shown = [...root.querySelectorAll(PRESSABLE)].filter((one) => one.checkVisibility())
    const named = shown.map((one) => ({
      one,
      text: textOf(one).replace(/\s+/g, ' ').trim(),
      place: ['.panel', 'main', 'body'].findIndex((place) => one.closest(place)),
    }))
    const [is, has] = [named.filter(({ text }) => text === wanted), named.filter(({ text }) => text.includes(wanted))]
    const byPlace = (some: typeof named) => some.toSorted((one, other) => one.place - other.place)
    const ranks = [byPlace(is), byPlace(has)]
    return (ranks.find((some) => some.length > 0) ?? []).map(({ one }) => one)
  }
  return { queryAll, query: (root: Element, wanted: string) => queryAll(root, wanted)[0] }
})

/** What somebody reads on a thing that they press; where it stands several times, what it stands beside comes first. */
export type Press = string | [beside: string, what: string]

/** What somebody presses, or writes into fields that they know by what is written at them. */
export type Step = Press | Record<string, string>

/** Somebody who does at the desk what they see, and nothing else. */
export class Receptionist {
  readonly page: Page
  /** How often something was pressed so far. */
  presses = 0
  readonly #hand: Hand

  constructor(page: Page, hand: Hand) {
    this.page = page
    this.#hand = hand
  }

  async take(step: Step): Promise<void> {
    if (typeof step === 'string' || Array.isArray(step)) return this.press(step)
    for (const [label, text] of Object.entries(step)) await this.#write(label, text)
  }

  async press(what: Press): Promise<void> {
    const one = await this.#find(what)
    const pressed = () => this.#hand.press(this.page.mainFrame(), one)
    const leads = await one.evaluate((element) => element.matches('a[href]:not([download]), button:not([type=button])'))
    await (leads ? this.#follow(pressed) : pressed())
    this.presses++
  }

  /** Presses what leads to another page, or opens it in the panel, and waits until it is there. */
  async #follow(pressed: () => Promise<void>): Promise<void> {
    await this.page.locator('.panel > *').evaluateAll((all) => {
      for (const one of all) one.setAttribute('data-before', '')
    })
    const followed = Promise.race([
      this.page.waitForNavigation().catch(() => undefined),
      this.page
        .locator('.panel > :not([data-before])')
        .first()
        .waitFor({ state: 'attached' })
        .catch(() => undefined),
    ])
    await Promise.all([followed, pressed()])
  }

  /** What the panel shows, or else the page. */
  async content(): Promise<Locator> {
    const panel = this.page.locator('.panel')
    return (await panel.count()) > 0 ? panel : this.page.locator('main')
  }

  async #find(what: Press): Promise<Locator> {
    const [beside, name] = typeof what === 'string' ? [undefined, what] : what
    const area = beside === undefined ? this.page.locator('body') : around(await this.content(), beside)
    const found = area.locator(`reads=${name}`).first()
    if ((await found.count()) > 0) return found
    throw new Error(`Nobody sees ${what} at ${this.page.url()}:\n${await this.page.locator('main').innerText()}`)
  }

  async #write(label: string, text: string): Promise<void> {
    const frame = this.page.mainFrame()
    const field = (await this.content()).getByLabel(label, { exact: true }).filter({ visible: true }).first()
    if (!(await field.evaluate((element) => element.matches('select')))) return this.#hand.write(frame, field, text)
    const value = await field.locator('option', { hasText: text }).first().getAttribute('value')
    await this.#hand.choose(frame, field, value ?? text)
  }
}

/** The smallest part of the page that has these words. */
const around = (content: Locator, words: string): Locator =>
  content.locator('section, li, details').filter({ hasText: words }).last()

/** Somebody of the staff at a desk of theirs, who sits at another as well. */
export async function receptionist({ runtime: { db }, time, url }: OpenShop, { hand, look }: Way) {
  await addStaff(db, 'Jo', 'manager', time.now)
  const [{ id: staffId } = { id: '' }] = await findStaff(db, 'Jo')
  await staffSessionBegin(db, { staffId, device: 'Another' }, time.now)
  const one = new Receptionist(await newPage({ ...look, permissions: ['clipboard-write'] }), hand)
  await one.page.goto(await staffLinkMake(db, url, staffId, time.now))
  await one.press('Sign in')
  return one
}
