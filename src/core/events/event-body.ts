import { rfc3339Exact } from '../../infra/time/zone.ts'
import { asRecord } from '../../infra/util/records.ts'
import type { Due } from './queries.ts'

/** Converts a snapshot to the event body of the protocol. The module that records snapshots provides this function. */
export type SnapshotBody = (snapshot: object, about: { type: string; id: string; zone: string }) => object

/** The functions that build event bodies, one for each kind of subject, such as `booking`. */
export type SnapshotBodies = Record<string, SnapshotBody>

export function eventBody(
  { type, event_id, subject, at, snapshot }: Pick<Due, 'type' | 'event_id' | 'subject' | 'at' | 'snapshot'>,
  bodies: SnapshotBodies,
  zone: string,
): object {
  const [kind = '', id = ''] = subject.split(' ')
  const bodyOf = bodies[kind]
  if (!bodyOf) throw new Error(`No event body exists for a subject of the kind ${kind}`)
  const common = { event: type, event_id, timestamp: rfc3339Exact(zone, at) }
  return { ...common, ...bodyOf(asRecord(snapshot), { type, id, zone }) }
}
