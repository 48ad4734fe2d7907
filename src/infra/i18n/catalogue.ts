import type { en } from './en.ts'

export type Message = keyof typeof en

export type Catalogue = Readonly<Record<Message, string>>
