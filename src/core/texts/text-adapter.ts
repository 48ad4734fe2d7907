import type { Config } from '../../infra/config/read-config.ts'
import type { StoredTextProvider } from '../../infra/config/text-provider.ts'
import { EgressError, type EgressResponse } from '../egress/call-external-url.ts'

export interface OutgoingText {
  /** The same id for all attempts to send the message. */
  id: string
  /** The phone number in the format E.164. */
  to: string
  text: string
  segments: number
}

export type OpenTextProvider = Pick<StoredTextProvider, 'url' | 'account' | 'sender'> & { secret: string }

/**
 * The answer of a provider. `failed`: a later attempt can succeed. `hopeless`: no later attempt should be made, because
 * the provider refuses the message for good, or because it may already have sent the message. `stopped`: the recipient
 * wants no text messages.
 */
export type TextResult = { result: 'sent' } | FailedText | { result: 'stopped' }

export interface FailedText {
  result: 'failed' | 'hopeless'
  problem: string
}

/** What an owner must enter, and the English text of the error otherwise. */
interface SettingRule {
  pattern: RegExp
  rule: string
}

/** Sends text messages through a provider. Each provider has one file. */
export interface TextAdapter {
  /** The URL of the provider if an owner enters none. */
  usualUrl?: string
  /** The host names of the provider. Undefined if the owner can enter any public host. */
  host?: RegExp
  account?: SettingRule
  sender?: SettingRule
  /**
   * Whether the provider sends a message only once if it gets the same id twice. Otherwise, the server does not repeat a
   * message that may have arrived.
   */
  isRepeatable: boolean
  send(text: OutgoingText, provider: OpenTextProvider, config: Config): Promise<TextResult>
  /** Reads the call with which the provider passes on a message of a buyer. Throws `ForgedReplyError` if it is forged. */
  readReply(call: ReplyCall, secret: string): TextReply
  /** The answer to this call. */
  replyAnswer: { status: number; type: string; body: string }
}

/** The call of a provider with a message of a buyer. */
export interface ReplyCall {
  /** The full URL of the call, as the provider knows it. */
  url: string
  header(name: string): string
  body: Buffer
  now: Date
}

/** A message of a buyer. The text and the phone number are empty if the call has none. */
export interface TextReply {
  /** The signature of the call. The provider repeats a call with the same signature. */
  id: string
  from: string
  text: string
}

/** The error for a call without a valid signature of the provider. */
export class ForgedReplyError extends Error {
  override readonly name = 'ForgedReplyError'
}

export const TIMEOUT_MS = 10_000
export const MOST_BYTES = 64 * 1024

/** Makes a call to a provider. Returns a result if the provider gave no answer. */
export async function answerOf(
  call: Promise<EgressResponse>,
  { isRepeatable }: Pick<TextAdapter, 'isRepeatable'>,
): Promise<EgressResponse | FailedText> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const problem = `The provider ${error.message}.`
    if (error.reason === 'forbidden') return { result: 'hopeless', problem }
    return error.wasSent && !isRepeatable ? mayHaveArrived(problem) : { result: 'failed', problem }
  }
}

/** The result of an attempt that may have sent the message. Only a staff member may decide to send it again. */
export const mayHaveArrived = (problem: string): FailedText => ({
  result: 'hopeless',
  problem: `${problem} The message may have arrived, so it is not repeated.`,
})
