import type { OpenDatabase } from '../../infra/db/database.ts'
import { failureOf } from '../../infra/db/database-failures.ts'
import { traced } from '../../infra/telemetry/tracing.ts'
import { HOUR, MINUTE, SECOND } from '../../infra/time/time-units.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { WriteOutcome } from '../jobs/queue-worker.ts'
import { messageOf } from './build-email-message.ts'
import { isInsteadOfMail } from './build-queued-mails.ts'
import type { MailServerConnections } from './current-mail-server.ts'
import { compose, type NotificationWriters } from './notification-text.ts'
import { postMessage } from './post-mail-to-webhook.ts'
import { attemptEnd, attemptPostpone, type MailRow } from './queries.ts'
import { sendTextMessage, type TextAttempt } from './send-text-message.ts'
import type { SendResult } from './smtp.ts'
import { isTestMessage } from './test-mail-queries.ts'

export type MailDependencies = Dependencies<
  'clock' | 'config' | 'business' | 'log' | 'signingBox' | 'mailServerKey' | 'textProviderKey'
> & {
  db: OpenDatabase
  letters: NotificationWriters
  /** Whether a waiting notification became wrong meanwhile, for example because a visit was canceled. */
  isOutdated: (mail: MailRow) => Promise<boolean>
}

/**
 * The delays between the attempts to send a mail, in milliseconds. After the last attempt fails, the server stops
 * trying.
 */
const RETRIES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR]

/**
 * The delay in milliseconds before the next attempt, if the server could not read the mail's data from its database.
 */
const POSTPONE_MS = 5 * SECOND

/**
 * The result of an attempt to send a mail. `dropped`: the recipient no longer needs the mail. `postponed`: the server
 * could not reach its database, or a text message waits until the quiet hours end.
 */
type Attempt = SendResult | TextAttempt | { result: 'postponed' }

/** Makes one attempt to send a mail. Returns a function that stores the result in the database. */
export async function sendMail(
  dependencies: MailDependencies,
  mail: MailRow,
  mailServer: MailServerConnections,
): Promise<WriteOutcome> {
  const attempted = await traced(
    () => ({
      name: `tell ${mail.kind}`,
      kind: 'producer',
      parent: mail.traceparent ?? undefined,
      attributes: { 'messaging.message.id': mail.id, 'usp.channel': mail.channel },
    }),
    async (span) => {
      const attempted = await attempt(mail, dependencies, mailServer).catch((error) =>
        failure(error, mail, dependencies),
      )
      span?.note({ 'usp.outcome': attempted.result })
      return attempted
    },
  )
  return () => writeOutcome(dependencies, mail, attempted)
}

async function writeOutcome({ db, clock, log }: MailDependencies, mail: MailRow, attempted: Attempt): Promise<void> {
  const now = clock()
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  if (attempted.result === 'postponed')
    return attemptPostpone(db, mail.id, 'until' in attempted ? attempted.until : after(POSTPONE_MS))
  const isTest = isTestMessage(mail)
  // If a text message goes out instead of a mail and the first attempt fails, the mail comes sooner than another attempt.
  const isOnlyAttempt = isTest || isInsteadOfMail(mail)
  const wait = attempted.result === 'failed' && !isOnlyAttempt ? RETRIES[mail.attempts] : undefined
  const status = wait === undefined ? finalStatus[attempted.result] : 'waiting'
  const problem = 'problem' in attempted ? attempted.problem : undefined
  const segments = 'segments' in attempted ? attempted.segments : undefined
  const isObsolete = 'isObsolete' in attempted && attempted.isObsolete
  const mailId = isInsteadOfMail(mail) && status !== 'sent' && !isObsolete ? newId('mail') : undefined
  const isDismissed = isTest || mailId !== undefined
  await attemptEnd(db, mail, { status, next: after(wait ?? 0), problem, isDismissed, segments, mailId }, now)
  if (status === 'given_up')
    log.warn(
      { mail: mail.id, kind: mail.kind, channel: mail.channel },
      'A mail was given up; `usp mails show ID` says why.',
    )
}

const finalStatus = { sent: 'sent', dropped: 'dropped', failed: 'given_up', hopeless: 'given_up' } as const

function failure(error: unknown, mail: MailRow, { log }: Dependencies<'log'>): Attempt {
  if (failureOf(error) !== undefined) return { result: 'postponed' }
  log.error({ err: error, mail: mail.id }, 'The server could not make or send a mail.')
  return { result: 'failed', problem: 'The server could not send it; its log says why' }
}

async function attempt(
  mail: MailRow,
  dependencies: MailDependencies,
  mailServer: MailServerConnections,
): Promise<Attempt> {
  const { config, business, letters, isOutdated } = dependencies
  const definition = await business.get()
  const open = mail.channel === 'mail' ? await mailServer.get() : undefined
  const composed = definition && compose(mail, letters, definition, open?.from)
  if (!composed) return { result: 'dropped' }
  if (await isOutdated(mail))
    return { result: 'dropped', problem: 'The visit was canceled or moved.', isObsolete: true }
  if (mail.channel === 'text') return sendTextMessage(mail, composed.letter.textMessage, definition, dependencies)
  if (mail.channel === 'webhook') {
    const url = definition.notifications?.webhook
    return url === undefined ? { result: 'dropped' } : postMessage(url, mail, composed, dependencies)
  }
  if (!open) return resultWithoutMailServer(config.mode)
  const { id, recipient } = mail
  const envelope = { id, recipient, from: open.from, baseUrl: config.baseUrl, localizer: composed.localizer }
  return open.transport.send(messageOf(composed.letter, definition, envelope))
}

/**
 * The result of an attempt without a mail server. On a development server, the mail counts as sent, because a page in
 * the browser shows the mail.
 */
const resultWithoutMailServer = (mode: 'development' | 'production'): SendResult =>
  mode === 'development'
    ? { result: 'sent' }
    : { result: 'failed', problem: 'There is no mail server: an owner can enter one in the settings of the desk' }
