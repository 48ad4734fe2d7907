import type { OpenDatabase } from '../db/database.ts'
import { traced } from '../monitoring/tracing.ts'
import type { Means } from '../protocol/means.ts'
import { HOUR, MINUTE } from '../time/units.ts'
import { compose } from './compose.ts'
import type { Letters } from './letter.ts'
import { messageOf } from './message.ts'
import { postMessage } from './post-message.ts'
import { attemptEnd, type MailRow } from './queries.ts'
import type { Handed, MailTransport } from './smtp.ts'

export type MailMeans = Means<'clock' | 'config' | 'business' | 'log' | 'signingBox'> & {
  db: OpenDatabase
  letters: Letters
}

/** Milliseconds from one attempt to the next; then it is given up. */
const RETRIES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR]

/** An attempt may be begun this often without an end: a server can stop by chance while it sends. */
const MOST_BEGUN = 3

/** Sends one mail, once, and writes down how it went. */
export async function sendMail(means: MailMeans, mail: MailRow, transport: MailTransport | undefined): Promise<void> {
  const { db, clock, log } = means
  const handed = await traced(
    () => ({
      ...{ name: `tell ${mail.kind}`, kind: 'producer', parent: mail.traceparent ?? undefined },
      attributes: { 'messaging.message.id': mail.id, 'usp.channel': mail.channel },
    }),
    async (span) => {
      const handed = await attempt(mail, means, transport).catch((error) => failure(error, mail, means))
      span?.note({ 'usp.outcome': handed?.result ?? 'dropped' })
      return handed
    },
  )
  const wait = handed?.result === 'failed' ? RETRIES[mail.attempts] : undefined
  const now = clock()
  const status = wait === undefined ? endOf(handed) : 'waiting'
  const problem = handed && 'problem' in handed ? handed.problem : undefined
  await attemptEnd(db, mail.id, { status, next: new Date(now.getTime() + (wait ?? 0)), problem }, now)
  if (status === 'given_up') log.warn({ mail: mail.id, kind: mail.kind, channel: mail.channel }, 'mail given up')
}

function failure(error: unknown, mail: MailRow, { log }: Means<'log'>): Handed {
  log.error({ err: error, mail: mail.id }, 'mail')
  return { result: 'failed', problem: 'The server could not send it; its log says why' }
}

const endOf = (handed: Handed | undefined) =>
  handed === undefined ? 'dropped' : handed.result === 'sent' ? 'sent' : 'given_up'

/** Nothing where there is nothing to tell any more. */
async function attempt(
  mail: MailRow,
  means: MailMeans,
  transport: MailTransport | undefined,
): Promise<Handed | undefined> {
  if (mail.begun > MOST_BEGUN)
    return { result: 'hopeless', problem: 'The server ended each time while this was being sent' }
  const { config, business, letters } = means
  const definition = await business.get()
  const composed = definition && compose(mail, letters, definition)
  if (!composed) return undefined
  if (mail.channel === 'webhook') {
    const url = definition.notifications?.webhook
    return url === undefined ? undefined : postMessage(url, mail, composed, means)
  }
  if (!config.mail || !transport) return kept(config.mode)
  const { id, recipient } = mail
  const envelope = { id, recipient, from: config.mail.from, baseUrl: config.baseUrl, speech: composed.speech }
  return transport.send(messageOf(composed.letter, definition, envelope))
}

/** In development it has arrived as soon as it can be looked at. */
const kept = (mode: 'development' | 'production'): Handed =>
  mode === 'development' ? { result: 'sent' } : { result: 'failed', problem: 'SMTP_URL and MAIL_FROM are not set' }
