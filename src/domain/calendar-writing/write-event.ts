import { eventDelete, eventGet, eventPut } from '../busy-times/caldav/event-calls.ts'
import { UnreadCalendarError } from '../busy-times/calendar-problems.ts'
import {
  GONE,
  OUTDATED,
  type WrittenEvent,
  writtenDelete,
  writtenFind,
  writtenStore,
} from '../busy-times/written-event-queries.ts'
import { inspectEvent } from './inspect-event.ts'
import { addressOf, type WantedEvent, wantedEvent } from './wanted-event.ts'
import type { WritingRun } from './writing-run.ts'

/** After this number of attempts, each of which another program disturbed, the event waits for the next run. */
const ATTEMPTS = 4

/**
 * Makes the event of one booking or class as it should be. Each step can be repeated: the address of the event is always
 * the same, and the server changes only the version of the event that it knows.
 */
export async function writeEvent(run: WritingRun, subject: string): Promise<void> {
  const { dependencies, writer, business, now } = run
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { resource_id: resource, names } = writer
    const wanted = await wantedEvent(dependencies.db, { subject, resource, names, business, now })
    const known = await writtenFind(dependencies.db, writer.id, subject)
    if (await attemptToWrite(run, subject, { wanted, known })) return
  }
  throw new UnreadCalendarError('not_writable')
}

interface Versions {
  wanted: WantedEvent | undefined
  known: WrittenEvent | undefined
}

/** Returns false if another program has changed the event meanwhile. The next attempt sees the change. */
async function attemptToWrite(run: WritingRun, subject: string, { wanted, known }: Versions): Promise<boolean> {
  const { writer, calendar, now } = run
  if (!wanted || calendar === undefined) return !known || isPast(known, now) || removeEvent(run, known)
  const isOver = wanted.end <= now && (!known || isPast(known, now))
  if (isOver && !(known && wanted.isErased)) return true
  if (known?.question === 'deleted' && isSameTime(known, wanted)) return true
  const address = addressOf(calendar, subject, writer.resource_id)
  if (known && known.address !== address) {
    if (!isOver) await removeEvent(run, known)
    return isOver
  }
  if (known && known.etag !== GONE && known.digest.equals(wanted.digest)) return true
  return putEvent(run, known ?? (await announceEvent(run, { subject, address }, wanted)), wanted)
}

const isPast = ({ ends_at }: WrittenEvent, now: Date): boolean => ends_at <= now

const isSameTime = ({ starts_at, ends_at }: WrittenEvent, { start, end }: WantedEvent): boolean =>
  +starts_at === +start && +ends_at === +end

async function removeEvent({ client, dependencies: { db } }: WritingRun, known: WrittenEvent): Promise<boolean> {
  const deleted = await eventDelete(client, known.address, known.etag === GONE ? null : known.etag)
  if (deleted === 'changed') {
    const there = await eventGet(client, known.address)
    // The booking is no longer there, whatever a person has changed in its event.
    if (there && (await eventDelete(client, known.address, there.etag)) === 'changed') return false
  }
  await writtenDelete(db, known)
  return true
}

/**
 * Stores that the server will create an event. If the answer of the CalDAV server is lost, and the booking is canceled
 * before the next attempt, the server still knows the address of the event and deletes it.
 */
const announceEvent = (
  { writer, dependencies: { db } }: WritingRun,
  event: { subject: string; address: string },
  wanted: WantedEvent,
): Promise<WrittenEvent> =>
  writtenStore(db, { writer_id: writer.id, ...event, ...stored(wanted), etag: GONE, digest: OUTDATED })

async function putEvent(run: WritingRun, known: WrittenEvent, wanted: WantedEvent): Promise<boolean> {
  const { client, dependencies } = run
  if (known.etag === null && !known.digest.equals(OUTDATED)) {
    await inspectEvent(run, known, wanted)
    return false
  }
  const etag = known.etag === GONE ? undefined : known.etag
  const put = await eventPut(client, known.address, { body: wanted.content, etag })
  if (put === 'changed') {
    if (known.etag === GONE) await adoptEvent(run, known, wanted)
    else await inspectEvent(run, known, wanted)
    return false
  }
  await writtenStore(dependencies.db, { ...known, ...stored(wanted), etag: put.etag })
  return true
}

/**
 * Takes over an event that this server has written already: it stopped before it could store the event, or the account was
 * connected before. The next attempt writes the event again.
 */
async function adoptEvent(
  { client, dependencies }: WritingRun,
  event: WrittenEvent,
  wanted: WantedEvent,
): Promise<void> {
  const there = await eventGet(client, event.address)
  if (!there) throw new UnreadCalendarError('not_writable')
  await writtenStore(dependencies.db, { ...event, ...stored(wanted), digest: OUTDATED, etag: there.etag })
}

const stored = ({ start, end, digest }: WantedEvent) => ({ starts_at: start, ends_at: end, digest })
