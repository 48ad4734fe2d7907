import { sql } from 'kysely'
import { enterMailCause } from '../../core/limits/mail-quota.ts'
import type { Database } from '../../infra/db/database.ts'
import { MINUTE } from '../../infra/time/units.ts'
import { leadsNowhere } from '../../infra/util/email-address.ts'
import type { Stranger } from '../../protocol/caller.ts'
import type { Means } from '../../protocol/means.ts'
import { sameTag, type Tag } from '../../protocol/tags.ts'

/** Minutes that a guest code is valid. An assistant's guest proves with the code that the mail address is theirs. */
export const GUEST_CODE_MINUTES = 10
/** Tries for each code. There are a hundred million codes. */
const MOST_TRIES = 5
const DIGITS = 8

export const GUEST_LETTER = 'guest_code'

/** Derived from the id with this server's secret, so a reader of the database cannot know the code. */
export const guestCodeOf = (tag: Tag, id: string): string =>
  String(Buffer.from(tag('guest code', id, 8), 'base64url').readBigUInt64BE() % 10n ** BigInt(DIGITS)).padStart(
    DIGITS,
    '0',
  )

interface Wanted {
  id: string
  hold: string
  about: string
  to: { email: string; locale: string | undefined }
  snapshot: { service: string; start: number; zone: string }
  /** The caller, who is a stranger and may name any address. */
  visitor: Stranger
}

/** Mails a code. The result does not tell whether the address can receive mail. */
export const mailGuestCode = (
  { id, hold, about, to, snapshot, visitor }: Wanted,
  { makeChange, clock }: Means<'makeChange' | 'clock'>,
): Promise<void> =>
  makeChange(async (tx) => {
    const now = clock()
    enterMailCause(tx, visitor, { email: to.email }, now)
    const expires_at = new Date(now.getTime() + GUEST_CODE_MINUTES * MINUTE)
    tx.enter('guest_codes', { id, hold_id: hold, about, expires_at })
    if (leadsNowhere(to.email)) return
    tx.mail({ kind: GUEST_LETTER, subject: `guest ${id}`, to, by: 'mail', snapshot: { code: id, ...snapshot } }, now)
  })

/** The result of a try: the id of the code and its purpose, or the number of tries left. */
export type Tried = { id: string; about: string } | { left: number }

/** Counts a try before the comparison, so parallel tries gain nothing over sequential ones. */
export async function tryGuestCode(
  { hold, code }: { hold: string; code: string },
  { db, tag, clock }: Means<'db' | 'tag' | 'clock'>,
): Promise<Tried | undefined> {
  const { rows } = await sql<{ id: string; about: string; tries: number }>`
    update guest_codes set tries = tries + 1
    where hold_id = ${hold} and expires_at > ${clock()} and tries < ${MOST_TRIES}
    returning id, about, tries`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { id, about, tries } = row
  const written = code.normalize('NFKC').replace(/[\s-]/g, '')
  return sameTag(guestCodeOf(tag, id), written) ? { id, about } : { left: MOST_TRIES - tries }
}

export async function forgetGuestCodes(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('guest_codes').where('expires_at', '<', now).execute()
}
