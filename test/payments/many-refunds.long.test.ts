import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { startHousekeeping } from '../../src/cli/recurring-job-list.ts'
import type { BackgroundLoop } from '../../src/core/jobs/background-loop.ts'
import { afterRefund } from '../../src/domain/bookings/report-finished-refund.ts'
import { refundInsert } from '../../src/domain/payments/queries.ts'
import { startRefundWorker } from '../../src/domain/payments/refund-worker.ts'
import { testAnnouncements } from '../support/announcements.ts'
import { freshDatabase } from '../support/database.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'
import { SECRET } from '../support/server.ts'
import { paidShop } from './shop.ts'

const databaseUrl = await freshDatabase()
const announcements = testAnnouncements(databaseUrl)
const { shop, stripe, bookedAndPaid } = await paidShop({ databaseUrl })
const { runtime } = shop
const { db } = runtime
const folder = mkdtempSync(join(tmpdir(), 'usp-refunds-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** So many small ones, of one payment that is large enough. */
async function owe(count: number, at: Date): Promise<void> {
  await bookedAndPaid('svc_paid')
  const { id } = await db.selectFrom('payments').select('id').orderBy('number', 'desc').executeTakeFirstOrThrow()
  await db.transaction().execute(async (tx) => {
    for (let times = 0; times < count; times++) await refundInsert(tx, { payment: id, amount: 80, reason: 'test' }, at)
  })
}
const rows = () => db.selectFrom('refunds').select(['id', 'status', 'attempts']).execute()
const given = async () => (await rows()).filter(({ status }) => status === 'given').map(({ id }) => id)
const tried = async () => (await rows()).filter(({ attempts }) => attempts > 0).length
const atStripe = () => stripe.refunds.map(({ metadata }) => metadata.refund)
const areEachOnce = () =>
  vi.waitFor(async () => expect(atStripe().toSorted()).toEqual((await given()).toSorted()), 5_000)

beforeEach(async () => {
  await db.deleteFrom('refunds').execute()
  await db.deleteFrom('housekeeping').execute()
  Object.assign(stripe, { mood: 'well', refunds: [], asked: [] })
  return () => Promise.all(running.splice(0).map((one) => one.close()))
})
const running: BackgroundLoop[] = []
const giveBack = () => running.push(startRefundWorker(runtime, afterRefund(runtime), announcements))

test('a class that is called off is paid back within seconds, each of them once, by however many servers', async () => {
  giveBack()
  giveBack()
  await owe(100, shop.time.now)
  await expect.poll(async () => (await given()).length).toBe(100)
  await areEachOnce()
  expect((await rows()).every(({ attempts }) => attempts === 1)).toBe(true)
})

test('a provider that never answers keeps no other work waiting, and is asked for a few at once', async () => {
  await owe(24, shop.time.now)
  stripe.mood = 'silent'
  giveBack()
  await expect.poll(tried).toBe(8)
  running.push(startHousekeeping(runtime))
  const ran = () => db.selectFrom('housekeeping').select('job').where('ran_at', 'is not', null).execute()
  await expect.poll(ran).toContainEqual({ job: 'forget words' })
  expect(await tried()).toBeLessThanOrEqual(10)
  // Once the first are given up on.
  await expect.poll(tried).toBe(10)
  await pass(3_000)
  expect(await tried()).toBe(10)
})

test('one that hangs up is left alone between, and what was not tried goes out as soon as it answers', async () => {
  await owe(24, shop.time.now)
  stripe.mood = 'down'
  giveBack()
  await pass(4_000)
  expect(await tried()).toBeLessThanOrEqual(14)
  stripe.mood = 'well'
  await expect.poll(async () => (await rows()).every(({ attempts }) => attempts > 0)).toBe(true)
  await areEachOnce()
})

test('[a crash returns no money twice] what a server was killed over the next one asks for in seconds, and each goes back once', async () => {
  await owe(100, new Date())
  stripe.mood = 'mute'
  const serve = async () => {
    const server = usp(['serve'], {
      ...stripe.env,
      PORT: String(await freePort()),
      DATABASE_URL: databaseUrl,
      USP_DATA_DIR: folder,
      USP_SECRET_KEY: SECRET,
      LOG_LEVEL: 'error',
    })
    await waitForOutput(server, 'Ctrl-C stops it.')
    return server
  }
  const first = await serve()
  await expect.poll(() => stripe.refunds.length).toBe(8)
  first.process.kill('SIGKILL')
  await first.ended
  expect(await given()).toEqual([])
  // What it was asked for it remembers by nothing but its list.
  stripe.forget()
  stripe.mood = 'well'
  const next = await serve()
  await expect.poll(async () => (await given()).length).toBe(100)
  next.process.kill('SIGKILL')
  await next.ended
  expect(atStripe()).toHaveLength(100)
  await areEachOnce()
})
