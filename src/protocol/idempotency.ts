import { hash, type KeyObject } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { Change } from '../db/change.ts'
import type { Database } from '../db/database.ts'
import { inPortions, PORTION } from '../db/in-portions.ts'
import type { DB } from '../db/schema.generated.ts'
import { seal, unseal } from '../trust/secret-box.ts'
import { canonical } from './canonical.ts'
import { ProtocolError } from './errors.ts'
import type { Call } from './operation.ts'

/** What is kept of an answer: enough to give it again to the byte. */
export interface Kept {
  status: number
  text: string
  summary: string
}

const KEPT_DAYS = 7

const oldest = (now: Date) => new Date(now.getTime() - KEPT_DAYS * 24 * 3_600_000)

/** The key under which the caller will retry, if it named one. */
export function idempotencyKey({ binding, headers, meta }: Call): string | undefined {
  const key: unknown = binding === 'mcp' ? Object(Object(meta).usp).idempotency_key : headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key))
    throw new ProtocolError('invalid_request', 'Idempotency-Key must have 1 to 255 visible characters; a UUID is best.')
  return key
}

type StoredReply = Pick<Selectable<DB['replies']>, 'fingerprint' | 'reply'>

/** Another call with this key came first; its answer is kept. */
export class KeyTaken extends Error {}

/** The answer that was given under the key to a call that has ended. */
export async function keptReply(
  db: Database,
  key: string,
  call: Call,
  boxKey: KeyObject,
  now: Date,
): Promise<Kept | undefined> {
  const first = await replyFind(db, key, call, oldest(now))
  if (!first) return undefined
  if (!first.reply)
    throw new ProtocolError(
      'idempotency_conflict',
      'The answer was erased with the personal data in it. Use a new key.',
    )
  if (!first.fingerprint.equals(fingerprintOf(call)))
    throw new ProtocolError('idempotency_conflict', 'This Idempotency-Key was used for another request. Use a new one.')
  return opened(first.reply, boxKey)
}

/** What another secret sealed, which is gone, nobody can give again; and the call must not be made again either. */
function opened(reply: Buffer, boxKey: KeyObject): Kept {
  try {
    return JSON.parse(unseal(boxKey, reply))
  } catch {
    throw new ProtocolError(
      'idempotency_conflict',
      'The first call was made, but its answer cannot be read any more. Look at what it did before you use a new key.',
    )
  }
}

/** A retry may be signed with another key of the same profile than the first call was. */
async function replyFind(db: Database, key: string, call: Call, since: Date): Promise<StoredReply | undefined> {
  const { rows } = await sql<StoredReply>`
    select fingerprint, reply from replies
    where key = ${key} and created_at >= ${since}
      and (principal = ${principalOf(call)} or publisher = ${publisherOf(call)})
    order by principal = ${principalOf(call)} desc limit 1`.execute(db)
  return rows[0]
}

/** Keeps the answer along with what it tells of, or nothing of either where one is kept already. */
export function keepReply(
  tx: Change,
  key: string,
  call: Call,
  { subject, ...kept }: Kept & { subject: string | null },
  boxKey: KeyObject,
  now: Date,
): void {
  const reply = seal(boxKey, JSON.stringify(kept))
  tx.demand({
    name: 'keep_reply',
    values: [publisherOf(call), principalOf(call), key, fingerprintOf(call), reply, subject, now, oldest(now)],
    refusal: () => new KeyTaken(),
  })
}

const principalOf = ({ caller }: Call) => caller?.principal ?? ''

const publisherOf = ({ caller }: Call) => caller?.publisher ?? null

const fingerprintOf = ({ operation, input }: Call) => hash('sha256', `${operation.id} ${canonical(input)}`, 'buffer')

/** Empties what was answered about these. The key stays taken: what was done under it must not be done again. */
export async function repliesEmpty(tx: Database, subjects: readonly string[]): Promise<void> {
  await tx.updateTable('replies').set({ reply: null }).where('subject', 'in', subjects).execute()
}

export async function forgetOldReplies(db: Database, now: Date): Promise<void> {
  const forget = sql`
    delete from replies where ctid in (
      select ctid from replies where created_at < ${oldest(now)} limit ${PORTION} for update skip locked
    )`
  await inPortions(() => forget.execute(db))
}
