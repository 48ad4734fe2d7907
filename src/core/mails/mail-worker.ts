import { hasDiskSpace } from '../../infra/db/check-database-readiness.ts'
import type { BackgroundLoop } from '../jobs/background-loop.ts'
import type { Announcements } from '../jobs/postgres-notify-listener.ts'
import { startWorker, type Work, workAll } from '../jobs/queue-worker.ts'
import { renewLeases } from '../jobs/row-lease.ts'
import type { Channel } from './build-queued-mails.ts'
import { type MailServerConnections, mailServerConnections } from './current-mail-server.ts'
import { type MailRow, mailsLease } from './queries.ts'
import { type MailDependencies, sendMail } from './send-mail.ts'
import { MAX_CONNECTIONS } from './smtp.ts'

/**
 * The maximum number of mails in progress, for the mail server, for the webhook of the business and for the provider of
 * text messages. For the mail server, the number equals the number of its connections. A mail that waits for a
 * connection would use up its time limit.
 */
const AT_ONCE = { mail: MAX_CONNECTIONS, webhook: 8, text: 4 }
const CHANNELS = ['mail', 'webhook', 'text'] as const

/**
 * The time between two searches for due mails, in milliseconds. PostgreSQL notifies the worker about new mails, but not
 * about due retries. The searches find these retries.
 */
const POLLED_EVERY_MS = 1_000

export function startMailWorker(dependencies: MailDependencies, announcements: Announcements): BackgroundLoop {
  const mailServer = mailServerConnections(dependencies)
  const options = { every: POLLED_EVERY_MS, announced: { announcements, channel: 'mails' } }
  const workers = CHANNELS.map((channel) =>
    startWorker(dependencies, mails(dependencies, channel, mailServer), options),
  )
  return {
    async close() {
      await Promise.all(workers.map((worker) => worker.close()))
      mailServer.close()
    },
  }
}

export async function sendDueMails(dependencies: MailDependencies): Promise<void> {
  const mailServer = mailServerConnections(dependencies)
  try {
    await Promise.all(CHANNELS.map((channel) => workAll(dependencies, mails(dependencies, channel, mailServer))))
  } finally {
    mailServer.close()
  }
}

const mails = (dependencies: MailDependencies, channel: Channel, mailServer: MailServerConnections): Work<MailRow> => ({
  name: 'mails',
  atOnce: AT_ONCE[channel],
  idOf: ({ id }) => id,
  // While the disk is full, the server sends no mails. The server could not record that it has sent a mail, and would
  // send the mail again and again.
  take: async (most) =>
    (await hasDiskSpace(dependencies.db)) ? mailsLease(dependencies.db, channel, most, dependencies.clock()) : [],
  work: (mail) => sendMail(dependencies, mail, mailServer),
  renew: (all) => renewLeases(dependencies.db, 'mails', all),
})
