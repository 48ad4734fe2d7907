import { sql } from 'kysely'
import type { Measure } from './metric-query.ts'

/** Covers one day, so its cost does not grow over the years. */
export const money: Measure = {
  gauges: {
    received: {
      name: 'usp_money_received_day',
      help: 'What came in within the last 24 hours, in minor units, by currency and who took it',
    },
    payments: { name: 'usp_payments_day', help: 'Payments within the last 24 hours, by currency and who took them' },
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
      help: 'What was to go back within the last 24 hours, in minor units, by currency and what became of it',
    },
  },
  labels: ['currency', 'status'],
  query: (now) => sql`
    select p.currency, r.status, sum(r.amount)::float8 as returned from refunds r join payments p on p.id = r.payment_id
    where r.created_at > ${now}::timestamptz - interval '1 day' group by p.currency, r.status`,
}
