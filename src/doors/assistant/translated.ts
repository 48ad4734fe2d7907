import { isLanguage, languages } from '../../languages/languages.ts'
import { english, speechOf } from '../../languages/speech.ts'
import type { Said } from './tool.ts'

/** Where a view finds them beside an answer. It is nothing that a model reads. */
export const WORDS = 'usp/words'

type Words = NonNullable<Said['words']>

/**
 * English sentences of an answer in the other languages: which of them its reader speaks is known to the host's screen and not here.
 */
export async function inAllLanguages(words: Words): Promise<Record<string, Record<string, string>>> {
  const said = await words(english())
  const others = Object.keys(languages).filter((language) => isLanguage(language) && language !== 'en')
  const translated = await Promise.all(
    others.map(async (language) => {
      const there = await words(speechOf(language) ?? english())
      const pairs = said.flatMap((text, index) => (text === '' ? [] : [[text, there[index] ?? text] as const]))
      return [language, Object.fromEntries(pairs.filter(([text, other]) => text !== other))] as const
    }),
  )
  return Object.fromEntries(translated)
}
