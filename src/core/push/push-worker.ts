import { hasDiskSpace } from '../../infra/db/check-database-readiness.ts'
import type { BackgroundLoop } from '../jobs/background-loop.ts'
import { startWorker, type Work, workAll } from '../jobs/queue-worker.ts'
import { renewLeases } from '../jobs/row-lease.ts'
import { messagesLease, type PushMessage, queueMessages } from './push-queries.ts'
import { type PushDependencies, sendPushMessage } from './send-push-message.ts'

/** The maximum number of push messages in progress. */
const AT_ONCE = 32

/** The time between two searches for news and due messages, in milliseconds. */
const POLLED_EVERY_MS = 1_000

export const startPushWorker = (dependencies: PushDependencies): BackgroundLoop =>
  startWorker(dependencies, messages(dependencies), { every: POLLED_EVERY_MS })

export const sendDuePushMessages = (dependencies: PushDependencies): Promise<void> =>
  workAll(dependencies, messages(dependencies))

const messages = (dependencies: PushDependencies): Work<PushMessage> => ({
  name: 'push notifications',
  atOnce: AT_ONCE,
  idOf: ({ id }) => id,
  // While the disk is full, the server sends nothing. It could not record what it has sent, and would send it again.
  take: async (most) => {
    const { db, clock, business } = dependencies
    if (!(await business.hasPushSubscriptions()) || !(await hasDiskSpace(db))) return []
    await queueMessages(db, clock())
    return messagesLease(db, most, clock())
  },
  work: (message) => sendPushMessage(dependencies, message),
  renew: (all) => renewLeases(dependencies.db, 'push_messages', all),
})
