import { secondsOf } from '../../infra/time/time-units.ts'
import type { BusinessDefinition, ReminderDefinition } from '../../protocol/types.generated.ts'

export interface Reminder {
  /** The number of seconds before the start of the booking. */
  seconds: number
  /** The only channel of the reminder. Undefined means a mail, and also a text message to buyers who agreed to them. */
  by?: 'mail' | 'text' | undefined
}

type ReminderSetting = NonNullable<BusinessDefinition['reminder']>

const USUAL = 'PT24H'

/**
 * Returns the reminders before bookings of a service: its own reminders, or else those of the business. The list is empty
 * if there are no reminders.
 */
export const remindersOf = (serviceId: string, { services, reminder = USUAL }: BusinessDefinition): Reminder[] =>
  parsedReminders(services.find(({ id }) => id === serviceId)?.reminder ?? reminder)

/**
 * Returns the usual reminders of the business, and those of the services with their own reminders, by the id of the
 * service.
 */
export function allReminders({ reminder = USUAL, services = [] }: Partial<BusinessDefinition> = {}) {
  const own = services.flatMap(({ id, reminder }) => (reminder ? [[id, parsedReminders(reminder)] as const] : []))
  return { usual: parsedReminders(reminder), ofServices: new Map(own) }
}

const parsedReminders = (setting: ReminderSetting): Reminder[] =>
  reminderItems(setting)
    .map(({ before, by }) => ({ seconds: secondsOf(before), by }))
    .filter(({ seconds }) => seconds > 0)

/** Returns each reminder of a setting as an object. The setting is one duration or a list. */
export const reminderItems = (setting: ReminderSetting): Exclude<ReminderDefinition, string>[] =>
  [setting].flat().map((item) => (typeof item === 'string' ? { before: item } : item))
