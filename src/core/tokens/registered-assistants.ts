import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { deleteBefore } from '../../infra/db/delete-in-batches.ts'
import { DAY } from '../../infra/time/time-units.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { AssistantMetadata } from './validate-client-metadata.ts'

/**
 * Limits the stored assistants that no person has authorized yet. `ofOne` is the limit for one network, and the server
 * refuses further assistants. `all` is the limit for all networks, and the server deletes the oldest assistants.
 */
const MOST_WAITING = { ofOne: 100, all: 10_000 }
/**
 * How many days the server stores an assistant: `waiting` after its registration, `allowed` after a person last
 * authorized it. The authorization itself ends before this time.
 */
const STORED_DAYS = { waiting: 1, allowed: 366 }

export const newAssistantId = (): string => newId('app')

/**
 * Returns the id of an assistant that describes itself with a metadata document. The id is a digest of the document's
 * address. The address itself can be long, and contains slashes, which a stored caller name must not contain.
 */
export const documentId = (url: string): string => `doc_${hash('sha256', url, 'base64url')}`

/**
 * Whether a client id has the form of a stored id for a metadata document. The server refuses such an id, because it
 * can read the current document only with the address.
 */
export const isDocumentId = (id: string): boolean => /^doc_[\w-]{43}$/.test(id)

interface Known extends AssistantMetadata {
  id: string
  network: string
  freshUntil?: Date
}

/** Inserts an assistant, or updates its row from its current metadata. Limits the new assistants of one network. */
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
 * Keeps an assistant in the database for longer, because a person authorized it. The network's limit then no longer
 * counts this assistant.
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
