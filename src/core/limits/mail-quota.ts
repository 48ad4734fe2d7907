import { hash } from 'node:crypto'
import type { Change } from '../../infra/db/change.ts'
import type { Database } from '../../infra/db/database.ts'
import { HOUR } from '../../infra/time/units.ts'
import type { Stranger } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { BECOME_KNOWN, secondsUntil } from './stranger-quota.ts'

/** What mails are about: what somebody begins with an address, or what they go on with and have the secret of. */
type About = { email: string } | { own: string }

/**
 * Somebody is mailed because of a caller whom nobody knows, and the address is only what that caller says it is. So many in an hour
 * are caused by one network, and for one address by all of them together: whoever books to cancel again is counted each time. What
 * is begun already is counted by itself, so that nobody who has it is kept from it by what others write to the same address.
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

/** The same where it is limited elsewhere how often one address is written to. */
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

/** Whether it is the address that was written to often enough, and not the caller's network that wrote. */
export const isOfAddressee = ({ details }: ProtocolError): boolean =>
  details.errors?.some(({ field }) => field === ADDRESSEE) === true

/** What stands behind a plus does not make another mailbox, nor do dots where most people have theirs. */
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
