import type { StoredTextProvider } from '../../infra/config/text-provider.ts'
import { DAY } from '../../infra/time/time-units.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { unseal } from '../keys/encrypt-secrets.ts'
import { countSegments } from '../texts/count-segments.ts'
import { numberInCountries } from '../texts/phone-numbers.ts'
import { endOfQuietHours } from '../texts/quiet-hours.ts'
import { isNumberStopped, numberStop } from '../texts/stopped-number-queries.ts'
import { type FailedText, mayHaveArrived } from '../texts/text-adapter.ts'
import { textAdapters } from '../texts/text-adapters.ts'
import type { TextMessage } from './notification-text.ts'
import type { MailRow } from './queries.ts'
import { isReplacedByLaterText, sentTextCounts } from './text-message-queries.ts'
import { textToSend } from './text-to-send.ts'

type Needs = Dependencies<'db' | 'clock' | 'config' | 'business' | 'textProviderKey'>

export type TextAttempt =
  | { result: 'sent'; segments: number }
  | FailedText
  /** `isObsolete`: the recipient needs no notification any more, also no mail. */
  | { result: 'dropped'; problem?: string; isObsolete?: true }
  | { result: 'postponed'; until: Date }

/** The maximum number of text messages to one phone number in 24 hours. Otherwise, a stranger could annoy its owner. */
const MAX_TO_ONE_NUMBER = 10

/**
 * Makes one attempt to send a text message. Drops the message if it must not go out, or if it would come too late.
 * Postpones it during the quiet hours.
 */
export async function sendTextMessage(
  mail: MailRow,
  message: TextMessage | undefined,
  definition: BusinessDefinition,
  dependencies: Needs,
): Promise<TextAttempt> {
  const { db, business, clock } = dependencies
  const provider = await business.textProvider()
  const { phone } = mail
  if (!message || !provider || phone === null) return { result: 'dropped' }
  const text = { ...mail, phone }
  const reason = await reasonNotToSend(text, message, provider, dependencies)
  if (reason) return reason
  const pause = message.ignoresQuietHours ? undefined : pauseIn(provider, definition, message, clock())
  if (pause) return pause
  const answer = await sendThrough(provider, text, message, dependencies)
  if (answer.result !== 'stopped') return answer
  await numberStop(db, phone, clock())
  return dropped(STOPPED)
}

const dropped = (problem: string) => ({ result: 'dropped', problem }) as const
const STOPPED = 'The recipient wants no text messages.'

type TextRow = MailRow & { phone: string }

async function reasonNotToSend(
  mail: TextRow,
  { until }: TextMessage,
  { countries, daily_limit }: StoredTextProvider,
  { db, clock }: Needs,
): Promise<TextAttempt | undefined> {
  const now = clock()
  if (until !== undefined && until <= now) return { ...dropped('It would come too late.'), isObsolete: true }
  if (numberInCountries(mail.phone, countries) === undefined) return dropped('Messages do not go to this country.')
  if (await isNumberStopped(db, mail.phone)) return dropped(STOPPED)
  if (await isReplacedByLaterText(db, mail)) return { ...dropped('A later message replaces it.'), isObsolete: true }
  const sent = await sentTextCounts(db, new Date(now.getTime() - DAY), mail.phone)
  if (sent.toNumber >= MAX_TO_ONE_NUMBER) return dropped('This number got too many messages in 24 hours.')
  return sent.all < daily_limit
    ? undefined
    : { result: 'failed', problem: `The limit of ${daily_limit} text messages in 24 hours is reached.` }
}

/** Returns when the quiet hours end, or that the message is dropped because it would then come too late. */
function pauseIn(
  provider: StoredTextProvider,
  { business: { timezone } }: BusinessDefinition,
  message: TextMessage,
  now: Date,
): TextAttempt | undefined {
  const end = endOfQuietHours(provider, timezone, now)
  if (!end) return undefined
  return message.until !== undefined && message.until <= end
    ? dropped('After the quiet hours, it would come too late.')
    : { result: 'postponed', until: end }
}

async function sendThrough(
  provider: StoredTextProvider,
  { id, phone: to, begun, resent }: TextRow,
  message: TextMessage,
  { config, textProviderKey }: Needs,
): Promise<TextAttempt | { result: 'stopped' }> {
  const adapter = textAdapters[provider.adapter]
  // A process began to send this message, and ended before it stored the result.
  if (begun > 1 && !adapter.isRepeatable) return mayHaveArrived('The server stopped during the attempt.')
  const text = textToSend(message, provider)
  const segments = countSegments(text)
  const open = { ...provider, secret: unseal(textProviderKey, provider.secret) }
  const answer = await adapter.send({ id: resent === 0 ? id : `${id}.${resent}`, to, text, segments }, open, config)
  return answer.result === 'sent' ? { result: 'sent', segments } : answer
}
