import { hasRoom } from '../db/room.ts'
import type { Announcements } from '../jobs/announcements.ts'
import type { Running } from '../jobs/loop.ts'
import { startWorker, type Work, workAll } from '../jobs/worker.ts'
import { type MailRow, mailsRenew, mailsTake } from './queries.ts'
import { type MailMeans, sendMail } from './send-mail.ts'
import { type MailTransport, smtpTransport } from './smtp.ts'

/** More than there are connections to the mail server: the webhook does not wait for it. */
const AT_ONCE = 16
/** Milliseconds until it is looked for what was not announced: retries that fall due, and leases of the dead. */
const POLLED_EVERY_MS = 1_000

/** Sends what is due, as soon as it is announced. */
export function startMailWorker(means: MailMeans, announcements: Announcements): Running {
  const transport = transportOf(means)
  const options = { every: POLLED_EVERY_MS, announced: { announcements, channel: 'mails' } }
  const worker = startWorker(means, mails(means, transport), options)
  return {
    async close() {
      await worker.close()
      transport?.close()
    },
  }
}

/** Sends everything that is due now, and returns when it is handed over or has failed. */
export async function sendDueMails(means: MailMeans): Promise<void> {
  const transport = transportOf(means)
  try {
    await workAll(means, mails(means, transport))
  } finally {
    transport?.close()
  }
}

const transportOf = ({ config }: MailMeans) => config.mail && smtpTransport(config.mail, config)

const mails = (means: MailMeans, transport: MailTransport | undefined): Work<MailRow> => ({
  name: 'mails',
  atOnce: AT_ONCE,
  // Whoever is written to gets again what was sent and could not be written down.
  take: async (most) => ((await hasRoom(means.db)) ? mailsTake(means.db, most, means.clock()) : []),
  work: (mail) => sendMail(means, mail, transport),
  renew: (all) =>
    mailsRenew(
      means.db,
      all.map(({ id }) => id),
    ),
})
