import { hash } from 'node:crypto'
import type { Database } from '../../infra/db/database.ts'
import type { UnitOfWork } from '../../infra/db/unit-of-work.ts'
import { HOUR } from '../../infra/time/units.ts'
import type { Stranger } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { PUBLISH_KEY_HINT, secondsUntil } from './stranger-quota.ts'

/** The subject that the mails count for: the mail address of a new booking or entry, or the id of an existing one. */
type MailSubject = { email: string } | { existing: string }

/**
 * A mail that a stranger causes goes to an address that the stranger typed. Limits such mails in an hour for each
 * network, and for each address over all networks. Booking and cancelling again counts each time. An existing booking
 * or entry has a separate count: mails to the same address by other callers do not block its buyer.
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

/** The same without the limit for each address, where other code limits that. */
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

/** Whether the limit of the address refused the mail, and not the limit of the network. */
export const isAddresseeLimit = ({ details }: ProtocolError): boolean =>
  details.errors?.some(({ field }) => field === ADDRESSEE) === true

/** Different spellings of one mailbox: a part after a plus, and dots, which most providers ignore. */
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
