import { setTimeout as sleep } from 'node:timers/promises'
import { asMembers, type Members } from '../../caller/answer.ts'
import { digestOf } from '../../caller/message-signature.ts'
import { publishedKeys, requestComponents, type SignedMessage, verifySignature } from '../../caller/verify-signature.ts'
import type { HostedPlatform, ReceivedEvent } from '../../platform/platform-host.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectTrue, show } from '../../run/expectations.ts'
import { Mismatch } from '../../run/mismatch.ts'

const MAX_WAIT_MS = 10_000
/** In milliseconds. After this time, the check assumes that no unwanted event follows. */
export const SETTLE_MS = 1_500

/** An event that the platform received, with its parsed body. */
export interface Delivery extends ReceivedEvent {
  event: Members
}

/** Returns the received events that have these members, the oldest first. */
export function deliveries(platform: HostedPlatform, matches: Members = {}): Delivery[] {
  return platform.events
    .map((received) => ({ ...received, event: parsed(received.body) }))
    .filter(({ event }) => Object.entries(matches).every(([name, value]) => event[name] === value))
}

/** Waits for an event with these members, such as `event` and `booking_id`. */
export async function eventWith(
  platform: HostedPlatform,
  matches: Members,
  maxWaitMs = MAX_WAIT_MS,
): Promise<Delivery> {
  const deadline = Date.now() + maxWaitMs
  for (;;) {
    const [delivery] = deliveries(platform, matches)
    if (delivery) return delivery
    if (Date.now() > deadline) {
      const names = deliveries(platform).map(({ event }) => event.event)
      throw new Mismatch(`an event with ${show(matches)} within ${maxWaitMs / 1000} s`, `the events ${show(names)}`)
    }
    await sleep(50)
  }
}

/** Returns the names of the events about one booking, in the order of their arrival. */
export const namesOfEvents = (platform: HostedPlatform, booking: Members): unknown[] =>
  deliveries(platform, { booking_id: booking.id }).map(({ event }) => event.event)

/**
 * Converts a received event to a signed message. The path of the event can differ from the path of the webhook address.
 */
export const signedMessageOf = (
  { webhookUrl }: HostedPlatform,
  { method, path, headers, body }: ReceivedEvent,
): SignedMessage => ({ headers, body, derived: requestComponents(method, new URL(path, webhookUrl)) })

/** Requires a signature by a published key, and a header `Content-Digest` with the digest of the body. */
export function expectSigned({ platform, target }: CheckContext, received: ReceivedEvent) {
  const signature = verifySignature(signedMessageOf(platform.hosted, received), publishedKeys(target.profile))
  const digest = received.headers['content-digest'] ?? ''
  const expected = digestOf(received.body)
  expectTrue(digest.includes(expected), `${expected} in Content-Digest`, digest)
  return signature
}

function parsed(body: string): Members {
  try {
    return asMembers(JSON.parse(body)) ?? {}
  } catch {
    return {}
  }
}
