import { sql } from 'kysely'
import type { Measure } from './metric-query.ts'

/**
 * The metrics for the payments received in the last 24 hours. The server does not report the total of all years,
 * because this query would read more rows each year and become slow.
 */
export const money: Measure = {
  gauges: {
    received: {
      name: 'usp_money_received_day',
      help: 'Money received in the last 24 hours in minor units (such as cents), by currency and receiver',
    },
    payments: { name: 'usp_payments_day', help: 'Payments received in the last 24 hours, by currency and receiver' },
  },
  labels: ['currency', 'source'],
  query: (now) => sql`
    select currency, source, sum(amount)::float8 as received, count(*)::integer as payments from payments
    where received_at > ${now}::timestamptz - interval '1 day' group by currency, source`,
}

export const returned: Measure = {
  gauges: {
    returned: {
      name: 'usp_money_returned_day',
      help: 'Refunds created in the last 24 hours, in minor units (such as cents), by currency and status',
    },
  },
  labels: ['currency', 'status'],
  query: (now) => sql`
    select p.currency, r.status, sum(r.amount)::float8 as returned from refunds r join payments p on p.id = r.payment_id
    where r.created_at > ${now}::timestamptz - interval '1 day' group by p.currency, r.status`,
}
