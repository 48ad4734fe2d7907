import type { Database } from '../../../infra/db/database.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { withoutOwnEvents } from '../busy-time-queries.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import type { Reading } from '../calendar-reading.ts'
import { MAX_BUSY_TIMES } from '../reader/read-calendar.ts'
import type { ObjectTime } from '../reader/read-reports.ts'
import { accessToken, providerApp } from './provider-access.ts'
import { type ProviderAccount, textOfAccount } from './provider-account.ts'
import { providerReaders } from './provider-readers.ts'
import type { ProviderState, ReadOptions } from './provider-report.ts'
import { readProviderAccount } from './read-provider-account.ts'

interface ProviderTask extends ReadOptions {
  account: ProviderAccount
  /** The positions and channels from the last read. */
  known: ProviderState
  /** Whether the server needs all events, not only the changes. */
  isWhole: boolean
}

type ProviderDependencies = Dependencies<'calendarKey' | 'config' | 'tag'> & { db: Database; now: Date }

/** Reads the calendars of an account at a provider: all events, or the changes since the last read. */
export async function readProviderSource(
  source: string,
  { account, known, isWhole, zone, window }: ProviderTask,
  { db, calendarKey, config, tag, now }: ProviderDependencies,
): Promise<Reading> {
  const app = await providerApp(db, account.provider, calendarKey)
  const { access, refresh } = await accessToken(account.refreshToken, app, config)
  const since = isWhole ? { ...known, tokens: {} } : known
  const options = { zone, window, watching: { source, tag, now, baseUrl: config.baseUrl } }
  const reader = providerReaders[account.provider](access, config)
  const { state, reports } = await readProviderAccount(reader, account, since, options)
  if (reports.reduce((sum, { times }) => sum + times.length, 0) > MAX_BUSY_TIMES)
    throw new UnreadCalendarError('too_large')
  const unread = reports.reduce((sum, { unreadable }) => sum + unreadable.size, 0)
  const common = {
    state: { sync_state: state, ...(isWhole && { unread_events: unread }) },
    pauseSeconds: null,
    ...(refresh !== account.refreshToken && { secret: textOfAccount({ ...account, refreshToken: refresh }) }),
  }
  const isSame =
    !isWhole &&
    reports.length === Object.keys(known.tokens).length &&
    reports.every(({ scope, times, replaced }) => scope === 'changes' && times.length === 0 && replaced.size === 0)
  if (isSame) return common
  return {
    ...common,
    times: (tx) => {
      // A provider can list an event twice, if it changes between two pages.
      const times = new Map(reports.flatMap((report) => report.times).map((time) => [eventKey(time), time]))
      return withoutOwnEvents(tx, [...times.values()])
    },
    kept: {
      collections: reports.filter(({ scope }) => scope === 'changes').map(({ calendar }) => calendar),
      ended: reports.flatMap(({ replaced }) => [...replaced]),
      objects: reports.flatMap(({ unreadable }) => [...unreadable]),
    },
  }
}

const eventKey = ({ event }: ObjectTime): string => Buffer.from(event).toString('hex')
