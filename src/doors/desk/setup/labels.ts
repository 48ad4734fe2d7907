import type { Message } from '../../../languages/catalogue.ts'
import { catalogues } from '../../../languages/catalogues.ts'
import type { Speech } from '../../../languages/speech.ts'
import type { Schema } from '../../../protocol/schemas.ts'
import { DAYS, dayNames } from './weekdays.ts'

const isMessage = (name: string): name is Message => Object.hasOwn(catalogues.en, name)

const said = (name: string, { say }: Speech): string | undefined => (isMessage(name) ? say(name) : undefined)

/** `max_reschedules` as Max reschedules, for what no catalogue has a word for. */
const plain = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

/** What a member of the definition is called. */
export const labelOf = (name: string, speech: Speech): string => said(`setup.${name}`, speech) ?? plain(name)

/** What a member is that not everybody knows by its name; sums are written here as people write them. */
export const hintOf = (name: string, { description }: Schema, speech: Speech): string | undefined =>
  said(`setup.${name}`, speech) === undefined && typeof description === 'string'
    ? description.replace(/,? in minor units/, '')
    : undefined

/** What one of several values is called. */
export function valueLabel(value: string, speech: Speech): string {
  const day = DAYS.find((one) => one === value)
  if (day) return dayNames(speech.locale, 'short')(day)
  return said(`setup.is.${value}`, speech) ?? said(`setup.channel.${value}`, speech) ?? plain(value)
}
