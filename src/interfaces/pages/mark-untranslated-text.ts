import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/**
 * A text of the business in the language of the reader (`text`), and as the business wrote it (`usual`). Without a
 * translation, both texts are equal.
 */
interface TranslatedText {
  text: string
  usual: string | undefined
}

/**
 * Returns the attribute `lang` for a text of the business that has no translation into the language of the page. The
 * attribute tells screen readers how to pronounce the text.
 */
export function langOf(
  { text, usual }: TranslatedText,
  { business }: BusinessDefinition,
  { language }: Localizer,
): Content {
  const { language: usualLanguage = 'en' } = business
  return text === usual && usualLanguage.split('-', 1)[0] !== language && html` lang="${usualLanguage}"`
}

/**
 * Returns a text of the business for use inside another text. A text without a translation gets a `bdi` element with
 * the attribute `lang`.
 */
export function textWithLang(words: TranslatedText, definition: BusinessDefinition, localizer: Localizer): Content {
  const lang = langOf(words, definition, localizer)
  return lang ? html`<bdi${lang}>${words.text}</bdi>` : words.text
}
