import { UnreadCalendarError } from '../calendar-problems.ts'
import { type CalendarRead, digestIn, type ReadOptions, timesOf, unreadableOf } from '../oauth/provider-report.ts'
import { MAX_BUSY_TIMES } from '../reader/read-calendar.ts'
import type { GoogleClient } from './google-client.ts'
import { EVENT_FIELDS, type GoogleEvent, googleEvent } from './google-event.ts'

/** With more changed repeating events than this number, the server reads the whole calendar instead. */
const MAX_CHANGED_SERIES = 40
const MAX_TOKEN_CHARACTERS = 2_000
const PAGE = { maxResults: '1000', maxAttendees: '1' }

/**
 * Reads a calendar at Google: the changes since the sync token, or all events. If Google has lost the sync token, the
 * server reads all events.
 */
export async function readGoogleCalendar(
  client: GoogleClient,
  id: string,
  syncToken: string | undefined,
  options: ReadOptions,
): Promise<CalendarRead> {
  const reader = calendarReader(client, id, options)
  const changes = syncToken === undefined ? undefined : await reader.changes(syncToken)
  return changes ?? reader.whole()
}

function calendarReader({ list }: GoogleClient, id: string, { zone, window }: ReadOptions) {
  const path = `/calendars/${encodeURIComponent(id)}/events`
  const [timeMin, timeMax] = window.map((instant) => new Date(instant).toISOString()) as [string, string]
  const digestOf = (event: string) => digestIn(id, event)

  /** Gets a list of events. Returns undefined if the list is gone. `token` is the sync token of the last page. */
  async function listEvents(address: string, query: Record<string, string>) {
    const events: GoogleEvent[] = []
    let token: unknown
    const end = await list(address, query, ({ items, nextSyncToken }) => {
      if (items !== undefined && !Array.isArray(items)) throw new UnreadCalendarError('truncated')
      for (const item of items ?? []) {
        const event = googleEvent(item, zone)
        if (!event) throw new UnreadCalendarError('truncated')
        events.push(event)
      }
      if (events.length > MAX_BUSY_TIMES) throw new UnreadCalendarError('too_large')
      token = nextSyncToken
    })
    return end === 'gone' ? undefined : { events, token }
  }

  /** A list with a sync token is complete only with a new token on its last page. */
  const usableToken = (token: unknown): string => {
    if (typeof token !== 'string' || token === '' || token.length > MAX_TOKEN_CHARACTERS)
      throw new UnreadCalendarError('truncated')
    return token
  }

  const inWindow = { ...PAGE, timeMin, timeMax, fields: `nextPageToken,items(${EVENT_FIELDS})` }

  return {
    /**
     * Reads all events in the window. The server gets the sync token before the events. Therefore the next read
     * also gets the changes in between. The list for the token does not expand repeating events: otherwise the list of changes would
     * contain all repetitions of a changed event, until the end of time.
     */
    async whole(): Promise<CalendarRead> {
      const start = await listEvents(path, { ...PAGE, timeMin, fields: 'nextPageToken,nextSyncToken' })
      const all = await listEvents(path, { ...inWindow, singleEvents: 'true' })
      if (!start || !all) throw new UnreadCalendarError('no_calendar')
      return {
        scope: 'whole',
        times: timesOf(id, all.events, window),
        replaced: new Set(),
        unreadable: unreadableOf(id, all.events),
        token: usableToken(start.token),
      }
    },

    /** Reads the changes since a sync token. Returns undefined if only a whole read helps. */
    async changes(syncToken: string): Promise<CalendarRead | undefined> {
      const fields = `nextPageToken,nextSyncToken,items(${EVENT_FIELDS})`
      const changed = await listEvents(path, { ...PAGE, syncToken, fields })
      if (!changed) return undefined
      const token = usableToken(changed.token)
      const series = new Set(changed.events.filter(({ isRepeating }) => isRepeating).map((event) => event.series))
      if (series.size > MAX_CHANGED_SERIES) return undefined
      const current = changed.events.filter(({ isRepeating }) => !isRepeating)
      const replaced = new Set(current.map((event) => digestOf(event.series)))
      for (const one of series) {
        const instances = await listEvents(`${path}/${encodeURIComponent(one)}/instances`, inWindow)
        const own = changed.events.filter((event) => event.series === one)
        if (instances) {
          current.push(...instances.events)
          replaced.add(digestOf(one))
        } else {
          // The repeating event is deleted. Or the person was invited to single repetitions only, and sees only these.
          const isDeleted = own.some((event) => event.id === one && event.isCancelled)
          current.push(...own.filter((event) => event.id !== one))
          for (const name of isDeleted ? [one] : own.map((event) => event.id)) replaced.add(digestOf(name))
        }
      }
      const times = timesOf(id, current, window)
      return { scope: 'changes', times, replaced, unreadable: unreadableOf(id, current), token }
    },
  }
}
