import { languages } from '../../infra/i18n/languages.ts'
import { english, speechOf } from '../../infra/i18n/speech.ts'
import type { Said } from './tool.ts'

/** The `_meta` key for translations. Only the view reads it, not the model. */
export const WORDS = 'usp/words'

type Words = NonNullable<Said['words']>

const others = Object.keys(languages).filter((language) => language !== 'en')

/**
 * Translations of the English sentences in an answer. Only the host knows the language of the reader, so all languages
 * are sent.
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
