import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Announcements } from '../../src/core/jobs/postgres-notify-listener.ts'
import { startWaitlist } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import { freshDatabase } from '../support/database.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { business, CLASS, lineOf } from './queue.ts'

test('[the line is looked after] a server that runs offers what lapses by itself, time after time', async () => {
  const databaseUrl = await freshDatabase()
  const announcements = new Announcements(databaseUrl)
  const shop = await testShop(business, { databaseUrl })
  const desk = restDesk(shop)
  const { wait, entry } = lineOf(desk)
  const [slot, ...others] = await desk.slots(CLASS)
  await desk.hold(slot)
  for (const one of others) await desk.book(one)
  const [ann, bob] = [await wait('Ann'), await wait('Bob')]
  const running = startWaitlist(shop.runtime, announcements)
  // It looks as soon as it listens: what lapses later is seen another time.
  await setTimeout(500)
  for (const [{ id }, minutes] of [
    [ann, 10],
    [bob, 30],
  ]) {
    expect((await entry(id)).status).toBe('waiting')
    shop.minutesLater(minutes)
    for (let round = 0; round < 60 && (await entry(id)).status === 'waiting'; round++) await setTimeout(100)
    expect((await entry(id)).status).toBe('offered')
  }
  await running.close()
  await announcements.close()
})
