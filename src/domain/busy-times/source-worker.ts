import type { BackgroundLoop } from '../../core/jobs/background-loop.ts'
import { startWorker, type Work, workAll } from '../../core/jobs/queue-worker.ts'
import { renewLeases } from '../../core/jobs/row-lease.ts'
import { hasDiskSpace } from '../../infra/db/check-database-readiness.ts'
import { type CalendarDependencies, readSource } from './read-source.ts'
import { type LeasedSource, sourcesLease } from './source-queries.ts'

/**
 * The maximum number of calendars that one process reads at the same time. A slow provider delays only its own
 * calendar.
 */
const AT_ONCE = 16

/** The time between two searches for due calendars, in milliseconds. */
const POLLED_EVERY_MS = 2_000

export const startCalendarReader = (dependencies: CalendarDependencies): BackgroundLoop =>
  startWorker(dependencies, sources(dependencies), { every: POLLED_EVERY_MS })

export const readDueCalendars = (dependencies: CalendarDependencies): Promise<void> =>
  workAll(dependencies, sources(dependencies))

const sources = (dependencies: CalendarDependencies): Work<LeasedSource> => ({
  name: 'calendars',
  atOnce: AT_ONCE,
  idOf: ({ id }) => id,
  take: async (most) => {
    const { db, clock, clockFault } = dependencies
    // With a wrong clock or a full disk, the server could not store what it reads.
    if (clockFault() !== undefined || !(await hasDiskSpace(db))) return []
    return sourcesLease(db, most, clock())
  },
  work: (source) => readSource(dependencies, source),
  renew: (all) => renewLeases(dependencies.db, 'calendar_sources', all),
})
