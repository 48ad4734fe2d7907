import type { Config } from '../../../infra/config/read-config.ts'
import { withoutOwnEvents } from '../busy-time-queries.ts'
import type { Reading } from '../calendar-reading.ts'
import { problemOfFault } from '../problem-of-fault.ts'
import type { Span } from '../reader/busy-time-list.ts'
import { readReportsInProcess } from '../reader/read-in-process.ts'
import type { CaldavAccount } from './caldav-account.ts'
import { caldavClient } from './caldav-client.ts'
import { keyOf } from './object-keys.ts'
import { type AccountState, readAccount } from './read-account.ts'

interface AccountTask {
  account: CaldavAccount
  /** Up to which change the server has read the account. Undefined if it needs all events. */
  known: AccountState | undefined
  zone: string
  window: Span
  config: Config
}

/** Reads an account at a CalDAV server: all of it, or the changes since the last read. */
export async function readAccountSource({ account, known, zone, window, config }: AccountTask): Promise<Reading> {
  const { state, reports } = await readAccount(caldavClient(account, config), account, known)
  const changed = reports.filter(({ scope }) => scope !== 'same')
  const isSame = changed.length === 0 && known !== undefined && reports.length === Object.keys(known.calendars).length
  if (isSame) return { state: { sync_state: state }, pauseSeconds: null }
  const content = await readReportsInProcess({
    reports: changed.map(({ calendar, bodies, asked }) => ({ calendar, bodies, asked })),
    zone,
    window,
  }).catch(problemOfFault)
  return {
    state: { sync_state: state, ...(known === undefined && { unread_events: content.unread }) },
    pauseSeconds: null,
    times: (tx) => withoutOwnEvents(tx, content.times),
    // A time ends only if its calendar was listed completely, without its calendar or its object.
    kept: {
      collections: reports.filter(({ scope }) => scope !== 'whole').map(({ calendar }) => keyOf(calendar)),
      ended: reports.flatMap(({ asked, gone }) => [...asked, ...gone].map(keyOf)),
      objects: content.unreadable,
    },
  }
}
