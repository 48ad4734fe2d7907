import type { Speech } from '../../infra/i18n/speech.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/** The content of a notification, before a channel formats it. */
export interface Letter {
  subject: string
  /** The main message in one line. */
  heading: string
  paragraphs: readonly string[]
  rows?: readonly (readonly [name: string, value: string])[]
  /** The first one is the main one. */
  actions?: readonly { label: string; url: string }[]
  calendar?: { method: 'REQUEST' | 'CANCEL' | 'PUBLISH'; text: string }
}

/** The input of a notification, as stored with the queued mail. */
export interface Matter {
  kind: string
  snapshot: unknown
  audience: 'buyer' | 'staff'
}

/** Writes a notification; undefined when it no longer has a recipient. */
export type LetterOf = (matter: Matter, speech: Speech, definition: BusinessDefinition) => Letter | undefined

/** By the kind of subject. */
export type Letters = Readonly<Record<'booking' | 'entry' | 'account' | 'guest' | 'staff', LetterOf>>
