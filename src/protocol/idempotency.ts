import { hash, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Tx } from '../db/database.ts'
import { writeNow } from '../db/later.ts'
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

/**
 * Takes the key for this call, or returns the answer that was given under it. A twin that is still being worked on is
 * waited for.
 */
export async function claimKey(
  tx: Tx,
  key: string,
  call: Call,
  boxKey: KeyObject,
  now: Date,
): Promise<Kept | undefined> {
  const { rows } = await sql<{ fingerprint: Buffer | null; reply: Buffer | null }>`
    select fingerprint, reply
    from claim_key(${principalOf(call)}, ${key}, ${oldest(now)}::timestamptz) /* kept */`.execute(tx)
  const [first] = rows
  if (!first?.fingerprint) return undefined
  if (!first.reply)
    throw new ProtocolError(
      'idempotency_conflict',
      'The answer was erased with the personal data in it. Use a new key.',
    )
  if (!first.fingerprint.equals(fingerprintOf(call)))
    throw new ProtocolError('idempotency_conflict', 'This Idempotency-Key was used for another request. Use a new one.')
  return JSON.parse(unseal(boxKey, first.reply))
}

/** Whether an answer is kept under the key already. A twin that is still being worked on has none yet. */
export async function isKept(db: Database, key: string, call: Call, now: Date): Promise<boolean> {
  const found = await db
    .selectFrom('replies')
    .select('key')
    .where('principal', '=', principalOf(call))
    .where('key', '=', key)
    .where('created_at', '>=', oldest(now))
    .executeTakeFirst()
  return found !== undefined
}

/** Keeps the answer, and with it writes what else of the transaction is still to be written. */
export async function keepReply(
  tx: Tx,
  key: string,
  call: Call,
  { subject, ...kept }: Kept & { subject: string | null },
  boxKey: KeyObject,
  now: Date,
): Promise<void> {
  const reply = seal(boxKey, JSON.stringify(kept))
  await writeNow(
    tx,
    sql`
    insert into replies (principal, key, fingerprint, reply, subject, created_at)
    values (${principalOf(call)}, ${key}, ${fingerprintOf(call)}, ${reply}, ${subject}, ${now})`,
  )
}

const principalOf = ({ caller }: Call) => caller?.principal ?? ''

const fingerprintOf = ({ operation, input }: Call) => hash('sha256', `${operation.id} ${canonical(input)}`, 'buffer')

/** Empties what was answered about these. The key stays taken: what was done under it must not be done again. */
export async function repliesEmpty(tx: Database, subjects: readonly string[]): Promise<void> {
  await tx.updateTable('replies').set({ reply: null }).where('subject', 'in', subjects).execute()
}

export async function forgetOldReplies(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('replies').where('created_at', '<', oldest(now)).execute()
}
