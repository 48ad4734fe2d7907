import { rfc3339Exact } from '../../infra/time/time-zone.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { Due } from './lease-deliveries.ts'
import { isOrderEvent } from './ucp-order-events.ts'

/**
 * Converts a stored snapshot, such as the data of a booking, to the event body that the protocol defines. If the result
 * is undefined, the server does not send the event.
 */
export type SnapshotBody = (
  snapshot: object,
  about: { type: string; id: string; zone: string },
) => object | Promise<object | undefined>

/** The functions that build the bodies of events: one function for each kind of subject, such as `booking`. */
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
