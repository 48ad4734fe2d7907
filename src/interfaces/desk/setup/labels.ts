import type { Message } from '../../../infra/i18n/catalogue.ts'
import { catalogues } from '../../../infra/i18n/catalogues.ts'
import type { Speech } from '../../../infra/i18n/speech.ts'
import type { Schema } from '../../../protocol/schemas.ts'
import { DAYS, dayNames } from './weekdays.ts'

const isMessage = (name: string): name is Message => Object.hasOwn(catalogues.en, name)

/** What a catalogue has words for; nothing where it has none. */
export const said = (name: string, { say }: Speech): string | undefined => (isMessage(name) ? say(name) : undefined)

/** `max_reschedules` as Max reschedules, for what no catalogue has a word for. */
const plain = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** What a member of the definition is called. */
export const labelOf = (name: string, speech: Speech): string => said(`setup.${name}`, speech) ?? plain(name)

/**
 * What is to be known of a member beside its label. The catalogues have a hint for what not everybody knows, and name the object
 * it is in where the same member of others needs another or none.
 */
export const hintOf = (name: string, { title }: Schema, speech: Speech): string | undefined =>
  said(`setup.hint.${String(title)}.${name}`, speech) ?? said(`setup.hint.${name}`, speech)

/** What one of several values is called. */
export function valueLabel(value: string, speech: Speech): string {
  const day = DAYS.find((one) => one === value)
  if (day) return dayNames(speech.locale, 'short')(day)
  return said(`setup.is.${value}`, speech) ?? said(`setup.channel.${value}`, speech) ?? plain(value)
}
