import type { Localizer } from '../../../infra/i18n/localizer.ts'

/** The channels of a reminder in a form. The empty value is the default: by mail, and also by text message. */
export const REMINDER_CHANNELS = ['', 'mail', 'text'] as const

export const reminderChannel = (channel: (typeof REMINDER_CHANNELS)[number], { say }: Localizer): string =>
  say(`setup.reminder.by.${channel || 'both'}`)
