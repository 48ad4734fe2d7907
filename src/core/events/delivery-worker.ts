import { hasDiskSpace } from '../../infra/db/check-database-readiness.ts'
import type { BackgroundLoop } from '../jobs/background-loop.ts'
import type { Announcements } from '../jobs/postgres-notify-listener.ts'
import { startWorker, type Work, workAll } from '../jobs/queue-worker.ts'
import { renewLeases } from '../jobs/row-lease.ts'
import { type Due, deliveriesLease } from './lease-deliveries.ts'
import { type DeliveryDependencies, sendEvent } from './send-event.ts'

const AT_ONCE = 96
/**
 * The time between two searches for due event deliveries, in milliseconds. PostgreSQL notifies the worker about new
 * events, but not about due retries. The searches find these retries.
 */
const POLLED_EVERY_MS = 1_000

export const startDeliveryWorker = (dependencies: DeliveryDependencies, announcements: Announcements): BackgroundLoop =>
  startWorker(dependencies, deliveries(dependencies), {
    every: POLLED_EVERY_MS,
    announced: { announcements, channel: 'deliveries' },
  })

export const sendDueEvents = (dependencies: DeliveryDependencies): Promise<void> =>
  workAll(dependencies, deliveries(dependencies))

const deliveries = (dependencies: DeliveryDependencies): Work<Due> => ({
  name: 'deliveries',
  atOnce: AT_ONCE,
  idOf: ({ id }) => id,
  // While the disk is full, the server sends no events. The server could not record that it has sent an event, and
  // would send the event again and again.
  take: async (most) =>
    (await hasDiskSpace(dependencies.db)) ? deliveriesLease(dependencies.db, most, dependencies.clock()) : [],
  work: (due) => sendEvent(dependencies, due),
  renew: (all) => renewLeases(dependencies.db, 'deliveries', all),
})
