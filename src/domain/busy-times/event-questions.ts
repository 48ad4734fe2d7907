import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { writeQueue } from './writer-queries.ts'
import { GONE, OUTDATED, writtenUpdate } from './written-event-queries.ts'

/** A change in another calendar that the staff must know of, or decide about. */
export interface EventQuestion {
  resource_id: string
  calendar: string
  /** `deleted`: the event was deleted there. `put_back`: the server undid a change that is not allowed. */
  question: 'deleted' | 'put_back'
  /** The new start of the event after a person moved it there, in milliseconds since 1970. */
  tried: number | null
  /** The error code of the refusal. */
  refusal: string | null
}

const isAbout = (booking: RawBuilder<unknown>, session: RawBuilder<unknown>) =>
  sql`e.question is not null and e.subject in (${booking}, ${session})`

/** An SQL query for the ids of the bookings and classes with an open question. */
export const questionedSubjects = sql`select subject from written_events where question is not null`

/** An SQL expression for a text that changes when the event of another booking is deleted or put back. */
export const eventQuestionsKey = sql<string>`
  (select concat(count(*), ' ', max(asked_at)) from written_events where question is not null)`

/** An SQL query for the open questions about a booking or its class, as a JSON array of `EventQuestion`. */
export const questionsAbout = (booking: RawBuilder<unknown>, session: RawBuilder<unknown>) => sql<
  EventQuestion[] | null
>`
  select jsonb_agg(jsonb_build_object('resource_id', w.resource_id, 'calendar', coalesce(w.calendar, ''),
    'question', e.question, 'tried', extract(epoch from e.tried_start)::float8 * 1000, 'refusal', e.refusal) order by w.id)
  from written_events e join calendar_writers w on w.id = e.writer_id where ${isAbout(booking, session)}`

interface Questioned {
  id: string
  session_id: string | null
}

const aboutBooking = ({ id, session_id }: Questioned) => [sql`${id}::text`, sql`${session_id}::text`] as const

/** Lists the open questions about a booking. */
export async function questionsOfBooking(db: Database, booking: Questioned): Promise<EventQuestion[]> {
  const { rows } = await sql<{ questions: EventQuestion[] | null }>`
    select (${questionsAbout(...aboutBooking(booking))}) as questions`.execute(db)
  return rows[0]?.questions ?? []
}

/** Stores that the staff keep a booking. A deleted event is written again. Returns false if there is no question. */
export async function questionsEnd(tx: UnitOfWork, booking: Questioned): Promise<boolean> {
  const { rows } = await sql<{ writer_id: string; subject: string; question: string }>`
    select e.writer_id, e.subject, e.question from written_events e where ${isAbout(...aboutBooking(booking))} for update`.execute(
    tx,
  )
  for (const event of rows) {
    const again = event.question === 'deleted'
    await writtenUpdate(tx, event, { question: null, ...(again && { etag: GONE, digest: OUTDATED }) })
    if (again) await writeQueue(tx, event.writer_id, event.subject)
  }
  return rows.length > 0
}
