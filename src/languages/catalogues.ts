import { en } from './en.ts'
import type { Language } from './languages.ts'

export type Message = keyof typeof en
export type Catalogue = Readonly<Record<Message, string>>

export const catalogues: Readonly<Record<Language, Catalogue>> = { en }
