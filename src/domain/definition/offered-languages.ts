import { asRecord, omitUndefined } from '../../infra/util/object-members.ts'
import { mapWithYields } from '../../infra/util/yield-to-event-loop.ts'
import { TRANSLATED_LISTS, type TranslatedList, translatableTexts } from './translatable-texts.ts'

/** The languages of the texts of a business: the language of the definition, and the languages of its translations. */
export interface OfferedLanguages {
  usual: string
  others: string[]
}

/** The largest number of languages that the desk shows. */
const MAX_LANGUAGES = 50

/**
 * Finds the languages of the texts of a business. A language of an existing translation is one of them, even if the
 * definition does not list it. Otherwise an owner could not see every text that buyers see.
 */
export async function offeredLanguages(definition: object): Promise<OfferedLanguages> {
  const { language, languages } = asRecord(asRecord(definition).business)
  const usual = typeof language === 'string' ? language : 'en'
  const tags = new Set<string>(Array.isArray(languages) ? languages.map(String) : [])
  await mapWithYields(translatedEntries(definition), ({ list, entry }) => {
    for (const { translations } of translatableTexts(list, entry))
      for (const tag of Object.keys(translations)) tags.add(tag)
  })
  tags.delete(usual)
  return { usual, others: [...tags].slice(0, MAX_LANGUAGES) }
}

export function* translatedEntries(definition: object): Generator<{ list: TranslatedList; entry: unknown }> {
  for (const list of TRANSLATED_LISTS) {
    const entries = asRecord(definition)[list]
    if (Array.isArray(entries)) for (const entry of entries) yield { list, entry }
  }
}

/** Returns a copy of the definition without the translations into some languages, and counts them by language. */
export async function withoutTranslations(
  definition: object,
  languages: readonly string[],
): Promise<{ definition: object; removed: Map<string, number> }> {
  const removed = new Map(languages.map((language) => [language, 0]))
  const isKept = (tag: string) => {
    const count = removed.get(tag)
    if (count !== undefined) removed.set(tag, count + 1)
    return count === undefined
  }
  const lists = await Promise.all(
    TRANSLATED_LISTS.map(async (list) => {
      const entries = asRecord(definition)[list]
      if (!Array.isArray(entries)) return []
      return [[list, await mapWithYields(entries, (entry) => filtered(entry, isKept))]]
    }),
  )
  return { definition: { ...definition, ...Object.fromEntries(lists.flat()) }, removed }
}

/**
 * Returns a copy of a service, resource or price rule with only the translations whose language tags are kept. The other
 * properties keep their order, because people also read the business definition as YAML.
 */
function filtered(entry: unknown, isKept: (tag: string) => boolean): object {
  const members = Object.entries(asRecord(entry)).map(([name, value]): [string, unknown] => {
    if (name === 'localized') return [name, keptTexts(value, isKept)]
    if (name === 'price_rules' && Array.isArray(value)) return [name, value.map((rule) => filtered(rule, isKept))]
    return [name, value]
  })
  return omitUndefined(Object.fromEntries(members))
}

function keptTexts(localized: unknown, isKept: (tag: string) => boolean): object | undefined {
  const members = Object.entries(asRecord(localized)).map(([name, translations]): [string, object] => [
    name,
    Object.fromEntries(Object.entries(asRecord(translations)).filter(([tag]) => isKept(tag))),
  ])
  const kept = members.filter(([, translations]) => Object.keys(translations).length > 0)
  return kept.length > 0 ? Object.fromEntries(kept) : undefined
}
