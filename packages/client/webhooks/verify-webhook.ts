import { asRecord } from '../../../src/infra/util/object-members.ts'
import type { BookingEvent, CatalogEvent, SigningKey, WaitlistEvent } from '../../../src/protocol/types.generated.ts'
import { UspError } from '../client-errors.ts'
import { withNumbers } from '../convert-amounts-to-numbers.ts'
import { checkBodyDigest } from './check-body-digest.ts'
import { chooseSignatures } from './choose-signatures.ts'
import { readWebhookRequest } from './read-webhook-request.ts'
import { verifySignature } from './verify-signature.ts'
import { WebhookError } from './webhook-error.ts'
import type { FetchRequest, RawRequest } from './webhook-request.ts'

/** An event that a business sent to a platform. The member `event` tells its type, such as `booking.canceled`. */
export type WebhookEvent = BookingEvent | CatalogEvent | WaitlistEvent

/** The keys of a business, or the profile of the business, which contains them. */
export type BusinessKeys =
  | readonly SigningKey[]
  | { keys?: readonly SigningKey[] | undefined; signing_keys?: readonly SigningKey[] | undefined }

export interface WebhookOptions {
  /**
   * The address of the webhook as the platform gave it to the business. The default is the address of the request,
   * whose host name is often the `Host` header. A sender can choose this header. Therefore set `url`, except if the
   * server checks the header.
   */
  url?: string
  /** The current time. The default is the time of the clock. */
  now?: Date
}

/**
 * Verifies that a business recently sent this event to this platform, and that the event did not change on the way.
 * Returns the event, or throws a `WebhookError`. An event can arrive twice, with the same `event_id`.
 */
export async function verifyWebhook(
  request: FetchRequest | RawRequest,
  keys: BusinessKeys,
  { url = request.url, now = new Date() }: WebhookOptions = {},
): Promise<WebhookEvent> {
  const message = await readWebhookRequest(request, url)
  const candidates = chooseSignatures(message.headers, keysOf(keys))
  const results = await Promise.allSettled(candidates.map((candidate) => verifySignature(candidate, message, now)))
  const [first] = results
  if (first?.status === 'rejected' && results.every(({ status }) => status === 'rejected')) throw first.reason
  await checkBodyDigest(message)
  return eventIn(message.body)
}

const keysOf = (keys: BusinessKeys): readonly SigningKey[] =>
  'find' in keys ? keys : [...(keys.keys ?? []), ...(keys.signing_keys ?? [])]

/** Returns the event in a body. Platforms whose profile lists `mcp` first receive events as JSON-RPC notifications. */
function eventIn(body: Uint8Array): WebhookEvent {
  const parsed = asRecord(parse(body))
  const { _meta, ...event } = asRecord(
    parsed.jsonrpc === '2.0' && parsed.method === 'usp_webhook' ? parsed.params : parsed,
  )
  if (!isEvent(event)) throw new WebhookError('no_event', 'The signed body is not an event.')
  try {
    return withNumbers(event)
  } catch (error) {
    if (error instanceof UspError) throw new WebhookError('no_event', error.message)
    throw error
  }
}

/** The client does not check the other members, because the protocol obliges the business to send correct events. */
const isEvent = (event: object): event is WebhookEvent =>
  'event' in event && typeof event.event === 'string' && 'event_id' in event && typeof event.event_id === 'string'

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new WebhookError('malformed', 'The body is not JSON.')
  }
}
