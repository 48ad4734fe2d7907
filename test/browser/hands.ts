import type { Frame } from 'playwright-core'
import { expect } from 'vitest'

/** By what somebody moves about a page; each thing is named by a selector, a field by its name. */
export interface Hand {
  press(frame: Frame, what: string): Promise<void>
  write(frame: Frame, name: string, text: string): Promise<void>
  choose(frame: Frame, name: string, value: string): Promise<void>
}

export const mouse: Hand = {
  press: (frame, what) => frame.locator(what).first().click(),
  write: (frame, name, text) => frame.locator(`#${name}`).fill(text),
  choose: async (frame, name, value) => void (await frame.locator(`#${name}`).selectOption(value)),
}

export const keyboard: Hand = {
  async press(frame, what) {
    await tabTo(frame, what)
    await frame.page().keyboard.press('Enter')
  },
  async write(frame, name, text) {
    await tabTo(frame, `#${name}`)
    await frame.page().keyboard.type(text)
  },
  async choose(frame, name, value) {
    const field = frame.locator(`#${name}`)
    await tabTo(frame, `#${name}`)
    const options = await field.locator('option').count()
    for (let presses = 0; presses < options && (await field.inputValue()) !== value; presses++)
      await frame.page().keyboard.press('ArrowDown')
    expect(await field.inputValue()).toBe(value)
  },
}

/** Goes there by the Tab key alone. */
async function tabTo(frame: Frame, what: string): Promise<void> {
  const isThere = () => frame.evaluate(`document.activeElement?.matches(${JSON.stringify(what)})`)
  for (let presses = 0; presses < 200 && !(await isThere()); presses++) await frame.page().keyboard.press('Tab')
  expect(await isThere(), `the Tab key leads to ${what}`).toBe(true)
}
