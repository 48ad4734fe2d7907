import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifyWithin } from '../../src/core/ledger/verify-ledger.ts'
import { tokenShop } from './paid-shop.ts'

const shop = await tokenShop()
const { stripe } = shop
const { db } = shop.runtime

/** Creates a checkout and completes it. Returns its ids. */
async function ordered(service: string, card: 'good' | 'declined' | 'asks_buyer' = 'good') {
  const { body } = await shop.create(await shop.lastSlot(service))
  if (service === 'svc_paid') await shop.pay(body.id, stripe.grant({ card }))
  else await shop.complete(body.id)
  const query = db.selectFrom('ucp_checkouts').select(['id', 'order_id as order', 'booking_id as booking', 'status'])
  return query.where('id', '=', body.id).executeTakeFirstOrThrow()
}

const paid = await ordered('svc_paid')
const unpaid = await ordered('svc_spot')
const declined = await ordered('svc_paid', 'declined')
const atBank = await ordered('svc_paid', 'asks_buyer')

const NOT_PAID = 'is charged, but its booking has no such payment'
const minutesAgo = (minutes: number) => new Date(shop.time.now.getTime() - minutes * 60_000)

const charge = (of: { id: string }, set: RawBuilder<unknown>) =>
  sql`update ucp_charges set ${set} where checkout_id = ${of.id}`
const checkout = (of: { id: string }, set: RawBuilder<unknown>) =>
  sql`update ucp_checkouts set ${set} where id = ${of.id}`
const payment = (set: RawBuilder<unknown>) => sql`update payments set ${set} where booking_id = ${paid.booking}`
const canceled = sql`status = 'canceled', completed_at = null`

const damages: [damage: string, row: RawBuilder<unknown>, order: string, fault: string][] = [
  [
    'a charge of another booking',
    charge(paid, sql`booking_id = 'bkg_other'`),
    paid.order,
    'is charged, but has no booking',
  ],
  ['a charge with another id at Stripe', charge(paid, sql`reference = 'pi_other'`), paid.order, NOT_PAID],
  ['a charge of another provider', charge(paid, sql`provider = 'other'`), paid.order, NOT_PAID],
  ['a charge in another currency', charge(paid, sql`currency = 'EUR'`), paid.order, NOT_PAID],
  ['a payment for another order', payment(sql`order_reference = 'ord_other'`), paid.order, NOT_PAID],
  ['a payment that the staff entered', payment(sql`source = 'staff'`), paid.order, NOT_PAID],
  ['a canceled checkout', checkout(paid, canceled), paid.order, 'is charged, but its checkout is canceled'],
  [
    'a canceled checkout without a charge',
    checkout(unpaid, canceled),
    unpaid.order,
    'has a booking, but its checkout is canceled',
  ],
  [
    'a deleted checkout',
    sql`delete from ucp_checkouts where id = ${unpaid.id}`,
    unpaid.order,
    'has a booking, but no checkout',
  ],
  [
    'a checkout of another booking',
    checkout(unpaid, sql`booking_id = 'bkg_other'`),
    unpaid.order,
    'is completed, but has no booking',
  ],
  [
    'a deleted charge',
    sql`delete from ucp_charges where checkout_id = ${paid.id}`,
    paid.order,
    'is completed with a price that is due at once, but has no charge',
  ],
  [
    'a checkout that waits for nothing',
    checkout(declined, sql`status = 'completing'`),
    declined.order,
    'waits for a charge, but has none',
  ],
  [
    'a payment of a failed charge',
    sql`insert into payments (id, booking_id, amount, currency, purpose, source, reported_by, provider, reference, received_at)
      select 'pay_late', ${paid.booking}, amount, currency, 'nothing_due', 'provider', 'provider:stripe', provider, reference,
        created_at from ucp_charges where checkout_id = ${declined.id}`,
    declined.order,
    'has a charge that failed, but a payment came in',
  ],
  [
    'a charge that Stripe does not return',
    charge(declined, sql`status = 'unreturned'`),
    declined.order,
    'has a charge without a booking that the provider refuses to return',
  ],
  [
    'a charge that is open for too long',
    charge(atBank, sql`created_at = ${minutesAgo(61)}`),
    atBank.order,
    'has a charge that is open for more than an hour',
  ],
]

/** What `usp verify` finds after a change of one row. The change is then undone. */
async function findingsAfter(row?: RawBuilder<unknown>): Promise<string[]> {
  const undo = new Error('undo')
  let listed: string[] = []
  const trial = db.transaction().execute(async (tx) => {
    if (row) expect((await row.execute(tx)).numAffectedRows).toBe(1n)
    listed = (await verifyWithin(tx, shop.time.now)).findings.listed
    throw undo
  })
  await expect(trial).rejects.toBe(undo)
  return listed
}

test('the orders to damage are completed, declined or at the bank', () => {
  const statuses = [paid, unpaid, declined, atBank].map(({ status }) => status)
  expect(statuses).toEqual(['completed', 'completed', 'open', 'escalated'])
})

test.each(damages)('[LIV-117] usp verify names the order of %s, and what is wrong', async (_, row, order, fault) => {
  expect(await findingsAfter()).toEqual([])
  expect(await findingsAfter(row)).toEqual([`order ${order} ${fault}.`])
})

test('usp verify leaves a charge alone that is open for less than an hour', async () => {
  expect(await findingsAfter(charge(atBank, sql`created_at = ${minutesAgo(59)}`))).toEqual([])
})
