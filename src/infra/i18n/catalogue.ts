import type { en } from './en.ts'

export type Message = keyof typeof en

/** The texts of one language. */
export type Catalogue = Readonly<Record<Message, string>>
