import { type Content, html } from '../../../basics/html.ts'
import type { Speech } from '../../../languages/speech.ts'
import type { ApplyBusinessDefinition } from '../../../protocol/types.generated.ts'
import { labelOf, valueLabel } from './labels.ts'
import { countedPathText, pathText } from './path-text.ts'
import { LISTS } from './sections.ts'

type Output = ApplyBusinessDefinition['output']
type Change = Output['changes'][number]

/** What a change is of, and what becomes of its members, by the names that the forms have for them. */
export const changeText = ({ kind, what, details }: Change, speech: Speech): Content =>
  html`<strong>${speech.say(`setup.is.${kind}`)}</strong> ${thingText(what, speech)}${details.map((detail) => html`<br><span class="soft">${detailText(detail, speech)}</span>`)}`

/** `service svc_color` is of the section services; anything else is a member of the definition. */
function thingText(what: string, speech: Speech): Content {
  const [word = '', id] = what.split(' ')
  const list = [...LISTS, 'clients'].find((one) => one === `${word}s`)
  if (id === undefined || list === undefined) return labelOf(what, speech)
  return html`${labelOf(list, speech)} · <bdi>${id}</bdi>`
}

/** A path is of names, and of what tells the things of a list apart, in brackets. */
const DETAIL = /^((?:\w+|\[[^\]]*\])(?:\.\w+|\[[^\]]*\])*): (?:(.*) → (.*)|in another order)$/s

function detailText(detail: string, speech: Speech): Content {
  const { say, isolate } = speech
  const more = /^and (\d+) more$/.exec(detail)
  if (more) return say('setup.change.more', { count: Number(more[1]) })
  if (detail === 'in another order') return say('setup.change.order')
  const [, path, before, after] = DETAIL.exec(detail) ?? []
  if (path === undefined) return html`<span lang="en" dir="ltr">${detail}</span>`
  const place = pathText(path, speech)
  if (before === undefined || after === undefined) return html`${place}: ${say('setup.change.order')}`
  const [was, is] = [before, after].map((value) => (value === 'nothing' ? say('setup.change.nothing') : isolate(value)))
  return html`${place}: ${say('setup.change.to', { before: was ?? '', after: is ?? '' })}`
}

/** What is hardly meant, and where it stands. */
export function warningText({ code, path, values }: Output['noted'][number], speech: Speech): Content {
  const days = String(values.days ?? '')
    .split(' ')
    .filter(Boolean)
  const words = days.length > 0 ? { days: speech.list(days.map((day) => valueLabel(day, speech))) } : values
  return html`<strong>${countedPathText(path, speech)}</strong><br>${speech.say(`setup.warning.${code}`, words)}`
}
