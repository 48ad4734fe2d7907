import pino from 'pino'
import { startDailyBackup } from '../core/backup/daily-backup.ts'
import { startDeliveryWorker } from '../core/events/delivery-worker.ts'
import type { BackgroundLoop } from '../core/jobs/background-loop.ts'
import { Announcements } from '../core/jobs/postgres-notify-listener.ts'
import { startMailWorker } from '../core/mails/mail-worker.ts'
import { startPushWorker } from '../core/push/push-worker.ts'
import { afterRefund } from '../domain/bookings/report-finished-refund.ts'
import { startEndingAccess } from '../domain/busy-times/oauth/end-access.ts'
import { startCalendarReader } from '../domain/busy-times/source-worker.ts'
import { startCalendarWriter } from '../domain/calendar-writing/calendar-writer.ts'
import { startClosingCheckouts } from '../domain/checkouts/close-checkouts.ts'
import { startRefundWorker } from '../domain/payments/refund-worker.ts'
import { startIndexer } from '../domain/registry/indexing/crawl-due-catalogues.ts'
import { startChecks } from '../domain/registry/listings/run-registration-checks.ts'
import { startReconcilingCharges } from '../domain/ucp-checkouts/reconcile-charges.ts'
import { startWaitlist } from '../domain/waitlist/run-waitlist-offers.ts'
import type { Config } from '../infra/config/read-config.ts'
import { type OpenDatabase, openDatabase } from '../infra/db/database.ts'
import { databaseClock } from '../infra/db/database-clock.ts'
import { monitorEventLoop } from '../infra/telemetry/event-loop/monitor-event-loop.ts'
import { makeRuntime, type Runtime } from '../server/build-dependencies.ts'
import { startHousekeeping } from './recurring-job-list.ts'
import { startTracing } from './start-tracing.ts'

export interface BackgroundInput {
  config: Config
  databaseUrl: string
  /**
   * The connection URL of PostgreSQL that bypasses the connection pooler. For example, notifications need such a
   * connection.
   */
  directUrl: string
  secretKey: string
  /**
   * A counter that the main thread increases at intervals. If the counter stops, the background thread reports that the
   * event loop of the main thread is blocked.
   */
  loopCounter: Int32Array | undefined
}

/**
 * Runs the background workers until the promise `ending` resolves. All workers share one pool of database connections,
 * which is half as large as the pool for calls.
 */
export async function runBackground(
  { config, databaseUrl, directUrl, secretKey, loopCounter }: BackgroundInput,
  ending: Promise<unknown>,
  onOpened: (db: OpenDatabase) => void,
): Promise<void> {
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ fd: 1, sync: true }))
  if (loopCounter) monitorEventLoop(loopCounter, log)
  const endTracing = await startTracing(process.env, log)
  const time = databaseClock(log)
  const onError = (error: Error) => log.warn({ err: error }, 'A database connection was lost.')
  const connections = Math.ceil(config.databasePool / 2)
  const db = openDatabase(databaseUrl, connections, onError, { assertChangesAllowed: time.assertChangesAllowed })
  onOpened(db)
  await time.check(db)
  const stopKeeping = time.keep(db)
  // The background thread calls no operations. Therefore it does not load them, which would take a second.
  const foundation = { config, db, log, clock: time.now, clockFault: time.fault, secretKey, operations: [] }
  const announcements = new Announcements(directUrl, () => log.warn(POOLER))
  const workers = startAll(makeRuntime(foundation), announcements, { directUrl, secretKey })
  await ending
  // A worker may still wait for another host. All workers close at the same time, because one after the other they
  // could exceed the time limit of the shutdown.
  await Promise.all([...workers.map((worker) => worker.close()), announcements.close()])
  stopKeeping()
  await db.destroy()
  await endTracing?.()
}

const POOLER =
  'DATABASE_URL leads to a pooler, which passes no notifications on: the server looks for due work every one or two ' +
  'seconds. Set DATABASE_DIRECT_URL.'

function startAll(
  runtime: Runtime,
  announcements: Announcements,
  source: Pick<BackgroundInput, 'directUrl' | 'secretKey'>,
): BackgroundLoop[] {
  return [
    startDeliveryWorker(runtime, announcements),
    startMailWorker(runtime, announcements),
    startPushWorker(runtime),
    startCalendarReader(runtime),
    startCalendarWriter(runtime),
    startEndingAccess(runtime),
    startWaitlist(runtime, announcements),
    startIndexer(runtime, announcements),
    startRefundWorker(runtime, afterRefund(runtime), announcements),
    startClosingCheckouts(runtime),
    startReconcilingCharges(runtime),
    startChecks(runtime),
    startHousekeeping(runtime),
    startDailyBackup(runtime, source),
  ]
}
