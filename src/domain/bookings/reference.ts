import { hash } from 'node:crypto'

/** Consonants alone: none is taken for a digit or for another, and they spell nothing. */
const LETTERS = 'BCDFGHJKMNPQRSTVWXYZ'
const LENGTH = 8

/** However it is written; the id of a booking never looks like one. */
export const isReference = (text: string): boolean =>
  /^[BCDFGHJKMNPQRSTVWXYZ]{4}-?[BCDFGHJKMNPQRSTVWXYZ]{4}$/i.test(text)

export const isReferenceOf = (text: string, booking: { id: string }): boolean =>
  text.toUpperCase().replace('-', '') === referenceOf(booking).replace('-', '')

/** What people call a booking by, on the phone or in a bank transfer. The same for ever, since it follows from the id. */
export function referenceOf({ id }: { id: string }): string {
  const octets = hash('sha256', id, 'buffer').subarray(0, LENGTH)
  const letters = [...octets].map((octet) => LETTERS[octet % LETTERS.length]).join('')
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`
}
