import { displayNames, localeOf } from '../util/cached-intl-formatters.ts'

/** Returns the name of a language in the language of the reader. For a tag that is not a language tag, returns the tag. */
export function languageName(tag: string, locale: string): string {
  try {
    return displayNames(locale, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

const RIGHT_TO_LEFT_SCRIPTS: ReadonlySet<string> = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg'])

/** Returns the direction in which people write a language. For a tag that is not a language tag, returns `auto`. */
export function directionOfTag(tag: string): 'ltr' | 'rtl' | 'auto' {
  try {
    return RIGHT_TO_LEFT_SCRIPTS.has(localeOf(tag).maximize().script ?? '') ? 'rtl' : 'ltr'
  } catch {
    return 'auto'
  }
}
