import {
  callOutside,
  EgressError,
  type EgressRequest,
  type EgressResponse,
} from '../../../core/egress/call-external-url.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import { type Bounds, readJson, UnreadableDocumentError } from '../../../protocol/parse-json-safely.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { problemOfEgress } from '../fetch-calendar.ts'

/** The longest time of all calls for one read of an account, in milliseconds. */
const TIMEOUT_MS = 60_000

interface ProviderCall {
  method?: EgressRequest['method']
  headers?: Record<string, string>
  /** The document that the server sends as JSON. */
  document?: object
}

export type SendToProvider = (url: string, call?: ProviderCall) => Promise<EgressResponse>

/**
 * Returns a function that calls the provider of one account. All calls together have one limit of time, and one of bytes.
 * The caller must only pass addresses of the provider, because the function sends the token there.
 */
export function senderTo(
  accessToken: string,
  config: Config,
  { mostBytes, mostPageBytes }: { mostBytes: number; mostPageBytes: number },
): SendToProvider {
  const end = performance.now() + TIMEOUT_MS
  let bytesLeft = mostBytes
  return async (url, { method = 'GET', headers = {}, document } = {}) => {
    const request: EgressRequest = {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...headers,
        ...(document && { 'content-type': 'application/json' }),
      },
      ...(document && { body: Buffer.from(JSON.stringify(document)) }),
      timeout: Math.max(1, Math.round(end - performance.now())),
      mostBytes: Math.min(bytesLeft, mostPageBytes),
    }
    const answer = await callOutside(url, request, config).catch((error: unknown) => {
      throw error instanceof EgressError ? problemOfEgress(error) : error
    })
    bytesLeft = Math.max(1, bytesLeft - answer.body.length)
    return answer
  }
}

/** Parses an answer of a provider. An answer that is cut off is no JSON document. */
export function documentOf(body: Buffer, bounds: Bounds): unknown {
  try {
    return readJson(body, bounds)
  } catch (error) {
    throw error instanceof UnreadableDocumentError ? new UnreadCalendarError('truncated') : error
  }
}

/** Parses the answer to a call that failed. Many such answers are web pages. */
export function documentIfAny(body: Buffer, bounds: Bounds): unknown {
  try {
    return readJson(body, bounds)
  } catch (error) {
    if (!(error instanceof UnreadableDocumentError)) throw error
    return undefined
  }
}
