import { randomUUID } from 'node:crypto'
import { sendDueMails } from '../../src/core/mails/mail-worker.ts'
import type { NotificationText } from '../../src/core/mails/notification-text.ts'
import type { NewMail } from '../../src/infra/db/queued-mail-types.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'
import { letters } from './letters.ts'

export const FROM = '"Glamour Salon" <book@salon.example>'

export async function mailingShop(
  office: { url: string } | undefined,
  more: Partial<BusinessDefinition> = {},
  env: NodeJS.ProcessEnv = {},
  databaseUrl = '',
) {
  const definition = businessWith([service('svc_a')], more)
  const mail = office ? { SMTP_URL: office.url, MAIL_FROM: FROM } : {}
  const server = await testServer(definition, { env: { ...mail, ...env }, databaseUrl })
  const { runtime, time } = server
  const subject = () => `booking bkg_${randomUUID()}`
  return {
    ...server,
    /** Writes a mail in a change of its own; what is left out goes without saying. */
    tell: (letter: Partial<NotificationText> & object = {}, mail: Partial<NewMail> = {}) =>
      runtime.makeChange(async (tx) =>
        tx.queueMail(
          {
            kind: 'booking.confirmed',
            subject: subject(),
            to: { email: 'alice@example.com' },
            snapshot: { subject: 'Booked', ...letter },
            ...mail,
          },
          time.now,
        ),
      ),
    /** Sends what is due, so many seconds later. */
    sendAfter: (seconds = 0) => {
      time.now = new Date(time.now.getTime() + seconds * 1000)
      return sendDueMails({ ...runtime, letters })
    },
    rows: () => runtime.db.selectFrom('mails').selectAll().orderBy('number').execute(),
  }
}
