import { englishLocalizer, type Localizer, localizerFor } from '../../infra/i18n/localizer.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { MailRow } from './queries.ts'

/** The text message of a notification. */
export interface TextMessage {
  /** The same message several times, from the most detailed to the shortest. The server sends the first that fits. */
  texts: readonly string[]
  /** The same texts with a sentence about a possible answer, for senders that a buyer can answer. */
  answerableTexts?: readonly string[]
  /** If true, the message goes out during the quiet hours too, for example because it answers the buyer. */
  ignoresQuietHours?: boolean
  /** From this instant on, the message is of no use. */
  until?: Date | undefined
}

/** The content of a notification. The server can send it as a mail, as a text message, or to a webhook. */
export interface NotificationText {
  subject: string
  /** The main message of the notification, written in one line. */
  heading: string
  paragraphs: readonly string[]
  rows?: readonly (readonly [name: string, value: string])[]
  /** The links of the notification. The first link belongs to the main action, such as viewing the booking. */
  actions?: readonly { label: string; url: string }[]
  calendar?: { method: 'REQUEST' | 'CANCEL' | 'PUBLISH'; text: string }
  /** Missing if the notification is not sent as a text message. */
  textMessage?: TextMessage
}

/**
 * The data that the server needs to write the text of a notification. The database stores these data until the server
 * sends the mail.
 */
export interface NotificationInput {
  kind: string
  snapshot: unknown
  audience: 'buyer' | 'staff'
  /** The sender of the mail. Undefined if there is no mail server, or if the text is not for a mail. */
  sender?: string | undefined
}

/** Writes the text of a notification. Returns undefined if the recipient no longer needs the notification. */
export type WriteNotification = (
  input: NotificationInput,
  localizer: Localizer,
  definition: BusinessDefinition,
) => NotificationText | undefined

/** The functions that write notifications: one function for each kind of subject, such as `booking`. */
export type NotificationWriters = Readonly<
  Record<'booking' | 'entry' | 'account' | 'guest' | 'staff', WriteNotification>
>

export interface Composed {
  letter: NotificationText
  localizer: Localizer
}

/**
 * Writes the text of a mail with the current data of the business. Returns undefined if the recipient no longer needs
 * the mail, or if the server has erased the data of the mail.
 */
export function compose(
  { kind, subject, audience, locale, snapshot }: MailRow,
  letters: NotificationWriters,
  definition: BusinessDefinition,
  sender?: string,
): Composed | undefined {
  if (snapshot === null) return undefined
  const letterOf = new Map(Object.entries(letters)).get(subject.split(' ', 1)[0] ?? '')
  if (!letterOf) throw new Error(`No notification text exists for the subject ${subject}`)
  const localizer = localizerFor(locale) ?? englishLocalizer()
  const letter = letterOf({ kind, snapshot, audience, sender }, localizer, definition)
  return letter && { letter, localizer }
}
