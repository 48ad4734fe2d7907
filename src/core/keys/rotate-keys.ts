import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../infra/db/database.ts'
import { DAY } from '../../infra/time/time-units.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { newSigningKey, requireStoredKeysOpen } from './signing-keys.ts'

type KeyDependencies = Dependencies<'db' | 'signingBox'>

/**
 * How long receivers may cache the profile of this server, in milliseconds. The profile publishes the signing keys, so
 * the server uses a new key only after this time.
 */
const PROFILE_MAX_AGE_MS = 300_000
/** How many days the server still publishes an old signing key. Receivers need the key to verify earlier signatures. */
const PUBLISHED_DAYS = 7
const ROTATION_DAYS = 90

export interface KeyState {
  kid: string
  created_at: Date
  signs_from: Date
  published_until: Date | null
}

export async function listKeys(db: Database): Promise<KeyState[]> {
  return db
    .selectFrom('signing_keys')
    .select(['kid', 'created_at', 'signs_from', 'published_until'])
    .orderBy('signs_from')
    .execute()
}

/**
 * Publishes a new key for signing events and requests. The server uses the new key only after `PROFILE_MAX_AGE_MS`,
 * when all receivers know it. The old key stays published for another week.
 */
export const rotateKey = ({ db, signingBox }: KeyDependencies, now: Date): Promise<string> =>
  underTableLock(db, (tx) => insertKey(tx, signingBox, now, new Date(now.getTime() + PROFILE_MAX_AGE_MS)))

export async function rotateWhenDue(
  { db, signingBox, log }: KeyDependencies & Dependencies<'log'>,
  now: Date,
): Promise<void> {
  const kid = await underTableLock(db, async (tx) => {
    const [newest] = (await listKeys(tx)).slice(-1)
    return newest && isDue(newest, now)
      ? insertKey(tx, signingBox, now, new Date(now.getTime() + PROFILE_MAX_AGE_MS))
      : undefined
  })
  if (kid !== undefined) log.info({ kid }, 'There is a new signing key.')
}

export const isDue = ({ created_at }: Pick<KeyState, 'created_at'>, now: Date): boolean =>
  now.getTime() - created_at.getTime() >= ROTATION_DAYS * DAY

/** Runs work in one transaction with a table lock. Therefore only one server at a time changes the signing keys. */
const underTableLock = <Result>(db: Database, work: (tx: Database) => Promise<Result>): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    await sql`lock table signing_keys in share row exclusive mode`.execute(tx)
    return work(tx)
  })

async function insertKey(db: Database, signingBox: KeyObject, now: Date, signsFrom: Date): Promise<string> {
  await requireStoredKeysOpen(db, signingBox)
  const key = await newSigningKey(signingBox, now)
  const until = new Date(signsFrom.getTime() + PUBLISHED_DAYS * DAY)
  await db.updateTable('signing_keys').set({ published_until: until }).where('published_until', 'is', null).execute()
  await db
    .insertInto('signing_keys')
    .values({ ...key, signs_from: signsFrom })
    .execute()
  return key.kid
}

/**
 * Deletes a signing key that may have been stolen. If the newest key remains, it signs from now on. Otherwise, the
 * server creates a new key.
 */
export async function withdrawKey({ db, signingBox }: KeyDependencies, kid: string, now: Date): Promise<boolean> {
  return underTableLock(db, async (tx) => {
    const deleted = await tx.deleteFrom('signing_keys').where('kid', '=', kid).returning('kid').executeTakeFirst()
    if (!deleted) return false
    // The next published key must start to sign now, instead of at its planned time. Keys that already sign stay
    // unchanged.
    const able = await tx
      .updateTable('signing_keys')
      .set(({ fn, val }) => ({ signs_from: fn('least', ['signs_from', val(now)]) }))
      .where('published_until', 'is', null)
      .returning('kid')
      .executeTakeFirst()
    if (!able) await insertKey(tx, signingBox, now, now)
    return true
  })
}

export async function deleteExpiredKeys(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('signing_keys').where('published_until', '<=', now).execute()
}
