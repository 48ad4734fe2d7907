import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { deleteBefore } from '../../infra/db/delete-in-batches.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { AssistantMetadata } from './validate-client-metadata.ts'

/**
 * The limits for stored AI assistants that no person has authorized yet. `ofOne` is the limit for one IP address range,
 * and the server refuses further assistants. `all` is the limit for all ranges together, and the server deletes the
 * oldest assistants above this limit.
 */
const MOST_WAITING = { ofOne: 100, all: 10_000 }
/**
 * How many days the server stores an AI assistant: `waiting` after its registration, and `allowed` after a person last
 * authorized it. The authorization itself ends earlier.
 */
const STORED_DAYS = { waiting: 1, allowed: 366 }

export const newAssistantId = (): string => newId('app')

/**
 * Returns the id of an AI assistant that publishes a metadata document. The id is a digest of the document's URL. The
 * server does not use the URL itself, because the URL can be long and contains slashes, which stored caller names must
 * not contain.
 */
export const documentId = (url: string): string => `doc_${hash('sha256', url, 'base64url')}`

/**
 * Whether a client id has the form of an id that this server derived from the URL of a metadata document. The server
 * refuses this form from callers, because it needs the URL to read the current document.
 */
export const isDocumentId = (id: string): boolean => /^doc_[\w-]{43}$/.test(id)

interface Known extends AssistantMetadata {
  id: string
  network: string
  freshUntil?: Date
}

/**
 * Inserts an AI assistant, or updates its stored metadata. Throws an error if its IP address range already has too many
 * assistants that no person has authorized.
 */
export async function assistantUpsert(
  db: Database,
  { id, name, redirect_uris, network, freshUntil }: Known,
  now: Date,
): Promise<void> {
  const { rows } = await sql`
    insert into assistants (id, name, redirect_uris, network, fresh_until, kept_until)
    select ${id}, ${name}, ${redirect_uris}::text[], ${network}, ${freshUntil ?? null}::timestamptz,
      ${inDays(STORED_DAYS.waiting, now)}::timestamptz
    where exists (select from assistants where id = ${id})
      or (select count(*) from assistants where network = ${network}) < ${MOST_WAITING.ofOne}
    on conflict (id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris,
      fresh_until = excluded.fresh_until, kept_until = greatest(assistants.kept_until, excluded.kept_until)
    returning id`.execute(db)
  if (rows.length === 0)
    throw new ProtocolError(
      'rate_limited',
      `${MOST_WAITING.ofOne} assistants from your network have no permission from a buyer yet. Use one of ` +
        'them, or try again tomorrow.',
      { retryAfter: DAY / 1000 },
    )
  await sql`
    delete from assistants where id in (
      select id from assistants where network is not null order by kept_until desc offset ${MOST_WAITING.all}
    )`.execute(db)
}

/**
 * Records that a person authorized the AI assistant. The server then stores the assistant for longer, and no longer
 * counts it against the limit of its IP address range.
 */
export async function assistantAuthorize(db: Database, id: string, now: Date): Promise<void> {
  await db
    .updateTable('assistants')
    .set({ network: null, kept_until: inDays(STORED_DAYS.allowed, now) })
    .where('id', '=', id)
    .execute()
}

export const assistantFind = (db: Database, id: string) =>
  db.selectFrom('assistants').select(['id', 'name', 'redirect_uris']).where('id', '=', id).executeTakeFirst()

export async function isFresh(db: Database, id: string, now: Date): Promise<boolean> {
  const found = await db
    .selectFrom('assistants')
    .select('id')
    .where('id', '=', id)
    .where('fresh_until', '>', now)
    .executeTakeFirst()
  return found !== undefined
}

export const deleteExpiredAssistants = (db: Database, now: Date): Promise<void> =>
  deleteBefore(db, 'assistants', 'kept_until', now)

const inDays = (days: number, now: Date) => new Date(now.getTime() + days * DAY)
