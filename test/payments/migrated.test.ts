import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { verifyPayments } from '../../src/ledger/verify-payments.ts'
import { freshDatabase } from '../support/database.ts'

const folder = new URL('../../migrations/', import.meta.url)
const PAYMENTS = '0026_payments.sql'
const run = (client: pg.Client, name: string) => client.query(readFileSync(new URL(name, folder), 'utf8'))

const sums = { timing: 'at_booking', currency: 'USD', amount: 10000, tax: 0, due: 0, items: [] }
const stripes = { ...sums, collected: 13000, refunded: 4000, transaction_id: 'pi_2', provider: 'stripe' }
const reported = { ...sums, collected: 10000, refunded: 10000, transaction_id: 'txn_1', order_reference: 'ord_1' }
const both = { ...sums, collected: 12000, refunded: 0, transaction_id: 'txn_2' }
const bookings = {
  bkg_stripe: stripes,
  bkg_reported: reported,
  bkg_both: both,
  bkg_unpaid: { ...sums, collected: 0, refunded: 0 },
}

/** The database of a business before payments were rows, with what can have happened there. */
async function before(url?: string): Promise<pg.Client> {
  const client = new pg.Client(url ?? (await freshDatabase({ migrated: false })))
  await client.connect()
  onTestFinished(() => client.end())
  for (const name of readdirSync(folder).sort()) if (name.endsWith('.sql') && name < PAYMENTS) await run(client, name)
  for (const [id, payment] of Object.entries({ ...bookings, bkg_free: undefined })) {
    const record = { service: { name: 'It' }, ...(payment && { payment }), cancellation: { refund_amount: 0 } }
    await client.query(
      `insert into bookings (id, revision, principal, profile, service_id, status, starts_at, ends_at, resource_ids, record,
        people, search_text, created_at, updated_at, reminded_until)
       values ($1, 1, 'client:a', 'https://a.example', 'svc', 'confirmed', now(), now() + interval '1 hour', '{}', $2, '{}', '', now(), now(), now())`,
      [id, JSON.stringify(record)],
    )
    await client.query(
      `insert into events (id, type, subject, snapshot, at) values ($1, 'booking.confirmed', $2, $3, now())`,
      [`evt_${id}`, `booking ${id}`, JSON.stringify({ id, record, updated_at: '2026-11-20T12:00:00.000Z' })],
    )
  }
  await client.query(`insert into receipts (reference, provider, booking_id, amount, currency, returned, received_at) values
    ('pi_1', 'stripe', 'bkg_stripe', 10000, 'USD', 1000, '2026-11-01T12:00:00Z'),
    ('pi_2', 'stripe', 'bkg_stripe', 3000, 'USD', 3000, '2026-11-02T12:00:00Z'),
    ('pi_3', 'stripe', 'bkg_stripe', 500, 'USD', 500, '2026-11-03T12:00:00Z'),
    ('pi_4', 'stripe', 'bkg_both', 2000, 'USD', 0, '2026-11-03T12:00:00Z')`)
  await client.query(`insert into refunds (id, receipt, amount, reason, status, next_at, created_at) values
    ('rfd_1', 'pi_1', 1000, 'confirmed to confirmed', 'waiting', now(), now()),
    ('rfd_2', 'pi_2', 3000, 'confirmed to confirmed', 'given', now(), now()),
    ('rfd_3', 'pi_3', 500, 'not due', 'given', now(), now())`)
  await client.query(`insert into changes (at, actor, action, subject, detail)
    values ('2026-11-05T12:00:00Z', 'client:a', 'complete_payment', 'booking bkg_reported', '{}')`)
  return client
}

test('[payments are rows] what was paid before they were is there, each payment with what went back of it', async () => {
  const client = await before()
  await run(client, PAYMENTS)
  const { rows } = await client.query(
    `select booking_id, amount::integer, returned::integer, purpose, source, reported_by, reference from payments
     order by booking_id, received_at, reference`,
  )
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['bkg_both', 2000, 0, 'price', 'provider', 'provider:stripe', 'pi_4'],
    ['bkg_both', 10000, 0, 'price', 'platform', 'system', 'txn_2'],
    ['bkg_reported', 10000, 10000, 'price', 'platform', 'client:a', 'txn_1'],
    ['bkg_stripe', 10000, 1000, 'price', 'provider', 'provider:stripe', 'pi_1'],
    ['bkg_stripe', 3000, 3000, 'price', 'provider', 'provider:stripe', 'pi_2'],
    ['bkg_stripe', 500, 500, 'nothing_due', 'provider', 'provider:stripe', 'pi_3'],
  ])
  const refunds = await client.query(
    'select f.id, p.reference, f.status from refunds f join payments p on p.id = f.payment_id order by 1',
  )
  expect(refunds.rows.map((row) => Object.values(row))).toEqual([
    ['rfd_1', 'pi_1', 'waiting'],
    ['rfd_2', 'pi_2', 'given'],
    ['rfd_3', 'pi_3', 'given'],
  ])
})

test('[payments are rows] bookings and events that are still to be told keep their sums', async () => {
  const client = await before()
  await run(client, PAYMENTS)
  const { rows } = await client.query(
    `select b.id, b.record -> 'payment' as payment, e.snapshot #> '{record,payment}' as told
     from bookings b join events e on e.subject = 'booking ' || b.id`,
  )
  const sum = (payment: { received: Record<string, number>[] }, name: string) =>
    payment.received.reduce((total, receipt) => total + (receipt[name] ?? 0), 0)
  for (const [id, { collected, refunded }] of Object.entries(bookings)) {
    const row = rows.find((one) => one.id === id)
    for (const payment of [row.payment, row.told]) {
      expect([sum(payment, 'amount'), sum(payment, 'returned')]).toEqual([collected, refunded])
      expect(payment.last_refund).toBe(refunded || undefined)
      expect(payment).not.toHaveProperty('collected')
    }
  }
  const reported = rows.find(({ id }) => id === 'bkg_reported').payment.received
  expect(reported).toMatchObject([
    { transaction_id: 'txn_1', order_reference: 'ord_1', received_at: '2026-11-05T12:00:00.000Z' },
  ])
  expect(rows.find(({ id }) => id === 'bkg_free').payment).toBeNull()
})

test('[payments are rows] all that was paid before they were is where its booking says', async () => {
  const url = await freshDatabase({ migrated: false })
  const client = await before(url)
  for (const name of readdirSync(folder).sort()) if (name.endsWith('.sql') && name >= PAYMENTS) await run(client, name)
  const db = openDatabase(url, 1, () => {})
  onTestFinished(() => db.destroy())
  const findings = { named: [], count: 0 }
  expect(await verifyPayments(db, findings)).toBe(6)
  expect(findings).toEqual({ named: [], count: 0 })
})
