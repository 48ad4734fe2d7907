import type { Speech } from '../../infra/i18n/speech.ts'
import { type Content, html } from '../../infra/util/html.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** A text in the language of the reader, and the original of the business. They are equal without a translation. */
interface Words {
  text: string
  usual: string | undefined
}

/** The `lang` attribute for an untranslated text, so screen readers pronounce it correctly. */
export function langOf({ text, usual }: Words, { business }: BusinessDefinition, { language }: Speech): Content {
  const { language: own = 'en' } = business
  return text === usual && own.split('-', 1)[0] !== language && html` lang="${own}"`
}

/** The same inside other text, as a `bdi` element. A paragraph sets the attribute on its own element. */
export function ownWords(words: Words, definition: BusinessDefinition, speech: Speech): Content {
  const lang = langOf(words, definition, speech)
  return lang ? html`<bdi${lang}>${words.text}</bdi>` : words.text
}
