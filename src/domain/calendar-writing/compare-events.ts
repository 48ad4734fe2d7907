import { eventVersions } from '../busy-times/caldav/event-calls.ts'
import { writeQueue, writesQueueMissing } from '../busy-times/writer-queries.ts'
import { GONE, writtenUpcoming } from '../busy-times/written-event-queries.ts'
import { inspectEvent } from './inspect-event.ts'
import { wantedEvent } from './wanted-event.ts'
import type { WritingRun } from './writing-run.ts'

/**
 * Finds the events that a person or another program has changed or deleted in the calendar. Events of the past stay as they
 * are. Also queues bookings whose events are missing or in another calendar. Returns whether no event had changed.
 */
export async function compareEvents(run: WritingRun, calendar: string, isChanged: boolean): Promise<boolean> {
  const { dependencies, writer, client, business, now } = run
  const { db } = dependencies
  await writesQueueMissing(db, writer, now)
  const all = await writtenUpcoming(db, writer.id, now)
  const isHere = ({ address }: (typeof all)[number]) => address.startsWith(calendar)
  // For example, the person now uses another calendar with the chosen name.
  for (const { subject } of all.filter((one) => !isHere(one))) await writeQueue(db, writer.id, subject)
  if (!isChanged) return true
  const events = all.filter((one) => isHere(one) && one.etag !== GONE)
  const { versions, missing } = await eventVersions(
    client,
    calendar,
    events.map(({ address }) => address),
  )
  let isSettled = true
  for (const event of events) {
    const etag = versions.get(event.address)
    const isAsked = event.question === 'deleted'
    const isSame = typeof etag === 'string' && etag === event.etag
    if (isAsked ? missing.includes(event.address) : isSame) continue
    const { resource_id: resource, names } = writer
    const wanted = await wantedEvent(db, { subject: event.subject, resource, names, business, now })
    await inspectEvent(run, event, wanted)
    isSettled = false
  }
  return isSettled
}
