import { readFileSync } from 'node:fs'
import { memoize } from '../util/memoize.ts'
import { type Language, languages } from './languages.ts'
import type en from './texts/en.json'

export type Message = keyof typeof en

/**
 * All texts of pages and mails in one language, in ICU message syntax. A test compares the other languages with
 * English: each language must have all messages, with the same parameters. Texts that the business writes are not in
 * these files.
 */
export type Catalogue = Readonly<Record<Message, string>>

/** Reads the texts of a language when a page or mail first needs them. Most businesses need only a few languages. */
export const catalogueOf = memoize(
  Object.keys(languages).length,
  (language: Language): Catalogue =>
    JSON.parse(readFileSync(new URL(`./texts/${language}.json`, import.meta.url), 'utf8')),
)
