import { expect, test } from 'vitest'
import { toldShop } from '../events/told-shop.ts'
import { mailingShop } from '../mails/mailing-shop.ts'
import { postOffice } from '../mails/post-office.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { fullDisk } from '../support/full-disk.ts'

/** So often is something begun that has no end; then it is given up. */
const TIMES = 6

test('[a full disk] while it cannot be written down that an event was sent none is begun, and none is given up', async () => {
  const databaseUrl = await freshDatabase()
  const shop = await toldShop(businessWith([service('svc_a')]), { databaseUrl })
  const disk = fullDisk(databaseUrl, 'insert on delivery_attempts')
  const desk = restDesk(shop)
  await desk.cancel((await desk.book((await desk.slots('svc_a'))[0])).data.booking.id)
  const leasesEnd = () => shop.runtime.db.updateTable('deliveries').set({ leased_until: null }).execute()

  await disk.fill()
  expect(await shop.told()).toHaveLength(1)
  for (let time = 0; time < TIMES; time++) {
    await leasesEnd()
    expect(await shop.told()).toEqual([])
  }
  await disk.makeRoom()
  expect(await shop.told()).toHaveLength(1)
  const ended = await shop.runtime.db.selectFrom('deliveries').select(['status', 'attempts']).execute()
  expect(ended).toEqual([{ status: 'delivered', attempts: 1 }])
})

test('[a full disk] while it cannot be written down that a mail was sent none is begun: nobody gets it once a second', async () => {
  const databaseUrl = await freshDatabase()
  const office = await postOffice()
  const shop = await mailingShop(office, {}, {}, databaseUrl)
  const disk = fullDisk(databaseUrl, 'update of status on mails')
  await shop.tell()
  const leasesEnd = () => shop.runtime.db.updateTable('mails').set({ leased_until: null }).execute()

  await disk.fill()
  for (let time = 0; time < TIMES; time++) {
    await shop.sendAfter()
    await leasesEnd()
  }
  expect(office.arrivals).toHaveLength(1)
  await disk.makeRoom()
  await shop.sendAfter()
  expect((await shop.rows()).map(({ status }) => status)).toEqual(['sent'])
  expect(office.arrivals).toHaveLength(2)
})
