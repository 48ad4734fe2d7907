import { expect, test } from 'vitest'
import { deliveriesLease } from '../../src/core/events/lease-deliveries.ts'
import { mailsLease } from '../../src/core/mails/queries.ts'
import { registrationsLease } from '../../src/domain/registry/listings/registration-check-queries.ts'
import { soon, toldShop } from '../events/told-shop.ts'
import { mailingShop } from '../mails/mailing-shop.ts'
import { indexShop } from '../registry/index-shop.ts'
import { standInBusiness } from '../registry/stand-in-business.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'

/** How often the workers look at once. */
const ROUNDS = 10

/** Several workers take all that is due at the same time, again and again: each item is given to one of them. */
async function expectEachTakenOnce(
  take: () => Promise<{ id: string }[]>,
  { due, endLeases }: { due: number; endLeases: () => Promise<unknown> },
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const taken = (await Promise.all([take(), take(), take(), take()])).flat().map(({ id }) => id)
    expect([taken.length, new Set(taken).size]).toEqual([due, due])
    await endLeases()
  }
}

test('[two workers] a due mail is given to one of them', async () => {
  const shop = await mailingShop(undefined)
  const { db } = shop.runtime
  for (let nth = 0; nth < 3; nth++) await shop.tell()
  const endLeases = () =>
    db.updateTable('mails').set({ leased_until: null, begun: 0, next_at: shop.time.now }).execute()
  await expectEachTakenOnce(() => mailsLease(db, 'mail', 10, shop.time.now), { due: 3, endLeases })
})

test('[two workers] a due event is given to one of them', async () => {
  const shop = await toldShop(businessWith([service('svc_a')]))
  const { db } = shop.runtime
  const desk = restDesk(shop)
  for (const slot of (await desk.slots('svc_a', soon(shop))).slice(0, 3))
    await desk.cancel((await desk.book(slot)).data.booking.id)
  const endLeases = () =>
    db.updateTable('deliveries').set({ leased_until: null, begun: 0, next_at: shop.time.now }).execute()
  await expectEachTakenOnce(() => deliveriesLease(db, 10, shop.time.now), { due: 3, endLeases })
})

test('[two workers] a listed business whose profile is due is given to one of them', async () => {
  const shop = await indexShop()
  const { db } = shop.runtime
  for (let nth = 0; nth < 2; nth++) await shop.list(await standInBusiness())
  const makeDue = () =>
    db
      .updateTable('registrations')
      .set({ check_leased_until: null, checks_begun: 0, next_check_at: shop.time.now })
      .execute()
  await makeDue()
  await expectEachTakenOnce(() => registrationsLease(db, 10, shop.time.now), { due: 3, endLeases: makeDue })
})
