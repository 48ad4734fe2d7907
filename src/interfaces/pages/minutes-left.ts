import type { Localizer, Message } from '../../infra/i18n/localizer.ts'
import { MINUTE, SECOND } from '../../infra/time/units.ts'
import { type Content, html } from '../../infra/util/html.ts'

/** Longer periods show no countdown. */
const MOST_MINUTES = 90

/**
 * The minutes left, counted down by a script. All texts come from the server, because only it knows the plural rules.
 */
export function minutesLeft(until: Date, now: Date, lapsed: Message, { say }: Localizer): Content {
  const left = until.getTime() - now.getTime()
  const minutes = Math.ceil(left / MINUTE)
  if (minutes > MOST_MINUTES) return undefined
  const words = Array.from({ length: minutes + 1 }, (_, count) => say('book.kept', { count }))
  return html`<span data-seconds="${Math.ceil(left / SECOND)}" data-lapsed="${say(lapsed)}" data-left="${JSON.stringify(words)}">${words.at(-1)}</span>`
}
