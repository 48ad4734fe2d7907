import type { Channel, Watching } from './channels.ts'
import type { ProviderCalendar } from './provider-account.ts'
import type { CalendarRead, ReadOptions } from './provider-report.ts'

export interface AccountCalendars {
  calendars: ProviderCalendar[]
  /** The email address of the account, or the id of its main calendar. */
  account: string
}

/** Reads one account at a provider. */
export interface ProviderReader {
  listCalendars(): Promise<AccountCalendars>
  /** Opens the channel of a calendar, or renews the former channel. */
  watch(calendar: string, former: Channel | undefined, watching: Watching): Promise<Channel>
  /** Closes a channel. Nothing happens if the provider does not know the channel. */
  close(channel: Channel): Promise<void>
  /** Reads the changes of a calendar since this token, or all its events. */
  readCalendar(calendar: string, token: string | undefined, options: ReadOptions): Promise<CalendarRead>
}
