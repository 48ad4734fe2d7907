import type {
  NotificationText,
  NotificationWriters,
  WriteNotification,
} from '../../src/core/mails/notification-text.ts'

/** The snapshot is the letter, but for what every letter has; without a subject there is none. */
const letterOf: WriteNotification = ({ snapshot }) => {
  const given = Object(snapshot)
  const letter: NotificationText = { heading: 'You are booked', paragraphs: ['We look forward to it.'], ...given }
  return given.subject === undefined ? undefined : letter
}

export const letters: NotificationWriters = {
  booking: letterOf,
  entry: letterOf,
  account: letterOf,
  guest: letterOf,
  staff: letterOf,
}
