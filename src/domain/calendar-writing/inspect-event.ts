import { isRefusal } from '../../protocol/errors.ts'
import { eventGet } from '../busy-times/caldav/event-calls.ts'
import { readOwnEventInProcess } from '../busy-times/reader/read-in-process.ts'
import type { OwnEvent } from '../busy-times/reader/read-own-event.ts'
import { writeQueue } from '../busy-times/writer-queries.ts'
import { GONE, OUTDATED, type WrittenEvent, writtenUpdate } from '../busy-times/written-event-queries.ts'
import { decideAboutChange } from './decide-about-change.ts'
import { moveToEvent } from './move-to-event.ts'
import type { WantedEvent } from './wanted-event.ts'
import type { WritingRun } from './writing-run.ts'

/**
 * Reads an event that another program has changed or deleted, and stores what follows from it. The function writes nothing
 * into the calendar: an event to write again becomes due.
 */
export async function inspectEvent(
  run: WritingRun,
  event: WrittenEvent,
  wanted: WantedEvent | undefined,
): Promise<void> {
  const { dependencies, business, client } = run
  const there = await eventGet(client, event.address)
  const zone = business?.business.timezone ?? 'UTC'
  const found = there && (await readOwnEventInProcess({ ownEvent: there.content, zone }))
  const etag = there?.etag ?? null
  const decision = decideAboutChange(wanted, event, found)
  if (decision === 'accept')
    return writtenUpdate(dependencies.db, event, {
      etag,
      // If the CalDAV server tells no versions, the next change writes the event without a condition.
      ...(etag === null && { digest: OUTDATED }),
      question: event.question === 'deleted' ? null : event.question,
    })
  if (decision === 'ask') return ask(run, event, etag)
  if (decision === 'move' && isTime(found)) return move(run, event, { ...found, etag })
  if (decision === 'put back') return putBack(run, event, { etag, found, refusal: 'slot_unavailable' })
  return writeAgain(run, event, { etag, isGone: !there })
}

const isTime = (found: OwnEvent | undefined): found is { from: number; to: number } => typeof found === 'object'

/** Asks once. While the staff have not answered, the event stays as it is. */
async function ask({ dependencies: { db }, now }: WritingRun, event: WrittenEvent, etag: string | null): Promise<void> {
  if (event.question === 'deleted') return
  await writtenUpdate(db, event, { etag, question: 'deleted', asked_at: now, tried_start: null, refusal: null })
}

async function move(
  run: WritingRun,
  event: WrittenEvent,
  { from, to, etag }: { from: number; to: number; etag: string | null },
): Promise<void> {
  const { dependencies, now } = run
  try {
    await dependencies.makeChange(async (tx) => {
      await moveToEvent(tx, { booking: event.subject, from, to }, dependencies, now)
      const times = { starts_at: new Date(from), ends_at: new Date(to) }
      await writtenUpdate(tx, event, { ...times, etag, digest: OUTDATED, question: null })
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    await putBack(run, event, { etag, found: { from, to }, refusal: error.code })
  }
}

async function putBack(
  { dependencies, now }: WritingRun,
  event: WrittenEvent,
  { etag, found, refusal }: { etag: string | null; found: OwnEvent | undefined; refusal: string },
): Promise<void> {
  const tried_start = isTime(found) ? new Date(found.from) : null
  await dependencies.makeChange(async (tx) => {
    const note = { question: 'put_back', asked_at: now, tried_start, refusal } as const
    await writtenUpdate(tx, event, { etag, digest: OUTDATED, ...note })
    await writeQueue(tx, event.writer_id, event.subject)
  })
}

const writeAgain = (
  { dependencies }: WritingRun,
  event: WrittenEvent,
  { etag, isGone }: { etag: string | null; isGone: boolean },
): Promise<void> =>
  dependencies.makeChange(async (tx) => {
    await writtenUpdate(tx, event, { etag: isGone ? GONE : etag, digest: OUTDATED })
    await writeQueue(tx, event.writer_id, event.subject)
  })
