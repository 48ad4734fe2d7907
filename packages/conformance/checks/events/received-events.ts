import { setTimeout as sleep } from 'node:timers/promises'
import { asMembers, type Members } from '../../caller/answer.ts'
import type { HostedPlatform, ReceivedEvent } from '../../platform/platform-host.ts'
import { show } from '../../run/expectations.ts'
import { Mismatch } from '../../run/mismatch.ts'

const MAX_WAIT_MS = 10_000
/** Milliseconds in which an event that must not come would come. */
export const SETTLE_MS = 1_500

/** An event as the platform received it, with its parsed body. */
export interface Delivery extends ReceivedEvent {
  event: Members
}

/** What the platform has received so far, the oldest first. */
export function deliveries(platform: HostedPlatform, matches: Members = {}): Delivery[] {
  return platform.events
    .map((received) => ({ ...received, event: parsed(received.body) }))
    .filter(({ event }) => Object.entries(matches).every(([name, value]) => event[name] === value))
}

/** Waits at most ten seconds for an event with these members, such as `event` and `booking_id`. */
export async function eventWith(platform: HostedPlatform, matches: Members): Promise<Delivery> {
  const deadline = Date.now() + MAX_WAIT_MS
  for (;;) {
    const [delivery] = deliveries(platform, matches)
    if (delivery) return delivery
    if (Date.now() > deadline) {
      const names = deliveries(platform).map(({ event }) => event.event)
      throw new Mismatch(`an event with ${show(matches)} within ${MAX_WAIT_MS / 1000} s`, `the events ${show(names)}`)
    }
    await sleep(50)
  }
}

/** The names of the events about one booking, in the order in which they came. */
export const namesOfEvents = (platform: HostedPlatform, booking: Members): unknown[] =>
  deliveries(platform, { booking_id: booking.id }).map(({ event }) => event.event)

function parsed(body: string): Members {
  try {
    return asMembers(JSON.parse(body)) ?? {}
  } catch {
    return {}
  }
}
