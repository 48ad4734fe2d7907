import { UnreadCalendarError } from '../calendar-problems.ts'
import { type Channel, channelKeeper, type Watching } from './channels.ts'
import { chosenCalendars, type ProviderAccount } from './provider-account.ts'
import type { ProviderReader } from './provider-reader.ts'
import { calendarKey, type ProviderReport, type ProviderState, type ReadOptions } from './provider-report.ts'

/** Reads the chosen calendars of an account: the changes since the known tokens, or all events. */
export async function readProviderAccount(
  reader: ProviderReader,
  { calendars: chosen }: Pick<ProviderAccount, 'calendars'>,
  known: ProviderState,
  { watching, ...options }: ReadOptions & { watching: Watching },
): Promise<{ state: ProviderState; reports: ProviderReport[] }> {
  const next: ProviderState = { tokens: {}, channels: {} }
  const reports: ProviderReport[] = []
  const keepChannel = channelKeeper(known.channels, watching, reader.watch)
  const calendars = chosenCalendars((await reader.listCalendars()).calendars, chosen)
  if (!calendars) throw new UnreadCalendarError('no_calendar')
  for (const { id } of calendars) {
    const calendar = calendarKey(id)
    // The channel comes first, so that no change falls between the read and the first notice.
    Object.assign(next.channels, await keepChannel(id, calendar))
    const { token, ...report } = await reader.readCalendar(id, known.tokens[calendar], options)
    next.tokens[calendar] = token
    reports.push({ calendar, ...report })
  }
  for (const [calendar, channel] of Object.entries(known.channels))
    if (!(calendar in next.channels) && !(await isClosed(channel, reader))) next.channels[calendar] = channel
  return { state: next, reports }
}

/** Closes the channel of a calendar that no longer blocks time. If that fails, the next read tries again. */
async function isClosed(channel: Channel, reader: ProviderReader): Promise<boolean> {
  try {
    if (channel.id !== undefined) await reader.close(channel)
    return true
  } catch (error) {
    if (!(error instanceof UnreadCalendarError)) throw error
    return false
  }
}
