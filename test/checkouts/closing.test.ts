import { beforeEach, expect, test } from 'vitest'
import { startClosingCheckouts } from '../../src/domain/checkouts/close-checkouts.ts'
import { newId } from '../../src/infra/util/random-bytes.ts'
import { paidShop } from '../payments/shop.ts'

const { shop, stripe, booked } = await paidShop()
const { db } = shop.runtime
const { id: booking_id } = await booked('svc_paid')
const overdue = (count: number) =>
  db
    .insertInto('checkouts')
    .values(
      Array.from({ length: count }, () => ({
        id: newId('chk'),
        booking_id,
        provider: 'stripe',
        reference: 'cs_gone',
        amount: 7500,
        currency: 'USD',
        status: 'open',
        created_at: shop.time.now,
        expires_at: shop.time.now,
        next_at: shop.time.now,
      })),
    )
    .execute()
const countOf = async (status: string) =>
  (await db.selectFrom('checkouts').select('id').where('status', '=', status).execute()).length
beforeEach(() => db.deleteFrom('checkouts').execute())

test('all that nobody needs any more are ended, without a pause between', async () => {
  await overdue(30)
  const worker = startClosingCheckouts(shop.runtime)
  await expect.poll(() => countOf('closed')).toBe(30)
  await worker.close()
})

test('of a provider that never answers no more are asked for at once, and each is left for later', async () => {
  await overdue(24)
  stripe.mood = 'silent'
  stripe.asked = []
  const worker = startClosingCheckouts(shop.runtime)
  await expect.poll(() => stripe.asked.length).toBe(8)
  await worker.close()
  expect(stripe.asked).toHaveLength(8)
  expect(await countOf('open')).toBe(24)
  const later = await db.selectFrom('checkouts').select('id').where('next_at', '>', shop.time.now).execute()
  expect(later).toHaveLength(8)
  const leased = await db.selectFrom('checkouts').select('id').where('leased_until', 'is not', null).execute()
  expect(leased).toEqual([])
})
