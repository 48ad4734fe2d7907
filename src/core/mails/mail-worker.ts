import { hasDiskSpace } from '../../infra/db/readiness.ts'
import type { Announcements } from '../jobs/announcements.ts'
import type { BackgroundLoop } from '../jobs/loop.ts'
import { startWorker, type Work, workAll } from '../jobs/worker.ts'
import type { Channel } from './outbox.ts'
import { type MailRow, mailsLease, mailsRenew } from './queries.ts'
import { type MailDependencies, sendMail } from './send-mail.ts'
import { MAX_CONNECTIONS, type MailTransport, smtpTransport } from './smtp.ts'

/**
 * A mail that waits for a connection to the mail server would use up its time to be sent. The channels do not wait for
 * each other.
 */
const AT_ONCE = { mail: MAX_CONNECTIONS, webhook: 8 }
const CHANNELS = ['mail', 'webhook'] as const

/** Polling finds mails without a notification: retries that fall due, and expired leases of dead processes. */
const POLLED_EVERY_MS = 1_000

export function startMailWorker(means: MailDependencies, announcements: Announcements): BackgroundLoop {
  const transport = transportOf(means)
  const options = { every: POLLED_EVERY_MS, announced: { announcements, channel: 'mails' } }
  const workers = CHANNELS.map((channel) => startWorker(means, mails(means, channel, transport), options))
  return {
    async close() {
      await Promise.all(workers.map((worker) => worker.close()))
      transport?.close()
    },
  }
}

/** Makes one attempt for each mail that is due now. */
export async function sendDueMails(means: MailDependencies): Promise<void> {
  const transport = transportOf(means)
  try {
    await Promise.all(CHANNELS.map((channel) => workAll(means, mails(means, channel, transport))))
  } finally {
    transport?.close()
  }
}

const transportOf = ({ config }: MailDependencies) => config.mail && smtpTransport(config.mail, config)

const mails = (means: MailDependencies, channel: Channel, transport: MailTransport | undefined): Work<MailRow> => ({
  name: 'mails',
  atOnce: AT_ONCE[channel],
  idOf: ({ id }) => id,
  // On a full disk the outcome could not be written, and the mail would be sent again and again.
  take: async (most) => ((await hasDiskSpace(means.db)) ? mailsLease(means.db, channel, most, means.clock()) : []),
  work: (mail) => sendMail(means, mail, transport),
  renew: (all) =>
    mailsRenew(
      means.db,
      all.map(({ id }) => id),
    ),
})
