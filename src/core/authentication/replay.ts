import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Proof } from './proof.ts'

/**
 * Seconds that the server remembers a used proof. A proof is valid for at most 120 seconds: `iat` may be 60 seconds in
 * the future, and the proof is valid for 60 seconds after `iat`.
 */
const STORED_SECONDS = 180

/**
 * Step 12 of the protocol's check of a proof: refuses a proof that a server of this business has seen before. The use
 * is stored outside the transaction of the operation. If the operation fails, the proof stays used.
 */
export async function refuseReplay(db: Database, { thumbprint, jti }: Proof, now: Date): Promise<void> {
  if (!(await recordFirstUse(db, `${thumbprint} ${jti}`, STORED_SECONDS, now)))
    throw new ProtocolError('pop_proof_replayed', 'This proof was already used. Create a new one for each call.')
}

/** Records the use of a proof for some seconds, and returns whether it is the first use. */
export async function recordFirstUse(db: Database, proof: string, seconds: number, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + seconds * 1000)
  const { rows } = await sql`
    insert into seen_proofs (id, seen_until) values (${hash('sha256', proof, 'buffer')}, ${until})
    on conflict do nothing returning id`.execute(db)
  return rows.length > 0
}

export async function deleteExpiredProofs(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('seen_proofs').where('seen_until', '<', now).execute()
}
