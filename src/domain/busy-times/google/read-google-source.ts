import type { Database } from '../../../infra/db/database.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import type { Reading } from '../calendar-reading.ts'
import type { Span } from '../reader/busy-time-list.ts'
import { type ObjectTime, objectKey } from '../reader/read-reports.ts'
import { objectTimes, withoutOwnEvents } from '../source-queries.ts'
import { accessToken, googleApp } from './google-access.ts'
import type { GoogleAccount } from './google-account.ts'
import { googleClient } from './google-client.ts'
import { type GoogleReport, type GoogleState, readGoogleAccount } from './read-google-account.ts'

interface GoogleTask {
  account: GoogleAccount
  known: GoogleState
  /** Whether the server needs all events, not only the changes. */
  isWhole: boolean
  zone: string
  window: Span
}

type GoogleDependencies = Dependencies<'calendarKey' | 'config' | 'tag'> & { db: Database }

/** Reads the calendars of an account at Google: all events, or the changes since the last read. */
export async function readGoogleSource(
  source: string,
  { account, known, isWhole, zone, window }: GoogleTask,
  { db, calendarKey, config, tag, now }: GoogleDependencies & { now: Date },
): Promise<Reading> {
  const token = await accessToken(account.refreshToken, await googleApp(db, calendarKey), config)
  const watching = { source, tag, now, baseUrl: config.baseUrl }
  const since = isWhole ? { ...known, tokens: {} } : known
  const options = { zone, window, watching }
  const { state, reports } = await readGoogleAccount(googleClient(token, config), account, since, options)
  const unread = reports.reduce((sum, { unreadable }) => sum + unreadable.size, 0)
  const isSame =
    !isWhole &&
    reports.length === Object.keys(known.tokens).length &&
    reports.every(({ scope, times, replaced }) => scope === 'changes' && times.length === 0 && replaced.size === 0)
  if (isSame) return { state: { sync_state: state }, pauseSeconds: null }
  const isKept = keptTimes(reports)
  return {
    state: { sync_state: state, ...(isWhole && { unread_events: unread }) },
    pauseSeconds: null,
    times: async (tx) => {
      // Google can list an event twice, if it changes between two pages.
      const fresh = new Map(reports.flatMap(({ times }) => times).map((time) => [eventKey(time), time]))
      const kept = (await objectTimes(tx, source)).filter((time) => isKept(time) && !fresh.has(eventKey(time)))
      return [...kept, ...(await withoutOwnEvents(tx, [...fresh.values()]))]
    },
  }
}

const eventKey = ({ event }: ObjectTime): string => Buffer.from(event).toString('hex')

/**
 * Returns a function that tells whether a stored busy time stays. A time ends only if its event has changed, if a complete
 * list of all events does not contain it, or if its calendar no longer exists.
 */
function keptTimes(reports: readonly GoogleReport[]) {
  const byCalendar = new Map(reports.map((report) => [report.calendar, report]))
  return (time: ObjectTime): boolean => {
    const { collection, object } = objectKey(time)
    const report = byCalendar.get(collection)
    if (!report) return false
    if (report.unreadable.has(object)) return true
    return report.scope === 'changes' && !report.replaced.has(object) && !report.replaced.has(eventKey(time))
  }
}
