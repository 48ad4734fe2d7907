import { UnreadCalendarError } from '../calendar-problems.ts'
import { channelKeeper, type Watching } from '../oauth/channels.ts'
import { chosenCalendars, type ProviderAccount } from '../oauth/provider-account.ts'
import {
  type CalendarRead,
  calendarKey,
  type ProviderEvent,
  type ProviderReport,
  type ProviderState,
  type ReadOptions,
  timesOf,
  unreadableOf,
} from '../oauth/provider-report.ts'
import { MAX_BUSY_TIMES } from '../reader/read-calendar.ts'
import { listMicrosoftCalendars } from './list-microsoft-calendars.ts'
import type { MicrosoftClient } from './microsoft-client.ts'
import { EVENT_MEMBERS, microsoftEvent } from './microsoft-event.ts'
import { watchMicrosoftCalendar } from './watch-calendar.ts'

/**
 * Reads the events of an account at Microsoft. For each calendar, the server first asks whether there are changes. Only
 * then does it read the calendar.
 */
export async function readMicrosoftAccount(
  client: MicrosoftClient,
  { calendars: chosen }: Pick<ProviderAccount, 'calendars'>,
  known: ProviderState,
  { watching, ...options }: ReadOptions & { watching: Watching },
): Promise<{ state: ProviderState; reports: ProviderReport[] }> {
  const next: ProviderState = { tokens: {}, channels: {} }
  const reports: ProviderReport[] = []
  const keepChannel = channelKeeper(known.channels, watching, (calendar, former) =>
    watchMicrosoftCalendar(client, calendar, former, watching),
  )
  const calendars = chosenCalendars((await listMicrosoftCalendars(client)).calendars, chosen)
  if (!calendars) throw new UnreadCalendarError('no_calendar')
  for (const { id } of calendars) {
    const calendar = calendarKey(id)
    // The channel comes first, so that no change falls between the read and the first notice.
    Object.assign(next.channels, await keepChannel(id, calendar))
    const { token, ...report } = await readCalendar(client, id, known.tokens[calendar], options)
    next.tokens[calendar] = token
    reports.push({ calendar, ...report })
  }
  return { state: next, reports }
}

const NOTHING = { scope: 'changes', times: [], replaced: new Set<string>(), unreadable: new Set<string>() } as const

/**
 * Reads a calendar, if it has changed since the known position. The list of changes is older than the list of events, so
 * that the next read also gets the changes in between. The list of changes does not tell all: it lacks the state of
 * repetitions, and does not name a deleted repetition. Therefore any change leads to a list of all events.
 */
async function readCalendar(
  { list }: MicrosoftClient,
  id: string,
  position: string | undefined,
  { zone, window }: ReadOptions,
): Promise<CalendarRead> {
  const path = `/me/calendars/${encodeURIComponent(id)}/calendarView`
  const [start, end] = window.map((instant) => new Date(instant).toISOString())
  const range = `startDateTime=${start}&endDateTime=${end}`

  async function changesAt(address: string) {
    let count = 0
    const listed = await list(address, 'odata.maxpagesize=50', (items) => {
      count += items.length
    })
    if (listed === 'gone') return undefined
    if (listed.link === undefined) throw new UnreadCalendarError('truncated')
    return { count, link: listed.link }
  }

  const changes = position === undefined ? undefined : await changesAt(position)
  if (changes?.count === 0) return { ...NOTHING, times: [], token: changes.link }
  const { link } = changes ?? (await changesAt(`${path}/delta?${range}`)) ?? { link: undefined }
  const events: ProviderEvent[] = []
  const listed = await list(`${path}?${range}&$select=${EVENT_MEMBERS}&$top=500`, 'odata.maxpagesize=500', (items) => {
    for (const item of items) {
      const event = microsoftEvent(item, zone)
      if (!event) throw new UnreadCalendarError('truncated')
      events.push(event)
    }
    if (events.length > MAX_BUSY_TIMES) throw new UnreadCalendarError('too_large')
  })
  if (listed === 'gone' || link === undefined) throw new UnreadCalendarError('no_calendar')
  return {
    scope: 'whole',
    times: timesOf(id, events, window),
    replaced: new Set(),
    unreadable: unreadableOf(id, events),
    token: link,
  }
}
