import { expect, test } from 'vitest'
import { registrationLease } from '../../src/domain/registry/indexing/search-index-queries.ts'
import { noticeRecord } from '../../src/domain/registry/indexing/subscription-queries.ts'
import { registrationsLease } from '../../src/domain/registry/listings/registration-check-queries.ts'
import { checkRegistrations } from '../../src/domain/registry/listings/run-registration-checks.ts'
import { indexShop } from './index-shop.ts'
import { fed } from './services.ts'

test('[a reading is counted before it begins] a feed that ends the server each time is left alone for longer and longer', async () => {
  const shop = await indexShop()
  const { db } = shop.runtime
  shop.business.put(fed('a'))
  /** A server begins to read, and is gone; its lease runs out. */
  const endWhileReading = async () => {
    const due = await registrationLease(db, shop.time.now)
    await db
      .updateTable('registrations')
      .set({ leased_until: new Date(0) })
      .execute()
    return due !== undefined
  }
  for (let start = 1; start <= 3; start++) {
    // No business is read more often than every five seconds.
    shop.secondsLater(5)
    expect(await endWhileReading()).toBe(true)
  }
  // It is due again after 15 seconds, then 30 seconds, then a minute and so on. A notice does not end the wait.
  for (const seconds of [15, 30, 60, 120]) {
    shop.secondsLater(seconds - 1)
    await noticeRecord(db, shop.id)
    expect(await endWhileReading()).toBe(false)
    shop.secondsLater(1)
    expect(await endWhileReading()).toBe(true)
  }
  shop.minutesLater(4)
  await shop.read()
  expect(await shop.indexed()).toEqual(['a'])
  expect(await shop.registration()).toMatchObject({ readings_begun: 0, index_failures: 0 })
})

test('[a look is counted before it begins] a profile that ends the server each time is left alone for longer and longer', async () => {
  const shop = await indexShop()
  const { db } = shop.runtime
  await db.updateTable('registrations').set({ next_check_at: shop.time.now }).execute()
  /** A server begins to look, and is gone; its lease runs out. */
  const endWhileLooking = async () => {
    const due = await registrationsLease(db, 10, shop.time.now)
    expect(await registrationsLease(db, 10, shop.time.now)).toEqual([])
    await db
      .updateTable('registrations')
      .set({ check_leased_until: new Date(0) })
      .execute()
    return due.length
  }
  for (let start = 1; start <= 3; start++) expect(await endWhileLooking()).toBe(1)
  for (const seconds of [15, 30, 60, 120]) {
    shop.secondsLater(seconds - 1)
    expect(await endWhileLooking()).toBe(0)
    shop.secondsLater(1)
    expect(await endWhileLooking()).toBe(1)
  }
  shop.minutesLater(4)
  await checkRegistrations(shop.runtime, shop.time.now)
  expect(await shop.registration()).toMatchObject({ checks_begun: 0, check_leased_until: null })
})
