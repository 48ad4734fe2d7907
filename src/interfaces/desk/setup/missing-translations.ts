import { offeredLanguages, translatedEntries } from '../../../domain/definition/offered-languages.ts'
import {
  missingLanguagesOf,
  type TranslatableText,
  type TranslatedList,
  translatableTexts,
} from '../../../domain/definition/translatable-texts.ts'
import { languageName } from '../../../infra/i18n/language-names.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { mapWithYields } from '../../../infra/util/yield-to-event-loop.ts'
import { pathText } from './definition-path-text.ts'

interface Gap {
  list: TranslatedList
  entry: unknown
  text: TranslatableText
}

/**
 * Counts the texts without a translation for each language of the business. Each language links to the field of its
 * first missing text.
 */
export async function missingTranslations(definition: object, localizer: Localizer): Promise<Content> {
  const { usual, others } = await offeredLanguages(definition)
  if (others.length === 0) return undefined
  const missingLanguages = missingLanguagesOf(usual, others)
  const gaps = new Map<string, { first: Gap; count: number }>()
  const written = await mapWithYields(translatedEntries(definition), ({ list, entry }) => {
    const texts = translatableTexts(list, entry)
    for (const text of texts)
      for (const language of missingLanguages(text)) {
        const { first, count } = gaps.get(language) ?? { first: { list, entry, text }, count: 0 }
        gaps.set(language, { first, count: count + 1 })
      }
    return texts.filter(({ text }) => text !== '').length
  })
  const total = written.reduce((sum, count) => sum + count, 0)
  const complete = others.filter((language) => !gaps.has(language))
  const nameOf = (language: string) => languageName(language, localizer.locale)
  return html`<h2>${localizer.say('setup.localized')}</h2>${
    complete.length > 0 &&
    html`<p>${localizer.say('setup.translations.complete', { languages: localizer.list(complete.map(nameOf)) })}</p>`
  }${
    gaps.size > 0 &&
    html`<ul class="steps">${others.flatMap((language) => {
      const gap = gaps.get(language)
      if (!gap) return []
      const { first, count } = gap
      return html`<li><a href="${addressOf(first, language)}">${nameOf(language)} <span class="soft">${localizer.say('setup.translations.missing', { count, total })}</span><br><span class="soft">${placeOf(first, localizer)}</span></a></li>
`
    })}</ul>`
  }`
}

const addressOf = ({ list, entry, text: { translationsPath } }: Gap, language: string): string =>
  `/desk/setup/${list}/${encodeURIComponent(String(asRecord(entry).id))}#${encodeURIComponent(`${translationsPath}.${language}`)}`

const placeOf = ({ entry, text: { translationsPath } }: Gap, localizer: Localizer): Content =>
  html`<bdi>${String(asRecord(entry).name)}</bdi> › ${pathText(translationsPath.replace(/\.\d+\./, '.'), localizer)}`
