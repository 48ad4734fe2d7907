import { englishLocalizer, type Localizer, localizerFor } from '../../infra/i18n/localizer.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import type { NotificationText, NotificationWriters } from './notification-text.ts'
import type { MailRow } from './queries.ts'

export interface Composed {
  letter: NotificationText
  speech: Localizer
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
  const speech = localizerFor(locale) ?? englishLocalizer()
  const letter = letterOf({ kind, snapshot, audience }, speech, definition)
  return letter && { letter, speech }
}
