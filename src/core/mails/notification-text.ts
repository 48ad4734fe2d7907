import { englishLocalizer, type Localizer, localizerFor } from '../../infra/i18n/localizer.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { MailRow } from './queries.ts'

/** The content of a notification, before a channel formats it. */
export interface NotificationText {
  subject: string
  /** The main message in one line. */
  heading: string
  paragraphs: readonly string[]
  rows?: readonly (readonly [name: string, value: string])[]
  /** The first action is the main one. */
  actions?: readonly { label: string; url: string }[]
  calendar?: { method: 'REQUEST' | 'CANCEL' | 'PUBLISH'; text: string }
}

/** The input of a notification, as stored with the queued mail. */
export interface NotificationInput {
  kind: string
  snapshot: unknown
  audience: 'buyer' | 'staff'
}

/** Writes a notification; undefined when it no longer has a recipient. */
export type WriteNotification = (
  input: NotificationInput,
  localizer: Localizer,
  definition: BusinessDefinition,
) => NotificationText | undefined

/** One writer for each kind of subject. */
export type NotificationWriters = Readonly<
  Record<'booking' | 'entry' | 'account' | 'guest' | 'staff', WriteNotification>
>

export interface Composed {
  letter: NotificationText
  localizer: Localizer
}

/**
 * Writes the text of a mail with the current definition. Undefined when its data was erased or there is nothing left to
 * say.
 */
export function compose(
  { kind, subject, audience, locale, snapshot }: MailRow,
  letters: NotificationWriters,
  definition: BusinessDefinition,
): Composed | undefined {
  if (snapshot === null) return undefined
  const letterOf = new Map(Object.entries(letters)).get(subject.split(' ', 1)[0] ?? '')
  if (!letterOf) throw new Error(`No notification text exists for the subject ${subject}`)
  const localizer = localizerFor(locale) ?? englishLocalizer()
  const letter = letterOf({ kind, snapshot, audience }, localizer, definition)
  return letter && { letter, localizer }
}
