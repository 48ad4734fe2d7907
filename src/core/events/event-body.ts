import { rfc3339Exact } from '../../infra/time/time-zone.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { Due } from './lease-deliveries.ts'
import { isOrderEvent } from './ucp-order-events.ts'

/**
 * Converts the stored snapshot of an event's subject to the event body that the protocol defines. The module that
 * records the snapshots provides this function. If the result is undefined, no receiver gets the event.
 */
export type SnapshotBody = (
  snapshot: object,
  about: { type: string; id: string; zone: string },
) => object | Promise<object | undefined>

/** The functions that build the bodies of events. There is one for each kind of event subject, such as `booking`. */
export type SnapshotBodies = Record<string, SnapshotBody>

export async function eventBody(
  { type, event_id, subject, at, snapshot }: Pick<Due, 'type' | 'event_id' | 'subject' | 'at' | 'snapshot'>,
  bodies: SnapshotBodies,
  zone: string,
): Promise<object | undefined> {
  const [kind = '', id = ''] = subject.split(' ')
  const bodyOf = bodies[kind]
  if (!bodyOf) throw new Error(`No event body exists for a subject of the kind ${kind}`)
  const body = await bodyOf(asRecord(snapshot), { type, id, zone })
  if (body === undefined || isOrderEvent({ subject })) return body
  return { event: type, event_id, timestamp: rfc3339Exact(zone, at), ...body }
}
