import { type Content, html } from '../../../basics/html.ts'
import type { Speech } from '../../../languages/speech.ts'
import { valueLabel } from './labels.ts'
import { countedPathText } from './path-text.ts'

/** Sentences about a member that every language has, by how they begin; what is in brackets is named in them. */
const SAID = [
  [/^is missing|^must NOT have fewer than 1 /, 'missing'],
  [/^must be left out/, 'left_out'],
  [/^names the (?:resource|service|location) (\S+), which/, 'unknown'],
  [/^must be (?:integer|number)$/, 'number'],
  [/^must be one of (.+)$/, 'one_of'],
  [/^must be a day,/, 'day'],
  [/^must be a duration /, 'duration'],
  [/^must be a whole address,/, 'address'],
  [/^opens at (\S+), which is not before it closes at (\S+)$/, 'opens'],
  [/^begins (?:on|at) (\S+), after it ends (?:on|at) (\S+)$/, 'order'],
  [/^has a min above its max$/, 'min_max'],
  [/^must be longer than nothing/, 'no_length'],
  [/^is longer than the calendar$/, 'too_long'],
  [/^repeats the id (\S+)$/, 'repeats'],
  [/^is free, but policies\.requires_payment is true$/, 'free_paid'],
  [/^is \w+, but must be free when /, 'paid_free'],
  [/^must be a number of minor units above 0 /, 'amount'],
  [/^is not known here/, 'not_known'],
  [/^must match pattern /, 'pattern'],
] as const

/** One fault of a definition: its member by the name that the forms have for it, and what is wrong with that. */
export function faultText(fault: string, speech: Speech): Content {
  const [, path, message] = /^([\w[\].-]+) (.+)$/s.exec(fault) ?? []
  const found = SAID.find(([begins]) => begins.test(message ?? ''))
  if (path === undefined || message === undefined || !found) return html`<span lang="en" dir="ltr">${fault}</span>`
  const [begins, name] = found
  const [, first = '', second = ''] = begins.exec(message) ?? []
  const values =
    name === 'one_of'
      ? first
          .split(', ')
          .map((one) => valueLabel(one, speech))
          .join(', ')
      : ''
  const text = speech.say(`setup.fault.${name}`, { first, second, name: first, values })
  return html`<strong>${countedPathText(path, speech)}</strong> ${text}`
}
