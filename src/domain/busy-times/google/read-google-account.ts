import { hash } from 'node:crypto'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { ownUidOf, type Span } from '../reader/busy-time-list.ts'
import { MAX_BUSY_TIMES } from '../reader/read-calendar.ts'
import type { ObjectTime } from '../reader/read-reports.ts'
import type { GoogleAccount } from './google-account.ts'
import type { GoogleClient } from './google-client.ts'
import { EVENT_FIELDS, type GoogleEvent, googleEvent } from './google-event.ts'
import { type GoogleCalendar, listGoogleCalendars } from './list-google-calendars.ts'
import { type Channel, canWatch, openChannel, type Watching } from './watch-calendar.ts'

/** The state of an account after a read: a sync token and a channel for each calendar. The keys are digests of the calendar ids. */
export interface GoogleState {
  tokens: Record<string, string>
  channels: Record<string, Channel>
}

/** What the server has read of one calendar. */
export interface GoogleReport {
  /** The digest of the calendar id, in hexadecimal form. */
  calendar: string
  /** `whole`: all events in the window. `changes`: the changed events. */
  scope: 'whole' | 'changes'
  times: ObjectTime[]
  /** The digests of events and repeating events whose former times end. Only for `changes`. */
  replaced: ReadonlySet<string>
  /** The digests of repeating events and events that the server cannot read. They keep their former times. */
  unreadable: ReadonlySet<string>
}

interface Options {
  zone: string
  window: Span
}

/** With more changed repeating events than this number, the server reads the whole calendar instead. */
const MAX_CHANGED_SERIES = 40
/** The maximum number of channels that one read opens. The next reads open the others. */
const MAX_NEW_CHANNELS = 10
const MAX_TOKEN_CHARACTERS = 2_000
const PAGE = { maxResults: '1000', maxAttendees: '1' }

/**
 * Reads the events of an account at Google: the changes since the known sync tokens, or all events. If Google has lost a sync token, the
 * server reads this calendar whole.
 */
export async function readGoogleAccount(
  client: GoogleClient,
  { calendars: chosen }: Pick<GoogleAccount, 'calendars'>,
  known: GoogleState,
  options: Options & { watching: Watching },
): Promise<{ state: GoogleState; reports: GoogleReport[] }> {
  const next: GoogleState = { tokens: {}, channels: {} }
  const reports: GoogleReport[] = []
  let opened = 0
  for (const { id } of chosenCalendars(await listGoogleCalendars(client), chosen)) {
    const calendar = calendarKey(id)
    const channel = known.channels[calendar]
    const isChannelDue = canWatch(options.watching) && !(channel && channel.renewAt > options.watching.now.getTime())
    // The channel comes first, so that no change falls between the read and the first notice.
    const open = isChannelDue && opened++ < MAX_NEW_CHANNELS
    const current = open ? await openChannel(client, id, channel, options.watching) : channel
    if (current) next.channels[calendar] = current
    const reader = calendarReader(client, id, options)
    const token = known.tokens[calendar]
    const changes = token === undefined ? undefined : await reader.changes(token)
    const { token: newToken, ...report } = changes ?? (await reader.whole())
    next.tokens[calendar] = newToken
    reports.push({ calendar, ...report })
  }
  if (reports.reduce((sum, { times }) => sum + times.length, 0) > MAX_BUSY_TIMES)
    throw new UnreadCalendarError('too_large')
  return { state: next, reports }
}

/**
 * Returns the calendars that block time. If a chosen calendar no longer exists, the function throws an error. Otherwise its
 * times would become free, and the staff would not notice it.
 */
function chosenCalendars(all: readonly GoogleCalendar[], chosen: readonly string[] | undefined): GoogleCalendar[] {
  if (!chosen) return [...all]
  if (!chosen.every((id) => all.some((one) => one.id === id))) throw new UnreadCalendarError('no_calendar')
  return all.filter(({ id }) => chosen.includes(id))
}

const calendarKey = (id: string): string => hash('sha256', id)

type Read = Omit<GoogleReport, 'calendar'> & { token: string }

function calendarReader({ list }: GoogleClient, id: string, { zone, window }: Options) {
  const path = `/calendars/${encodeURIComponent(id)}/events`
  const [timeMin, timeMax] = window.map((instant) => new Date(instant).toISOString()) as [string, string]
  const digestOf = (name: string) => hash('sha256', `${id}\n${name}`)

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

  /** Lists the times of events in the window. Each repetition of an event has an id of its own. */
  const timesOf = (events: readonly GoogleEvent[]): ObjectTime[] =>
    events.flatMap(({ id: event, series, uid, span }) =>
      !span || !(span[1] > span[0] && span[1] > window[0] && span[0] < window[1])
        ? []
        : [
            {
              event: Buffer.from(digestOf(event), 'hex'),
              collection: Buffer.from(calendarKey(id), 'hex'),
              object: Buffer.from(digestOf(series), 'hex'),
              from: span[0],
              to: span[1],
              ...ownUidOf(uid),
            },
          ],
    )

  const unreadableOf = (events: readonly GoogleEvent[]) => events.filter(({ span }) => span === undefined)

  const instancesIn = { ...PAGE, timeMin, timeMax }

  return {
    /**
     * Reads all events in the window. The sync token is from before the events, so that the next read also gets the
     * changes in between. The list for the token does not expand repeating events: otherwise the list of changes would
     * contain all repetitions of a changed event, until the end of time.
     */
    async whole(): Promise<Read> {
      const start = await listEvents(path, { ...PAGE, timeMin, fields: 'nextPageToken,nextSyncToken' })
      const fields = `nextPageToken,items(${EVENT_FIELDS})`
      const all = await listEvents(path, { ...instancesIn, singleEvents: 'true', fields })
      if (!start || !all) throw new UnreadCalendarError('no_calendar')
      const unreadable = new Set(unreadableOf(all.events).map(({ series }) => digestOf(series)))
      const token = usableToken(start.token)
      return { scope: 'whole', times: timesOf(all.events), replaced: new Set(), unreadable, token }
    },

    /** Reads the changes since a sync token. Returns undefined if only a whole read helps. */
    async changes(syncToken: string): Promise<Read | undefined> {
      const fields = `nextPageToken,nextSyncToken,items(${EVENT_FIELDS})`
      const changed = await listEvents(path, { ...PAGE, syncToken, fields })
      if (!changed) return undefined
      const token = usableToken(changed.token)
      const series = new Set(changed.events.filter(({ isRepeating }) => isRepeating).map((event) => event.series))
      if (series.size > MAX_CHANGED_SERIES) return undefined
      const current = changed.events.filter(({ isRepeating }) => !isRepeating)
      const replaced = new Set(current.map((event) => digestOf(event.series)))
      for (const one of series) {
        const fieldsOfInstances = `nextPageToken,items(${EVENT_FIELDS})`
        const instances = await listEvents(`${path}/${encodeURIComponent(one)}/instances`, {
          ...instancesIn,
          fields: fieldsOfInstances,
        })
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
      const unreadable = new Set(unreadableOf(current).map((event) => digestOf(event.series)))
      return { scope: 'changes', times: timesOf(current), replaced, unreadable, token }
    },
  }
}
