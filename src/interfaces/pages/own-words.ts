import type { Speech } from '../../infra/i18n/speech.ts'
import { type Content, html } from '../../infra/util/html.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** What a person reads, and what the business itself wrote: the same, unless it is translated. */
interface Words {
  text: string
  usual: string | undefined
}

/** The attribute by which a voice reads aloud what nobody translated in the language that it was written in. */
export function langOf({ text, usual }: Words, { business }: BusinessDefinition, { language }: Speech): Content {
  const { language: own = 'en' } = business
  return text === usual && own.split('-', 1)[0] !== language && html` lang="${own}"`
}

/** The same for words among others; a whole paragraph says it itself. */
export function ownWords(words: Words, definition: BusinessDefinition, speech: Speech): Content {
  const lang = langOf(words, definition, speech)
  return lang ? html`<bdi${lang}>${words.text}</bdi>` : words.text
}
