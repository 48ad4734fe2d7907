import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { STAFF_PREFIX } from '../../protocol/caller-types.ts'
import { insertAuditEntry } from '../records/audit-log.ts'
import { subjectOf } from './staff-members.ts'
import type { Passkey } from './webauthn-passkeys.ts'

export interface OwnPasskey {
  id: string
  device: string
  created_at: Date
  used_at: Date | null
}

export const MOST_PASSKEYS = 20

/** Stores a passkey of a staff member. Returns false if a passkey with the same credential id is already stored. */
export async function staffPasskeyAdd(
  tx: UnitOfWork,
  { staffId, passkey, device }: { staffId: string; passkey: Passkey; device: string },
  now: Date,
): Promise<boolean> {
  const { credential, publicKey, counter } = passkey
  const row = { credential, id: newId('pky'), staff_id: staffId, public_key: Buffer.from(publicKey), counter, device }
  const added = await tx
    .insertInto('staff_passkeys')
    .values({ ...row, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) insertAuditEntry(tx, entryOf(staffId, 'add_passkey'), now)
  return added !== undefined
}

export async function staffPasskeyFind(db: Database, credential: string): Promise<Passkey | undefined> {
  const found = await db
    .selectFrom('staff_passkeys')
    .select(['public_key', 'counter'])
    .where('credential', '=', credential)
    .executeTakeFirst()
  return found && { credential, publicKey: found.public_key, counter: Number(found.counter) }
}

/**
 * Records a sign-in with a passkey, and returns the id of the passkey's owner. Returns undefined if the use counter of
 * the device did not grow, because the passkey can then be a copy. Devices without a counter always send 0, and the
 * server accepts this value.
 */
export async function staffPasskeyUse(
  tx: Database,
  credential: string,
  counter: number,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ staff_id: string }>`
    update staff_passkeys set counter = ${counter}, used_at = ${now}
    where credential = ${credential} and (counter < ${counter} or counter = 0 and ${counter}::bigint = 0)
    returning staff_id`.execute(tx)
  return rows[0]?.staff_id
}

/**
 * Returns the credential ids of a staff member's passkeys. The browser uses this list to avoid a second passkey on the
 * same device.
 */
export async function staffCredentials(db: Database, staffId: string): Promise<string[]> {
  const rows = await db.selectFrom('staff_passkeys').select('credential').where('staff_id', '=', staffId).execute()
  return rows.map(({ credential }) => credential)
}

export const staffPasskeys = (db: Database, staffId: string): Promise<OwnPasskey[]> =>
  db
    .selectFrom('staff_passkeys')
    .select(['id', 'device', 'created_at', 'used_at'])
    .where('staff_id', '=', staffId)
    .orderBy('created_at', 'desc')
    .execute()

export async function staffPasskeyEnd(tx: UnitOfWork, staffId: string, id: string, now: Date): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('staff_passkeys')
    .where('staff_id', '=', staffId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows > 0n) insertAuditEntry(tx, entryOf(staffId, 'end_passkey'), now)
}

const entryOf = (staffId: string, action: string) => ({
  actor: `${STAFF_PREFIX}${staffId}`,
  action,
  subject: subjectOf(staffId),
  from: null,
  to: null,
})
