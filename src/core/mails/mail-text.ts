import type { Speech } from '../../infra/i18n/speech.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { legalLinks } from '../business/links.ts'
import { waysToReach } from '../business/ways-to-reach.ts'
import type { Letter } from './letter.ts'

/** The text of a notification without markup: for mail programs without HTML, and for other channels. */
export function letterText({ heading, paragraphs, rows = [], actions = [] }: Letter, speech: Speech): string {
  const table = rows.map(([name, value]) => `${name}: ${lines(value, speech)}`).join('\n')
  const links = actions.map(({ label, url }) => `${label}:\n${url}`)
  return [heading, ...paragraphs, table, ...links].filter((part) => part !== '').join('\n\n')
}

/** A Unicode isolate ends at the end of its line, so each line needs one. */
const lines = (value: string, { isolate }: Speech): string => value.split('\n').map(isolate).join('\n  ')

export function mailText(letter: Letter, definition: BusinessDefinition, speech: Speech): string {
  const ways = waysToReach(definition).map(({ text }) => speech.isolate(text))
  const legal = legalLinks(definition, speech).map(({ text, url }) => `${text}: ${url}`)
  // Mail programs treat the text below this line as the signature.
  return `${letterText(letter, speech)}\n\n-- \n${[definition.business.name, ...ways, ...legal].join('\n')}\n`
}
