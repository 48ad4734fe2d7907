import type { BackgroundLoop } from '../../core/jobs/background-loop.ts'
import { startWorker, type Work, workAll } from '../../core/jobs/queue-worker.ts'
import { renewLeases } from '../../core/jobs/row-lease.ts'
import { hasDiskSpace } from '../../infra/db/check-database-readiness.ts'
import { type LeasedWriter, writersLease, writesFeed } from '../busy-times/writer-queries.ts'
import { writeCalendar } from './write-calendar.ts'
import type { WritingDependencies } from './writing-run.ts'

/** The maximum number of calendars to which one process writes at the same time. A slow server delays only its own. */
const AT_ONCE = 16

/** The time between two searches for due calendars, in milliseconds. */
const POLLED_EVERY_MS = 2_000

export const startCalendarWriter = (dependencies: WritingDependencies): BackgroundLoop =>
  startWorker(dependencies, writers(dependencies), { every: POLLED_EVERY_MS })

export const writeDueCalendars = (dependencies: WritingDependencies): Promise<void> =>
  workAll(dependencies, writers(dependencies))

const writers = (dependencies: WritingDependencies): Work<LeasedWriter> => ({
  name: 'calendar writing',
  atOnce: AT_ONCE,
  idOf: ({ id }) => id,
  take: async (most) => {
    const { db, clock, clockFault } = dependencies
    if (clockFault() !== undefined || !(await hasDiskSpace(db))) return []
    await writesFeed(db)
    return writersLease(db, most, clock())
  },
  work: (writer) => writeCalendar(dependencies, writer),
  renew: (all) => renewLeases(dependencies.db, 'calendar_writers', all),
})
