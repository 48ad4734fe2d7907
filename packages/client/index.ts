import type { Message, UspMeta } from '../../src/protocol/types.generated.ts'
import { callerOf } from './call-business.ts'
import type { CallOptions, ClientOptions } from './client-options.ts'
import type { Route } from './operation-routes.ts'
import { operations } from './operations.generated.ts'

export type {
  Booking,
  BusinessProfile,
  PlatformProfile,
  Service,
  SigningKey,
  TimeSlot,
  WaitlistEntry,
} from '../../src/protocol/types.generated.ts'
export { UnreachableError, UspError } from './client-errors.ts'
export type { CallOptions, ClientOptions } from './client-options.ts'
export { fetchProfile } from './discover-business.ts'
export { generateKey, type PrivateJwk, publishedKey } from './platform-key.ts'
export { type BusinessKeys, verifyWebhook, type WebhookEvent, type WebhookOptions } from './webhooks/verify-webhook.ts'
export { WebhookError, type WebhookErrorCode } from './webhooks/webhook-error.ts'
export type { FetchRequest, RawRequest, WebhookHeaders } from './webhooks/webhook-request.ts'

/**
 * The answer of a business to a call: the output of the operation. If the business refused the call, the answer has
 * only `messages` with the reasons.
 */
export type Answer<Output> = { usp: UspMeta; messages?: Message[] } & (Output | { [Member in keyof Output]?: never })

type Method<Input, Output> =
  Partial<Input> extends Input
    ? (input?: Input, options?: CallOptions) => Promise<Answer<Output>>
    : (input: Input, options?: CallOptions) => Promise<Answer<Output>>

type MethodOf<Known> = Known extends Route<infer T> ? Method<T['input'], T['output']> : never

/**
 * A client for the calls of one platform to one business. It has one method for each operation of the protocol, such as
 * booking.
 */
export type Client = { [Id in keyof typeof operations]: MethodOf<(typeof operations)[Id]> }

export function createClient(options: ClientOptions): Client {
  const call = callerOf(options)
  const methods = Object.entries(operations).map(([id, route]) => [
    id,
    (input = {}, options?: CallOptions) => call(route, input, options),
  ])
  // The client does not check the types in the answers of a business, because the protocol obliges the business to send
  // correct types.
  return Object.fromEntries(methods)
}
