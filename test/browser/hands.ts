import type { Frame, Locator } from 'playwright-core'
import { expect } from 'vitest'

/** What somebody is at: a selector, or a thing as it was found. */
type What = string | Locator

/** By what somebody moves about a page; a field is named by its id. */
export interface Hand {
  press(frame: Frame, what: What): Promise<void>
  write(frame: Frame, field: What, text: string): Promise<void>
  choose(frame: Frame, field: What, value: string): Promise<void>
}

const found = (frame: Frame, what: What) => (typeof what === 'string' ? frame.locator(what) : what)
const fieldOf = (frame: Frame, field: What) => found(frame, typeof field === 'string' ? `#${field}` : field)

export const mouse: Hand = {
  press: (frame, what) => found(frame, what).first().click(),
  write: (frame, field, text) => fieldOf(frame, field).fill(text),
  choose: async (frame, field, value) => void (await fieldOf(frame, field).selectOption(value)),
}

/** What opens to choose from is the telephone's own. */
export const finger: Hand = {
  ...mouse,
  press: (frame, what) => found(frame, what).first().tap(),
}

export const keyboard: Hand = {
  async press(frame, what) {
    await tabTo(frame, found(frame, what))
    const isTicked = await frame.evaluate('document.activeElement.matches("[type=checkbox], [type=radio]")')
    await frame.page().keyboard.press(isTicked ? ' ' : 'Enter')
  },
  async write(frame, field, text) {
    await tabTo(frame, fieldOf(frame, field))
    const keys = frame.page().keyboard
    if (await frame.evaluate('document.activeElement.localName === "textarea"')) await keys.press('Control+A')
    const moment = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/.exec(text)
    if (!moment) return keys.type(text)
    const [year, month, day, hour, minute] = moment.slice(1)
    await keys.type(`${month}${day}${year}`)
    await keys.press('ArrowRight')
    await keys.type(`${String(Number(hour) % 12 || 12).padStart(2, '0')}${minute}${Number(hour) < 12 ? 'A' : 'P'}`)
  },
  async choose(frame, field, value) {
    const at = fieldOf(frame, field)
    await tabTo(frame, at)
    const options = await at.locator('option').count()
    for (let presses = 0; presses < options && (await at.inputValue()) !== value; presses++)
      await frame.page().keyboard.press('ArrowDown')
    expect(await at.inputValue()).toBe(value)
  },
}

/** Goes there by the Tab key alone. */
export async function tabTo(frame: Frame, what: Locator): Promise<void> {
  let all = await what.elementHandles()
  const isThere = async () => {
    const found = await frame.evaluate(
      (some) => some.map((one) => [one.isConnected, one === document.activeElement]),
      all,
    )
    // What a page shows may be put in its place anew.
    if (found.some(([isConnected]) => !isConnected)) all = await what.elementHandles()
    return found.some(([, isActive]) => isActive)
  }
  for (let presses = 0; presses < 200 && !(await isThere()); presses++) await frame.page().keyboard.press('Tab')
  expect(await isThere(), `the Tab key leads to ${what}`).toBe(true)
}
