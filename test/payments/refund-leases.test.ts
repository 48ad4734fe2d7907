import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { refundInsert, refundLeasesRenew, refundPostpone, refundsLease } from '../../src/domain/payments/queries.ts'
import { paidShop } from './shop.ts'

const { shop, bookedAndPaid } = await paidShop()
const { db } = shop.runtime
await bookedAndPaid('svc_paid')
const { id: payment } = await db.selectFrom('payments').select('id').executeTakeFirstOrThrow()

/** One refund, which a process has begun to request. */
async function oneBegun() {
  await refundInsert(db, { payment, amount: 80, reason: 'test' }, shop.time.now)
  const [due] = await refundsLease(db, 10, shop.time.now)
  if (!due) throw new Error('No refund is due')
  return due
}
/** By the clock of the database, as the leases are. */
const secondsLeft = async () => {
  const { rows } = await sql<{ left: number }>`
    select extract(epoch from leased_until - now())::float8 as left from refunds`.execute(db)
  return rows[0]?.left
}
const leaseEnds = (inSeconds: number) =>
  sql`update refunds set leased_until = now() + ${inSeconds} * interval '1 second'`.execute(db)
beforeEach(() => db.deleteFrom('refunds').execute())

test('[a lease ends by itself] the lease of a refund is renewed while its process works on it', async () => {
  const due = await oneBegun()
  await leaseEnds(-3600)
  await refundLeasesRenew(db, [])
  expect(await secondsLeft()).toBeLessThan(-3000)
  await refundLeasesRenew(db, [due])
  expect(await secondsLeft()).toBeGreaterThan(-600)
})

test('[a lease ends by itself] a late renewal delays no refund that waits for its next attempt', async () => {
  const due = await oneBegun()
  await refundPostpone(db, due.id, shop.time.now)
  await refundLeasesRenew(db, [due])
  expect((await refundsLease(db, 10, shop.time.now)).map(({ id }) => id)).toEqual([due.id])
})
