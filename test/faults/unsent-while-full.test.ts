import { expect, test } from 'vitest'
import { sendDueEvents } from '../../src/core/events/delivery-worker.ts'
import { toldShop } from '../events/told-shop.ts'
import { mailingShop } from '../mails/mailing-shop.ts'
import { postOffice } from '../mails/post-office.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { fullDisk } from '../support/full-disk.ts'

/** How often another process looks for work while the disk is full. */
const TIMES = 6

test('[a full disk] an event whose outcome cannot be written is not sent a second time, and its outcome is written once there is room', async () => {
  const databaseUrl = await freshDatabase()
  const shop = await toldShop(businessWith([service('svc_a')]), { databaseUrl })
  const disk = fullDisk(databaseUrl, 'insert on delivery_attempts')
  const desk = restDesk(shop)
  await desk.cancel((await desk.book((await desk.slots('svc_a'))[0])).data.booking.id)
  const { received } = shop.receiver

  shop.receiver.beforeAnswer = disk.fill
  const sending = shop.told()
  await expect.poll(() => shop.runtime.db.driver.isDiskFull).toBe(true)
  for (let time = 0; time < TIMES; time++) {
    await shop.runtime.db.updateTable('deliveries').set({ leased_until: null }).execute()
    await sendDueEvents(shop.runtime)
  }
  expect(received).toHaveLength(1)
  await disk.makeRoom()
  await sending
  const rows = await shop.runtime.db.selectFrom('deliveries').select(['status', 'attempts']).execute()
  expect(rows).toEqual([{ status: 'delivered', attempts: 1 }])
  await sendDueEvents(shop.runtime)
  expect(received).toHaveLength(1)
})

test('[a full disk] a mail whose outcome cannot be written is not sent a second time, and its outcome is written once there is room', async () => {
  const databaseUrl = await freshDatabase()
  const office = await postOffice()
  const shop = await mailingShop(office, {}, {}, databaseUrl)
  const disk = fullDisk(databaseUrl, 'update of status on mails')
  await shop.tell()

  office.beforeAnswer = disk.fill
  const sending = shop.sendAfter()
  await expect.poll(() => shop.runtime.db.driver.isDiskFull).toBe(true)
  for (let time = 0; time < TIMES; time++) {
    await shop.runtime.db.updateTable('mails').set({ leased_until: null }).execute()
    await shop.sendAfter()
  }
  expect(office.arrivals).toHaveLength(1)
  await disk.makeRoom()
  await sending
  expect((await shop.rows()).map(({ status }) => status)).toEqual(['sent'])
  await shop.sendAfter()
  expect(office.arrivals).toHaveLength(1)
})
