import { UnreadCalendarError } from '../calendar-problems.ts'
import {
  type CalendarRead,
  type ProviderEvent,
  type ReadOptions,
  timesOf,
  unreadableOf,
} from '../oauth/provider-report.ts'
import { MAX_BUSY_TIMES } from '../reader/read-calendar.ts'
import type { MicrosoftClient } from './microsoft-client.ts'
import { EVENT_MEMBERS, microsoftEvent } from './microsoft-event.ts'

/**
 * Reads a calendar at Microsoft, if it has changed since the known position. The server asks for the list of changes
 * before the list of events. Therefore the next read also gets the changes in between. The list of changes is
 * incomplete: it lacks the state of repetitions, and does not name a deleted repetition. Therefore the server reads all
 * events after any change.
 */
export async function readMicrosoftCalendar(
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
  if (changes?.count === 0)
    return { scope: 'changes', times: [], replaced: new Set(), unreadable: new Set(), token: changes.link }
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
