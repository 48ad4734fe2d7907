import { languages } from '../../infra/i18n/languages.ts'
import { english, speechOf } from '../../infra/i18n/speech.ts'
import type { Said } from './tool.ts'

/** Where a view finds them beside an answer. It is nothing that a model reads. */
export const WORDS = 'usp/words'

type Words = NonNullable<Said['words']>

const others = Object.keys(languages).filter((language) => language !== 'en')

/**
 * English sentences of an answer in the other languages: which of them its reader speaks is known to the host's screen and not here.
 */
export function inAllLanguages(words: Words): Record<string, Record<string, string>> {
  const said = words(english())
  return Object.fromEntries(
    others.map((language) => {
      const there = words(speechOf(language) ?? english())
      const pairs = said.map((text, index) => [text, there[index] ?? text] as const)
      return [language, Object.fromEntries(pairs.filter(([text, other]) => text !== '' && text !== other))]
    }),
  )
}
