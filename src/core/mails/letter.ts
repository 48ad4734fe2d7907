import type { Speech } from '../../infra/i18n/speech.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** What somebody is told, before it is a mail or data. */
export interface Letter {
  subject: string
  /** The first thing that is read: what happened. */
  heading: string
  paragraphs: readonly string[]
  /** What it is about, as names and values. */
  rows?: readonly (readonly [name: string, value: string])[]
  /** What can be done about it; the first is the one that matters. */
  actions?: readonly { label: string; url: string }[]
  /** For the calendar of who is written to. */
  calendar?: { method: 'REQUEST' | 'CANCEL' | 'PUBLISH'; text: string }
}

/** What a letter is made of, as it was when it was written down. */
export interface Matter {
  kind: string
  snapshot: unknown
  audience: 'buyer' | 'staff'
}

/** Puts a matter into words; nothing where there is nobody to tell any more. */
export type LetterOf = (matter: Matter, speech: Speech, definition: BusinessDefinition) => Letter | undefined

/** By the kind of what it is about. */
export type Letters = Readonly<Record<'booking' | 'entry' | 'account' | 'guest' | 'staff', LetterOf>>
