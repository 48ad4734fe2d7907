/** The languages of pages and mails. The name of each language is in the language itself. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  pt: 'Português',
  nl: 'Nederlands',
  pl: 'Polski',
  ar: 'العربية',
  ja: '日本語',
} as const

export type Language = keyof typeof languages

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag)

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar'])

export const directionOf = (language: Language): 'ltr' | 'rtl' => (RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr')
