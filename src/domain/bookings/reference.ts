import { hash } from 'node:crypto'

/** Consonants only, so no reference spells a word. None looks like a digit or like another letter. */
const LETTERS = 'BCDFGHJKMNPQRSTVWXYZ'
const LENGTH = 8

/** Accepts any case, with or without the hyphen. A booking's id never matches. */
export const isReference = (text: string): boolean =>
  /^[BCDFGHJKMNPQRSTVWXYZ]{4}-?[BCDFGHJKMNPQRSTVWXYZ]{4}$/i.test(text)

export const isReferenceOf = (text: string, booking: { id: string }): boolean =>
  text.toUpperCase().replace('-', '') === referenceOf(booking).replace('-', '')

/** The name of a booking on the phone or in a bank transfer. It is derived from the id and never changes. */
export function referenceOf({ id }: { id: string }): string {
  const octets = hash('sha256', id, 'buffer').subarray(0, LENGTH)
  const letters = [...octets].map((octet) => LETTERS[octet % LETTERS.length]).join('')
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`
}
