import { sql } from 'kysely'
import { isGivenUpNotDismissed } from '../../../core/events/deliveries/delivery-queries.ts'
import { isOpenGivenUp } from '../../../core/mails/queries.ts'
import { newsInsert } from '../../../core/push/push-queries.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { isUnreturned } from '../../ucp-checkouts/charge-queries.ts'
import { lapsingAt } from '../inbox/inbox-queries.ts'
import type { InboxNewsKind } from './write-push-text.ts'

const kindOf = (kind: InboxNewsKind) => sql`${kind}::text as kind`

/**
 * Stores news about those items of the inbox that no change of a booking causes: waitlist offers about to expire,
 * undelivered mails and events, and charges to return by hand. If many mails fail, there is one news item in an hour. Older
 * items than one day are no news.
 */
export async function queueInboxNews({ db, business }: Dependencies<'db' | 'business'>, now: Date): Promise<void> {
  if (!(await business.hasPushSubscriptions())) return
  const isNew = (column: string) => sql`${sql.ref(column)} > ${now}::timestamptz - interval '1 day'`
  await newsInsert(
    db,
    sql`
      select concat('offer ', id, ' ', extract(epoch from over_at)) as id, ${kindOf('inbox.offer_lapsing')},
        'entry ' || id as subject, ${now}::timestamptz as at
      from ${lapsingAt(now)}
      union all
      select concat('not delivered ', date_trunc('hour', max(ended_at), 'UTC')), ${kindOf('inbox.not_delivered')},
        'inbox not_delivered', max(ended_at)
      from (
        select ended_at from mails where ${isOpenGivenUp} and ${isNew('ended_at')}
        union all select d.ended_at from deliveries d where ${isGivenUpNotDismissed} and ${isNew('d.ended_at')}
      ) as failures having count(*) > 0
      union all
      select 'charge ' || id, ${kindOf('inbox.charge_unreturned')}, 'inbox charge ' || id, updated_at
      from ucp_charges where ${isUnreturned} and ${isNew('updated_at')}`,
  )
}
