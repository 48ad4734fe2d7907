import type { Catalogue } from './catalogue.ts'
import { en } from './en.ts'
import type { Language } from './languages.ts'

export const catalogues: Readonly<Record<Language, Catalogue>> = { en }
