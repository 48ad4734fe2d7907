import { sql } from 'kysely'
import { useMailQuota } from '../../core/limits/mail-quota.ts'
import type { Database } from '../../infra/db/database.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import { isUndeliverable } from '../../infra/util/email-address.ts'
import type { Stranger } from '../../protocol/caller-types.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { isEqualInConstantTime, type Tag } from '../../protocol/keyed-digest.ts'

/**
 * A guest code is valid for this many minutes. An AI assistant can book for a guest, who is a person without a sign-in.
 * The server mails the code, and the guest proves with it that the email address is theirs.
 */
export const GUEST_CODE_MINUTES = 10
/**
 * The maximum number of attempts to enter one guest code (a mailed code that proves the email address). There are a
 * hundred million possible codes, so five guesses almost never succeed.
 */
const MAX_TRIES = 5
const DIGITS = 8

export const GUEST_CODE_MAIL = 'guest_code'

/**
 * Computes the guest code (a mailed code that proves the email address) from its id and a secret of this server. The
 * database does not contain the secret. Therefore a person who can read only the database cannot compute the code.
 */
export const guestCodeOf = (tag: Tag, id: string): string =>
  String(Buffer.from(tag('guest code', id, 8), 'base64url').readBigUInt64BE() % 10n ** BigInt(DIGITS)).padStart(
    DIGITS,
    '0',
  )

interface GuestCodeRequest {
  id: string
  hold: string
  about: string
  to: { email: string; locale: string | undefined }
  snapshot: { service: string; start: number; zone: string }
  /**
   * The visitor who requests the code. A visitor can enter the email address of another person. Therefore each mail
   * counts toward a mail quota of the visitor.
   */
  visitor: Stranger
}

/**
 * Mails a guest code, which proves that the email address belongs to the guest. The caller does not learn whether the
 * email address can receive mail.
 */
export const mailGuestCode = (
  { id, hold, about, to, snapshot, visitor }: GuestCodeRequest,
  { makeChange, clock }: Dependencies<'makeChange' | 'clock'>,
): Promise<void> =>
  makeChange(async (tx) => {
    const now = clock()
    useMailQuota(tx, visitor, { email: to.email }, now)
    const expires_at = new Date(now.getTime() + GUEST_CODE_MINUTES * MINUTE)
    tx.insert('guest_codes', { id, hold_id: hold, about, expires_at })
    if (isUndeliverable(to.email)) return
    tx.queueMail(
      { kind: GUEST_CODE_MAIL, subject: `guest ${id}`, to, onlyChannel: 'mail', snapshot: { code: id, ...snapshot } },
      now,
    )
  })

/**
 * The result of an attempt to enter a guest code (a mailed code that proves the email address). For a correct code, the
 * result contains the id and the purpose of the code. For a wrong code, it contains the number of remaining attempts.
 */
export type TryResult = { id: string; about: string } | { left: number }

/**
 * Checks a guest code (a mailed code that proves the email address). The server counts the attempt before it compares
 * the codes. Therefore parallel calls together get no more attempts than `MAX_TRIES`.
 */
export async function tryGuestCode(
  { hold, code }: { hold: string; code: string },
  { db, tag, clock }: Dependencies<'db' | 'tag' | 'clock'>,
): Promise<TryResult | undefined> {
  const { rows } = await sql<{ id: string; about: string; tries: number }>`
    update guest_codes set tries = tries + 1
    where hold_id = ${hold} and expires_at > ${clock()} and tries < ${MAX_TRIES}
    returning id, about, tries`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { id, about, tries } = row
  const written = code.normalize('NFKC').replace(/[\s-]/g, '')
  return isEqualInConstantTime(guestCodeOf(tag, id), written) ? { id, about } : { left: MAX_TRIES - tries }
}

export async function deleteExpiredGuestCodes(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('guest_codes').where('expires_at', '<', now).execute()
}
