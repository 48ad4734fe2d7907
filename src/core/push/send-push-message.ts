import { hash } from 'node:crypto'
import type { OpenDatabase } from '../../infra/db/database.ts'
import { failureOf } from '../../infra/db/database-failures.ts'
import { englishLocalizer, localizerFor } from '../../infra/i18n/localizer.ts'
import { HOUR, MINUTE, SECOND } from '../../infra/time/time-units.ts'
import { shortened } from '../../infra/util/plain-text.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { callOutside, EgressError, type EgressResponse } from '../egress/call-external-url.ts'
import type { WriteOutcome } from '../jobs/queue-worker.ts'
import { unseal } from '../keys/encrypt-secrets.ts'
import { encryptPushMessage } from './encrypt-push-message.ts'
import { pushAuthorization, pushKey } from './push-key.ts'
import { messageEnd, messagePostpone, type PushMessage, subscriptionDelete } from './push-queries.ts'
import { type BrowserAddress, bytesOf } from './push-subscriptions.ts'
import type { PushText, WritePushText } from './push-text.ts'

export type PushDependencies = Dependencies<'business' | 'clock' | 'config' | 'log' | 'pushBox'> & {
  db: OpenDatabase
  pushText: WritePushText
}

const TIMEOUT_MS = 10_000
const MOST_BYTES = 16 * 1024

/**
 * How long news are worth a notification, in milliseconds. The push service keeps a message for a device that is off until
 * then.
 */
const USEFUL_MS = 24 * HOUR

/** The delays before the next message to a subscription, after one, two and more failures in a row. */
const RETRIES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR]
/** The longest delay that a push service can ask for. */
const LONGEST_DELAY_MS = 6 * HOUR
const POSTPONE_MS = 5 * SECOND

/**
 * The result of an attempt to send a message. `dropped`: the message is given up. `ended`: the browser has no subscription
 * any more.
 */
type Attempt = { result: 'sent' | 'dropped' | 'ended' } | { result: 'failed'; delay: number | undefined }

/** Makes one attempt to send a push message. Returns a function that stores the result in the database. */
export async function sendPushMessage(dependencies: PushDependencies, message: PushMessage): Promise<WriteOutcome> {
  const attempted = await attempt(dependencies, message).catch((error) => failure(error, dependencies))
  return () => writeOutcome(dependencies, message, attempted)
}

function failure(error: unknown, { log }: Dependencies<'log'>): Attempt {
  if (failureOf(error) !== undefined) return { result: 'failed', delay: POSTPONE_MS }
  log.error({ err: error }, 'The server could not make or send a push notification.')
  return { result: 'dropped' }
}

async function writeOutcome({ db, clock }: PushDependencies, message: PushMessage, attempted: Attempt): Promise<void> {
  if (attempted.result === 'ended') return subscriptionDelete(db, message.subscription_id)
  if (attempted.result !== 'failed') return messageEnd(db, message, attempted.result === 'sent')
  const delay = attempted.delay ?? RETRIES[message.failures] ?? RETRIES.at(-1) ?? HOUR
  return messagePostpone(db, message, new Date(clock().getTime() + delay))
}

async function attempt(dependencies: PushDependencies, message: PushMessage): Promise<Attempt> {
  const { clock, config, log, pushBox, pushText } = dependencies
  const now = clock()
  const useful = message.at.getTime() + USEFUL_MS - now.getTime()
  if (useful <= 0) return { result: 'dropped' }
  const localizer = localizerFor(message.locale) ?? englishLocalizer()
  const { kind, subject, shows_details: showsDetails } = message
  const text = await pushText({ kind, subject, localizer, showsDetails })
  if (!text) return { result: 'dropped' }
  const key = await pushKey(dependencies)
  const { endpoint, p256dh, auth }: BrowserAddress = JSON.parse(unseal(pushBox, message.sealed))
  const topic = topicOf(subject)
  const payload = { ...shownText(text), tag: topic, lang: localizer.locale, dir: localizer.direction }
  const body = encryptPushMessage(Buffer.from(JSON.stringify(payload)), {
    publicKey: bytesOf(p256dh),
    secret: bytesOf(auth),
  })
  const headers = {
    authorization: await pushAuthorization(key, { endpoint, contact: contactOf(config) }, now),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(Math.ceil(useful / SECOND)),
    topic,
    urgency: text.urgency,
  }
  try {
    const request = { method: 'POST', headers, body, timeout: TIMEOUT_MS, mostBytes: MOST_BYTES } as const
    const answer = await callOutside(endpoint, request, config)
    const attempted = resultOf(answer)
    if (attempted.result === 'dropped')
      log.warn({ kind, status: answer.status }, 'A push service refused a notification.')
    return attempted
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    return error.reason === 'forbidden' ? { result: 'ended' } : { result: 'failed', delay: undefined }
  }
}

/** The longest title and text. Devices show fewer characters, and the message stays below the limit of push services. */
const LONGEST = 200

const shownText = ({ title, body, url }: PushText) => ({
  title: shortened(title, LONGEST),
  body: shortened(body, LONGEST),
  url,
})

/**
 * The topic of a message: a digest of its subject, such as a booking. A push service replaces a message that it has not
 * delivered yet by a later message with the same topic. A browser does the same with notifications of the same tag.
 */
const topicOf = (subject: string): string => hash('sha256', subject, 'base64url').slice(0, 32)

/** The web address of this server, where the operator of a push service finds the operator of this server. */
const contactOf = ({ baseUrl }: PushDependencies['config']): string | undefined =>
  baseUrl.startsWith('https:') ? baseUrl : undefined

/** What the status of the answer means (RFC 8030). */
function resultOf({ status, headers }: EgressResponse): Attempt {
  if (status >= 200 && status < 300) return { result: 'sent' }
  if (status === 404 || status === 410) return { result: 'ended' }
  if (status === 429 || status >= 500) return { result: 'failed', delay: delayOf(headers['retry-after']) }
  return { result: 'dropped' }
}

/**
 * Reads the seconds that a push service asks the server to wait. Returns undefined if the header is missing or has another
 * form.
 */
const delayOf = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,9}$/.test(header)
    ? Math.min(Math.max(Number(header) * SECOND, MINUTE), LONGEST_DELAY_MS)
    : undefined
