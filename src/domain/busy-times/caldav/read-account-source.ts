import type { Config } from '../../../infra/config/read-config.ts'
import { objectTimes, withoutOwnEvents } from '../busy-time-queries.ts'
import type { Reading } from '../calendar-reading.ts'
import { problemOfFault } from '../problem-of-fault.ts'
import type { Span } from '../reader/busy-time-list.ts'
import { readReportsInProcess } from '../reader/read-in-process.ts'
import { type ObjectTime, objectKey } from '../reader/read-reports.ts'
import type { CaldavAccount } from './caldav-account.ts'
import { caldavClient } from './caldav-client.ts'
import { keyOf } from './object-keys.ts'
import { type AccountState, type CalendarReport, readAccount } from './read-account.ts'

interface AccountTask {
  account: CaldavAccount
  /** Up to which change the server has read the account. Undefined if it needs all events. */
  known: AccountState | undefined
  zone: string
  window: Span
  config: Config
}

/** Reads an account at a CalDAV server: all of it, or the changes since the last read. */
export async function readAccountSource(
  source: string,
  { account, known, zone, window, config }: AccountTask,
): Promise<Reading> {
  const { state, reports } = await readAccount(caldavClient(account, config), account, known)
  const changed = reports.filter(({ scope }) => scope !== 'same')
  const isSame = changed.length === 0 && known !== undefined && reports.length === Object.keys(known.calendars).length
  if (isSame) return { state: { sync_state: state }, pauseSeconds: null }
  const content = await readReportsInProcess({
    reports: changed.map(({ calendar, bodies, asked }) => ({ calendar, bodies, asked })),
    zone,
    window,
  }).catch(problemOfFault)
  const isKept = keptTimes(reports, content.unreadable)
  return {
    state: { sync_state: state, ...(known === undefined && { unread_events: content.unread }) },
    pauseSeconds: null,
    times: async (tx) => [
      ...(await objectTimes(tx, source)).filter(isKept),
      ...(await withoutOwnEvents(tx, content.times)),
    ],
  }
}

/**
 * Returns a function that tells whether a stored busy time stays: its object has not changed, or the new version of the
 * object cannot be read. A time ends only if its calendar was listed completely, without its calendar or its object.
 */
function keptTimes(reports: readonly CalendarReport[], unreadable: readonly string[]) {
  const byCalendar = new Map(reports.map((report) => [keyOf(report.calendar), report]))
  const [broken, replaced] = [
    new Set(unreadable),
    new Set(reports.flatMap(({ asked, gone }) => [...asked, ...gone].map(keyOf))),
  ]
  return (time: ObjectTime): boolean => {
    const { collection, object } = objectKey(time)
    const report = byCalendar.get(collection)
    if (!report) return false
    if (report.scope === 'same' || broken.has(object)) return true
    return report.scope === 'changes' && !replaced.has(object)
  }
}
