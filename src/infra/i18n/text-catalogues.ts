import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import type { Language } from './languages.ts'
import type { Message } from './localizer.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'

export type Catalogue = Readonly<Record<Message, string>>

export const catalogues: Readonly<Record<Language, Catalogue>> = { en, de, fr, es, it, pt, nl, pl, ar, ja }
