import type { Letter, LetterOf, Letters } from '../../src/core/mails/letter.ts'

/** The snapshot is the letter, but for what every letter has; without a subject there is none. */
const letterOf: LetterOf = ({ snapshot }) => {
  const given = Object(snapshot)
  const letter: Letter = { heading: 'You are booked', paragraphs: ['We look forward to it.'], ...given }
  return given.subject === undefined ? undefined : letter
}

export const letters: Letters = {
  booking: letterOf,
  entry: letterOf,
  account: letterOf,
  guest: letterOf,
  staff: letterOf,
}
