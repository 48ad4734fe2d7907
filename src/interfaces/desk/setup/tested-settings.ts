import { setTimeout as sleep } from 'node:timers/promises'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import { faultSummary } from '../../pages/form-error-summary.ts'

/**
 * A refused form for settings that an owner can test with a message: the submitted values, and the errors of single fields
 * (`faults`) or of the whole action (`problem`).
 */
export interface RefusedSettings<Field extends string> {
  form: URLSearchParams
  faults: ReadonlyMap<Field, string>
  problem?: string
}

/** The note above a refused form. It links to each wrong field. */
export function problemsNote<Field extends string>(
  { faults, problem }: RefusedSettings<Field>,
  fieldLabel: (field: Field, localizer: Localizer) => string,
  localizer: Localizer,
): Content {
  if (problem !== undefined) return html`<p class="note wrong" role="alert">${problem}</p>`
  const fields = [...faults].map(([id, fault]) => ({ id, label: fieldLabel(id, localizer), fault }))
  return faultSummary(localizer.say('setup.look_again', { count: faults.size }), fields)
}

/** The state of the latest test message. `problem` is the reason why the last attempt failed. */
interface Test {
  status: string
  problem?: string
}

const isWaiting = ({ status, problem }: Test): boolean => status === 'waiting' && problem === undefined

/** The note about the latest test message. */
export function testNote(test: Test, texts: { sent: string; waiting: string; failed: string }): Content {
  const { status, problem } = test
  if (status === 'sent') return html`<p class="note" role="status">${texts.sent}</p>`
  if (isWaiting(test)) return html`<p class="note" role="status">${texts.waiting}</p>`
  return html`<div class="note wrong" role="status"><p>${texts.failed}</p>${problem !== undefined && html`<p dir="auto">${problem}</p>`}</div>`
}

const POLL_MS = 500
/** How often the server looks for the result of a test message before it shows the page without a result. */
const MAX_POLLS = 12

/** Waits for a short time, so that the page can show the result of the test message. */
export async function untilTested(readTest: () => Promise<Test | undefined>): Promise<void> {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const test = await readTest()
    if (!test || !isWaiting(test)) return
    await sleep(POLL_MS)
  }
}
