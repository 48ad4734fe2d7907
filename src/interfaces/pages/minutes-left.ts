import type { Message } from '../../infra/i18n/catalogue.ts'
import type { Speech } from '../../infra/i18n/speech.ts'
import { MINUTE, SECOND } from '../../infra/time/units.ts'
import { type Content, html } from '../../infra/util/html.ts'

/** Nobody counts minutes of what is kept for hours. */
const MOST_MINUTES = 90

/** For how long something is kept, counted down where scripts run: how minutes are counted is known here alone. */
export function minutesLeft(until: Date, now: Date, lapsed: Message, { say }: Speech): Content {
  const left = until.getTime() - now.getTime()
  const minutes = Math.ceil(left / MINUTE)
  if (minutes > MOST_MINUTES) return undefined
  const words = Array.from({ length: minutes + 1 }, (_, count) => say('book.kept', { count }))
  return html`<span data-seconds="${Math.ceil(left / SECOND)}" data-lapsed="${say(lapsed)}" data-left="${JSON.stringify(words)}">${words.at(-1)}</span>`
}
