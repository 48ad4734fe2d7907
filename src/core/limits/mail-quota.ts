import { hash } from 'node:crypto'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { HOUR } from '../../infra/time/time-units.ts'
import type { Stranger } from '../../protocol/caller-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { PUBLISH_KEY_HINT, secondsUntil } from './stranger-caller-quota.ts'

/**
 * The key under which the server counts mails: the email address in a new booking or waitlist entry, or the id of an
 * existing booking or entry.
 */
type MailSubject = { email: string } | { existing: string }

/**
 * Limits the mails that strangers (callers with an unpublished key) cause in an hour. A stranger can enter the email
 * address of another person, so each IP address range and each email address has a limit. An existing booking has a
 * separate count. Therefore its buyer gets mails even if strangers have used up the limit of the email address.
 */
export function useMailQuota(tx: UnitOfWork, stranger: Stranger, subject: MailSubject, now: Date): void {
  const isBegun = 'existing' in subject
  const addressee = hash('sha256', isBegun ? subject.existing : mailboxOf(subject.email), 'base64url')
  requireNetworkMailQuota(tx, stranger, now)
  tx.require({
    name: 'few_mails_to',
    values: [addressee, now, stranger.limits.mails_to_one],
    refusal: (detail) => {
      stranger.reportLimit('mails_to_one')
      const most = `${stranger.limits.mails_to_one} mails an hour`
      const retryAfter = secondsUntil(detail, now)
      if (isBegun) return new ProtocolError('rate_limited', `A booking may cause at most ${most}.`, { retryAfter })
      return new ProtocolError(
        'rate_limited',
        `Callers with unpublished keys may cause at most ${most} to one address.`,
        { errors: [{ field: ADDRESSEE, message: 'Has received many mails within the hour.' }], retryAfter },
      )
    },
  })
  tx.insert('mail_causes', { network: stranger.network, addressee, made_at: now })
}

/**
 * Limits the number of mails that strangers (callers with an unpublished key) in one IP address range cause. Another
 * function limits the mails to one email address.
 */
export function useNetworkMailQuota(tx: UnitOfWork, stranger: Stranger, now: Date): void {
  requireNetworkMailQuota(tx, stranger, now)
  tx.insert('mail_causes', { network: stranger.network, addressee: null, made_at: now })
}

function requireNetworkMailQuota(tx: UnitOfWork, { network, limits, reportLimit }: Stranger, now: Date): void {
  tx.require({
    name: 'few_mails_from',
    values: [network, now, limits.mails],
    refusal: (detail) => {
      reportLimit('mails')
      return new ProtocolError(
        'rate_limited',
        `Your network has caused ${limits.mails} mails in an hour. ${PUBLISH_KEY_HINT}`,
        {
          retryAfter: secondsUntil(detail, now),
        },
      )
    },
  })
}

const ADDRESSEE = 'buyer.email'

/**
 * Whether the caller reached the limit of mails to one email address. Otherwise, the caller reached the limit of mails
 * from one IP address range.
 */
export const isAddresseeLimit = ({ details }: ProtocolError): boolean =>
  details.errors?.some(({ field }) => field === ADDRESSEE) === true

/**
 * Returns the same text for all spellings of an email address. The function removes the part after a plus sign and the
 * dots before the `@`, because most mail providers ignore these parts.
 */
function mailboxOf(email: string): string {
  const [local = '', ...domain] = email.trim().toLowerCase().split('@')
  return [local.split('+', 1)[0]?.replaceAll('.', ''), ...domain].join('@')
}

export async function deleteExpiredMailCauses(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom('mail_causes')
    .where('made_at', '<=', new Date(now.getTime() - HOUR))
    .execute()
}
