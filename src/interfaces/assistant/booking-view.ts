import { readFileSync } from 'node:fs'
import { languages } from '../../infra/i18n/languages.ts'
import { localizerFor, type Message } from '../../infra/i18n/localizer.ts'
import { catalogueOf } from '../../infra/i18n/text-catalogues.ts'
import { accentOf, DEFAULT_ACCENT } from '../../infra/util/accent-color.ts'
import { once } from '../../infra/util/memoize.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/**
 * The URI of the booking view. This HTML page appears in the assistant's program instead of the text of a tool result.
 */
export const VIEW_URI = 'ui://booking/view'
/**
 * The name of the MCP extension for HTML views (MCP Apps). A client that lists this name can show views. A server that
 * lists it offers views.
 */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui'
export const VIEW_TYPE = 'text/html;profile=mcp-app'

/**
 * The scripts of the booking view, in the order of their dependencies. The HTML page contains all scripts, because many
 * assistant programs do not let a view load files.
 */
const SCRIPTS = ['bridge', 'words', 'screen', 'bookings', 'services', 'times', 'hold', 'view']
const MESSAGES = [
  ...([
    'setup.services',
    'book.show_times',
    'book.party',
    'book.none',
    'book.zone',
    'book.place',
    'book.with',
    'book.anyone',
  ] as const),
  ...(['book.full', 'book.waitlist', 'book.confirm', 'book.other_time', 'book.once_more', 'book.kept.until'] as const),
  ...(['desk.week.after', 'view.go_on', 'view.not_yet', 'view.failed', 'my.title', 'my.nothing_ahead'] as const),
  ...(['my.state.pending', 'my.state.requires_action', 'my.state.confirmed', 'my.state.in_progress'] as const),
  ...(['my.state.completed', 'my.state.no_show', 'my.state.canceled', 'booking.reference', 'booking.keep'] as const),
  ...(['booking.to_do.waiver', 'booking.to_do.intake', 'booking.to_do.payment', 'booking.move'] as const),
  ...(['booking.move.title', 'booking.move.from', 'booking.move.to', 'booking.move.do', 'booking.move.paid'] as const),
  ...(['booking.move.other', 'booking.cancel', 'booking.cancel.title', 'booking.cancel.do'] as const),
  ...(['booking.cancel.changed', 'booking.cancel.free', 'canceling.costs'] as const),
] satisfies Message[]
/**
 * The texts of the booking view that contain a number, each with the highest possible number. The HTML page contains a
 * separate version of the text for each number from 0 to the highest number, such as “1 place” and “2 places”.
 */
const COUNTING: [Message, number][] = [
  ['book.kept', 10],
  ['book.places_left', 20],
]

const file = (name: string) => readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8')
const style = file('view.css')
const script = SCRIPTS.map((name) => withoutModuleSyntax(file(`${name}.js`))).join('')
/**
 * The texts of the booking view in all languages, as JSON. The character `<` is escaped, because `</script>` in a text
 * would end the script element.
 */
const texts = once(() =>
  JSON.stringify(Object.fromEntries(Object.keys(languages).map((one) => [one, textsIn(one)]))).replaceAll(
    '<',
    '\\u003c',
  ),
)

/**
 * Removes the imports and exports from a script of the booking view, because the HTML page joins all modules into one
 * script.
 */
function withoutModuleSyntax(source: string): string {
  return source.replace(/^import .*\n/gm, '').replace(/^export /gm, '')
}

function textsIn(language: string): Record<string, string | string[]> {
  const localizer = localizerFor(language)
  if (!localizer) throw new Error(`Nobody speaks ${language}`)
  const counted = COUNTING.map(([message, most]) => [
    message,
    Array.from({ length: most + 1 }, (_, count) => localizer.say(message, { count })),
  ])
  return Object.fromEntries([
    ...MESSAGES.map((message) => [message, catalogueOf(localizer.language)[message]]),
    ...counted,
  ])
}

/** Returns the HTML page of the booking view, in the accent color of the business. */
export function viewOf({ website }: BusinessDefinition): string {
  const { light, dark } = accentOf(website?.accent ?? DEFAULT_ACCENT)
  const colours = `:root{--accent:light-dark(${light.accent},${dark.accent});--on-accent:light-dark(${light.on},${dark.on})}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Booking</title>
<style>${style}${colours}</style></head><body><main></main>
<script type="application/json" id="texts">${texts()}</script>
<script type="module">${script}</script></body></html>`
}
