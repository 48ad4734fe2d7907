import { asRecord } from '../../infra/util/object-members.ts'
import { lookupTags, primaryCategory } from '../catalog/localized-texts.ts'

/** The lists of the business definition whose entries have translations. */
export const TRANSLATED_LISTS = ['services', 'resources'] as const
export type TranslatedList = (typeof TRANSLATED_LISTS)[number]

/**
 * A text that the business can translate. Its paths start at the service, person or room that it belongs to. A service
 * has a path for each of its texts, also for one that the business has not written yet.
 */
export interface TranslatableText {
  path: string
  text: string
  /** The path of the translations, such as `localized.name`. They are listed by language tag. */
  translationsPath: string
  translations: Readonly<Record<string, unknown>>
}

/** Lists the translatable texts of a service, or of a person, room or item. The entry can be incomplete. */
export function translatableTexts(list: TranslatedList, entry: unknown): TranslatableText[] {
  const { name, description, channel, categories, price_rules, localized } = asRecord(entry)
  const isPlain = typeof description !== 'object'
  const own = (member: string, path: string, text: unknown) => textOf(path, text, `localized.${member}`, localized)
  const both = [
    own('name', 'name', name),
    isPlain
      ? own('description', 'description', description)
      : own('description', 'description.plain', asRecord(description).plain),
  ]
  if (list === 'resources') return both
  const known = itemsOf(categories)
  const primary = primaryCategory(known)
  const category = primary ? known.indexOf(primary) : -1
  return [
    ...both,
    ...(category === -1 ? [] : [own('category_name', `categories.${category}.name`, known[category]?.name)]),
    own('channel_instructions', 'channel.instructions', asRecord(channel).instructions),
    ...itemsOf(price_rules).map((rule, key) =>
      textOf(`price_rules.${key}.label`, rule.label, `price_rules.${key}.localized.label`, rule.localized),
    ),
  ]
}

function textOf(path: string, text: unknown, translationsPath: string, localized: unknown): TranslatableText {
  const member = translationsPath.split('.').at(-1) ?? ''
  return {
    path,
    text: typeof text === 'string' ? text : '',
    translationsPath,
    translations: asRecord(asRecord(localized)[member]),
  }
}

const itemsOf = (list: unknown) => (Array.isArray(list) ? list.map(asRecord) : [])

/**
 * Creates a function that finds the languages in which buyers do not see a text. A reader of `de-CH` also sees a text in
 * `de`. A text that the business has not written needs no translation.
 */
export function missingLanguagesOf(usual: string, languages: readonly string[]) {
  const lookups = languages.map((language) => ({ language, tags: lookupTags(language) }))
  return ({ text, translations }: TranslatableText): string[] => {
    if (text === '') return []
    const written = Object.entries(translations).flatMap(([tag, translated]) =>
      translated === '' ? [] : tag.toLowerCase(),
    )
    const seen = new Set([usual.toLowerCase(), ...written])
    return lookups.filter(({ tags }) => !tags.some((tag) => seen.has(tag))).map(({ language }) => language)
  }
}
