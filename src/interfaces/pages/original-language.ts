import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** A text in the language of the reader, and the original of the business. They are equal without a translation. */
interface TranslatedText {
  text: string
  usual: string | undefined
}

/** The `lang` attribute for an untranslated text, so screen readers pronounce it correctly. */
export function langOf(
  { text, usual }: TranslatedText,
  { business }: BusinessDefinition,
  { language }: Localizer,
): Content {
  const { language: usualLanguage = 'en' } = business
  return text === usual && usualLanguage.split('-', 1)[0] !== language && html` lang="${usualLanguage}"`
}

/** The same inside other text, as a `bdi` element. A paragraph sets the attribute on its own element. */
export function textWithLang(words: TranslatedText, definition: BusinessDefinition, localizer: Localizer): Content {
  const lang = langOf(words, definition, localizer)
  return lang ? html`<bdi${lang}>${words.text}</bdi>` : words.text
}
