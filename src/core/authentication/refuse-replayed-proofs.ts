import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Proof } from './verify-proof-jwt.ts'

/**
 * How many seconds the server stores a used proof, so that no caller can use the proof twice. A proof is valid for 60
 * seconds after its creation time `iat`, and `iat` can be 60 seconds in the future.
 */
const STORED_SECONDS = 180

/**
 * Refuses a proof that a server of this business has seen before (step 12 of the proof check in the protocol). The
 * server records the proof outside the transaction of the operation. Therefore the proof stays used even if the
 * operation fails.
 */
export async function refuseReplay(db: Database, { thumbprint, jti }: Proof, now: Date): Promise<void> {
  if (!(await recordFirstUse(db, `${thumbprint} ${jti}`, STORED_SECONDS, now)))
    throw new ProtocolError('pop_proof_replayed', 'This proof was already used. Create a new one for each call.')
}

/**
 * Records for some seconds that a caller used this proof. Returns true for the first use, and false for a repeated use.
 */
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
