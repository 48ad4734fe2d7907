import { hash } from 'node:crypto'
import type { Change } from '../../infra/db/change.ts'
import type { Database } from '../../infra/db/database.ts'
import { HOUR } from '../../infra/time/units.ts'
import type { Stranger } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { BECOME_KNOWN, secondsUntil } from './stranger-quota.ts'

/** The subject of the mails: a mail address (a new thing), or the secret of a thing that exists already. */
type About = { email: string } | { own: string }

/**
 * A mail that a stranger causes goes to an address that the stranger typed. Limits such mails in an hour for each network,
 * and for each address over all networks. Booking and cancelling again counts each time. An existing thing has a separate
 * count: mails to the same address by other callers do not block its holder.
 */
export function enterMailCause(tx: Change, stranger: Stranger, about: About, now: Date): void {
  const isBegun = 'own' in about
  const addressee = hash('sha256', isBegun ? about.own : mailboxOf(about.email), 'base64url')
  demandFewFrom(tx, stranger, now)
  tx.demand({
    name: 'few_mails_to',
    values: [addressee, now, stranger.limits.mails_to_one],
    refusal: (said) => {
      stranger.met('mails_to_one')
      const most = `${stranger.limits.mails_to_one} mails an hour`
      const retryAfter = secondsUntil(said, now)
      if (isBegun)
        return new ProtocolError('rate_limited', `${most} are as many as one booking may cause.`, { retryAfter })
      return new ProtocolError(
        'rate_limited',
        `${most} to one address are as many as callers may cause whom nobody knows.`,
        { errors: [{ field: ADDRESSEE, message: 'Has been mailed often within the hour.' }], retryAfter },
      )
    },
  })
  tx.enter('mail_causes', { network: stranger.network, addressee, made_at: now })
}

/** The same without the limit for each address, where other code limits that. */
export function enterMailCauseFrom(tx: Change, stranger: Stranger, now: Date): void {
  demandFewFrom(tx, stranger, now)
  tx.enter('mail_causes', { network: stranger.network, addressee: null, made_at: now })
}

function demandFewFrom(tx: Change, { network, limits, met }: Stranger, now: Date): void {
  tx.demand({
    name: 'few_mails_from',
    values: [network, now, limits.mails],
    refusal: (said) => {
      met('mails')
      return new ProtocolError(
        'rate_limited',
        `Your network has caused ${limits.mails} mails in an hour. ${BECOME_KNOWN}`,
        {
          retryAfter: secondsUntil(said, now),
        },
      )
    },
  })
}

const ADDRESSEE = 'buyer.email'

/** Whether the limit of the address refused the mail, and not the limit of the network. */
export const isOfAddressee = ({ details }: ProtocolError): boolean =>
  details.errors?.some(({ field }) => field === ADDRESSEE) === true

/** Different spellings of one mailbox: a part after a plus, and dots, which most providers ignore. */
function mailboxOf(email: string): string {
  const [local = '', ...domain] = email.trim().toLowerCase().split('@')
  return [local.split('+', 1)[0]?.replaceAll('.', ''), ...domain].join('@')
}

export async function forgetMailCauses(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom('mail_causes')
    .where('made_at', '<=', new Date(now.getTime() - HOUR))
    .execute()
}
