import { languages } from '../../infra/i18n/languages.ts'
import { englishLocalizer, localizerFor } from '../../infra/i18n/localizer.ts'
import type { ToolResult } from './tool.ts'

/** The `_meta` key for translations. Only the view reads it, not the model. */
export const TRANSLATIONS_KEY = 'usp/words'

type Words = NonNullable<ToolResult['words']>

const others = Object.keys(languages).filter((language) => language !== 'en')

/**
 * Translations of the English sentences in an answer. Only the host knows the language of the reader, so all languages
 * are sent.
 */
export function translationsOf(words: Words): Record<string, Record<string, string>> {
  const said = words(englishLocalizer())
  return Object.fromEntries(
    others.map((language) => {
      const there = words(localizerFor(language) ?? englishLocalizer())
      const pairs = said.map((text, index) => [text, there[index] ?? text] as const)
      return [language, Object.fromEntries(pairs.filter(([text, other]) => text !== '' && text !== other))]
    }),
  )
}
