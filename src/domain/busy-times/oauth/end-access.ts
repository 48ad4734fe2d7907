import type { BackgroundLoop } from '../../../core/jobs/background-loop.ts'
import { startWorker, type Work, type WriteOutcome, workAll } from '../../../core/jobs/queue-worker.ts'
import { renewLeases } from '../../../core/jobs/row-lease.ts'
import { unsealIfPossible } from '../../../core/keys/encrypt-secrets.ts'
import { SECOND } from '../../../infra/time/time-units.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import type { CalendarDependencies } from '../read-source.ts'
import { addressesOf } from '../source-queries.ts'
import { type EndedCalendar, endedDelete, endedLease, MAX_ATTEMPTS } from './ended-calendar-queries.ts'
import { accessToken, providerApp, revokeToken } from './provider-access.ts'
import { type ProviderAccount, providerAccountOf } from './provider-account.ts'
import { providerReaders } from './provider-readers.ts'

type EndingDependencies = Pick<CalendarDependencies, 'db' | 'clock' | 'clockFault' | 'config' | 'log' | 'calendarKey'>

const AT_ONCE = 4
/** The time between two searches for disconnected accounts, in milliseconds. */
const POLLED_EVERY_MS = 10 * SECOND

export const startEndingAccess = (dependencies: EndingDependencies): BackgroundLoop =>
  startWorker(dependencies, endedCalendars(dependencies), { every: POLLED_EVERY_MS })

export const endDueAccess = (dependencies: EndingDependencies): Promise<void> =>
  workAll(dependencies, endedCalendars(dependencies))

const endedCalendars = (dependencies: EndingDependencies): Work<EndedCalendar> => ({
  name: 'disconnected calendars',
  atOnce: AT_ONCE,
  idOf: ({ id }) => id,
  take: async (most) => {
    const { db, clock, clockFault } = dependencies
    return clockFault() === undefined ? endedLease(db, most, clock()) : []
  },
  work: (ended) => endAccess(dependencies, ended),
  renew: (all) => renewLeases(dependencies.db, 'ended_calendars', all),
})

/**
 * Closes the channels of a disconnected account, and revokes its token. If the provider does not answer, the worker tries
 * again later. After the last attempt, the server deletes the token in any case.
 */
async function endAccess(dependencies: EndingDependencies, ended: EndedCalendar): Promise<WriteOutcome | undefined> {
  const { db, log } = dependencies
  const { id, provider, begun } = ended
  try {
    await endAtProvider(dependencies, ended)
  } catch (error) {
    if (!(error instanceof UnreadCalendarError)) throw error
    if (begun < MAX_ATTEMPTS) return undefined
    log.warn({ provider, problem: error.problem }, 'The provider did not end the access to a disconnected calendar.')
  }
  return () => endedDelete(db, id)
}

async function endAtProvider(dependencies: EndingDependencies, ended: EndedCalendar): Promise<void> {
  const { calendarKey, config } = dependencies
  const text = unsealIfPossible(calendarKey, ended.address)
  if (text === undefined) return
  const account = providerAccountOf(text)
  await closeChannels(dependencies, account, ended).catch(ignoreRefusal)
  // At Google, the revocation of one token ends all tokens of the account for this app.
  if (!(await isConnected(account, dependencies))) await revokeToken(account, config)
}

/** A provider that no longer accepts the app or the token closes no channels. They end by themselves after some days. */
function ignoreRefusal(error: unknown): void {
  const isRefusal = error instanceof UnreadCalendarError && ['access_revoked', 'app_refused'].includes(error.problem)
  if (!isRefusal) throw error
}

async function closeChannels(
  { db, config, calendarKey }: EndingDependencies,
  { provider, refreshToken }: ProviderAccount,
  { channels }: EndedCalendar,
): Promise<void> {
  const open = Object.values(channels).filter(({ id }) => id !== undefined)
  if (open.length === 0) return
  const { access } = await accessToken(refreshToken, await providerApp(db, provider, calendarKey), config)
  const reader = providerReaders[provider](access, config)
  for (const channel of open) await reader.close(channel)
}

/** Whether the account is connected for another person, or again. */
const isConnected = async (
  { provider, account }: ProviderAccount,
  { db, calendarKey }: EndingDependencies,
): Promise<boolean> =>
  (await addressesOf(db)).some(({ kind, address }) => {
    const text = kind === provider ? unsealIfPossible(calendarKey, address) : undefined
    return text !== undefined && providerAccountOf(text).account === account
  })
