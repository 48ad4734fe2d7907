import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startDeliveryWorker } from '../../src/core/events/delivery-worker.ts'
import { sendDueMails, startMailWorker } from '../../src/core/mails/mail-worker.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { soon, toldShop } from '../events/told-shop.ts'
import { letters } from '../mails/letters.ts'
import { FROM } from '../mails/mailing-shop.ts'
import { postOffice } from '../mails/post-office.ts'
import { testAnnouncements } from '../support/announcements.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { switchableProxy } from '../support/switchable-proxy.ts'

const databaseUrl = await freshDatabase()
const office = await postOffice()
const env = { SMTP_URL: office.url, MAIL_FROM: FROM }
const shop = await toldShop(businessWith([service('svc_a')]), { databaseUrl, env })
const desk = restDesk(shop)
const { db } = shop.runtime
const announcements = testAnnouncements(databaseUrl)

/** Longer than a lease. */
const AWAY_MS = { events: 6_500, mails: 16_500 }

/** The database that the workers use. It can be lost; the test and the desk reach it directly. */
async function losableDatabase() {
  const proxy = await switchableProxy(databaseUrl)
  await proxy.comeBack()
  const lost = openDatabase(proxy.url, 3, () => {})
  afterAll(() => lost.destroy())
  return { ...proxy, db: lost }
}

async function cancelOne(): Promise<string> {
  const { id } = (await desk.book((await desk.slots('svc_a', soon(shop)))[0])).data.booking
  await desk.cancel(id)
  return id
}

test('[an outcome is written until it is accepted] an event received while the database was away for longer than its lease is sent once', async () => {
  const id = await cancelOne()
  const database = await losableDatabase()
  shop.receiver.received.length = 0
  shop.receiver.beforeAnswer = async () => database.lose()
  const worker = startDeliveryWorker({ ...shop.runtime, db: database.db }, announcements)
  await expect.poll(() => shop.receiver.received.length).toBe(1)
  await pass(AWAY_MS.events)
  await database.comeBack()
  const rows = () =>
    db.selectFrom('deliveries').select(['status', 'attempts']).where('subject', '=', `booking ${id}`).execute()
  await expect.poll(rows).toEqual([{ status: 'delivered', attempts: 1 }])
  await worker.close()
  expect(shop.receiver.received).toHaveLength(1)
})

test('[an outcome is written until it is accepted] mails received while the database was away for longer than their lease are sent once', async () => {
  const database = await losableDatabase()
  const snapshot = { subject: 'Booked' }
  for (let count = 1; count <= 3; count++)
    await shop.runtime.makeChange(async (tx) => {
      const subject = `booking bkg_${count}`
      tx.queueMail({ kind: 'booking.confirmed', subject, to: { email: 'alice@example.com' }, snapshot }, shop.time.now)
    })
  let arrived = 0
  office.beforeAnswer = async () => {
    if (++arrived === 3) database.lose()
    while (arrived < 3) await pass(10)
  }
  const worker = startMailWorker({ ...shop.runtime, letters, db: database.db }, announcements)
  await expect.poll(() => arrived).toBe(3)
  await pass(AWAY_MS.mails)
  await database.comeBack()
  const waiting = () => db.selectFrom('mails').select('id').where('status', '<>', 'sent').execute()
  await expect.poll(waiting).toEqual([])
  await worker.close()
  expect(arrived).toBe(3)
})

test('[a database that is away counts as no attempt] an event that could not be read is sent when the database is back', async () => {
  const id = await cancelOne()
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const business = { ...shop.runtime.business, get: () => Promise.reject(away) }
  const isTaken = async () => {
    const found = db.selectFrom('deliveries').selectAll().where('subject', '=', `booking ${id}`)
    return (await found.executeTakeFirstOrThrow()).next_at > shop.time.now
  }
  shop.receiver.received.length = 0
  const worker = startDeliveryWorker({ ...shop.runtime, business }, announcements)
  for (let time = 1; time <= 6; time++) {
    await expect.poll(isTaken).toBe(true)
    shop.time.now = new Date(shop.time.now.getTime() + 5_000)
  }
  await worker.close()
  expect(shop.receiver.received).toHaveLength(0)
  shop.receiver.beforeAnswer = async () => {}
  expect(await shop.toldAfter(5)).toHaveLength(1)
})

test('[a database that is away counts as no attempt] a mail that could not be read is sent when the database is back', async () => {
  const subject = 'booking bkg_late'
  const to = { email: 'alice@example.com' }
  await shop.runtime.makeChange(async (tx) =>
    tx.queueMail({ kind: 'booking.confirmed', subject, to, snapshot: { subject: 'Booked' } }, shop.time.now),
  )
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const business = { ...shop.runtime.business, get: () => Promise.reject(away) }
  const found = () => db.selectFrom('mails').selectAll().where('subject', '=', subject).executeTakeFirstOrThrow()
  const postponed = async () => {
    const { next_at, leased_until } = await found()
    return leased_until === null ? next_at.getTime() - shop.time.now.getTime() : 'not yet'
  }
  const worker = startMailWorker({ ...shop.runtime, letters, business }, announcements)
  for (let time = 1; time <= 3; time++) {
    await expect.poll(postponed).toBe(5_000)
    shop.time.now = new Date(shop.time.now.getTime() + 5_000)
  }
  await worker.close()
  office.beforeAnswer = async () => {}
  shop.time.now = new Date(shop.time.now.getTime() + 5_000)
  await sendDueMails({ ...shop.runtime, letters })
  expect(await found()).toMatchObject({ status: 'sent', attempts: 1 })
})
