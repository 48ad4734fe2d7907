import type { en } from './en.ts'

export type Message = keyof typeof en

/** What one language says for each of them. */
export type Catalogue = Readonly<Record<Message, string>>
