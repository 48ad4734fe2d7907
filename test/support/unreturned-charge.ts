import { sql } from 'kysely'
import type { Database } from '../../src/infra/db/database.ts'
import { newId } from '../../src/infra/util/random-bytes.ts'

/** A charge of a canceled UCP checkout that Stripe refuses to return. */
export async function unreturnedCharge(db: Database, now: Date): Promise<{ charge: string; checkout: string }> {
  const [checkout, order, booking, charge] = [newId('chk'), newId('ord'), newId('bkg'), newId('chg')]
  await sql`
    insert into ucp_checkouts (id, booking_id, order_id, principal, profile, told_apart, status, service_id, owns_hold,
      request, agreed, faults, created_at, updated_at, expires_at)
    values (${checkout}, ${booking}, ${order}, 'client:1', 'https://agent.example', false, 'canceled', 'svc_paid', false,
      '{}', '{}', '[]', ${now}, ${now}, ${now})`.execute(db)
  await sql`
    insert into ucp_charges (id, checkout_id, order_id, booking_id, provider, reference, amount, currency, status, actor,
      request_digest, created_at, updated_at, next_at)
    values (${charge}, ${checkout}, ${order}, ${booking}, 'stripe', ${newId('pi')}, 12000, 'USD', 'unreturned', 'client:1',
      '\\x00', ${now}, ${now}, ${now})`.execute(db)
  return { charge, checkout }
}
