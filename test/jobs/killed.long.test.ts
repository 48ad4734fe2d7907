import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'

const databaseUrl = await freshDatabase()
const db = openDatabase(databaseUrl, 2, () => {})
const folder = mkdtempSync(join(tmpdir(), 'usp-jobs-'))
afterAll(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true })
})

async function serve() {
  const running = usp(['serve'], {
    PORT: String(await freePort()),
    DATABASE_URL: databaseUrl,
    USP_DATA_DIR: folder,
    LOG_LEVEL: 'error',
  })
  await waitForOutput(running, 'Ctrl-C stops it.')
  return running
}
const daily = () =>
  db.selectFrom('housekeeping').selectAll().where('job', '=', 'extend class sessions').executeTakeFirst()

test('[a crash defers nothing] what is done once a day and a server was killed over is done by the next, at once', async () => {
  const first = await serve()
  await expect.poll(daily).toMatchObject({ begun: 0, ran_at: expect.any(Date) })
  const before = await daily()
  await sql`update housekeeping set next_at = now() where job = 'extend class sessions'`.execute(db)
  const killed = await db.transaction().execute(async (tx) => {
    // The job waits here, and so it is begun and does not end.
    await sql`lock table sessions in access exclusive mode`.execute(tx)
    await expect.poll(daily, { interval: 20 }).toMatchObject({ begun: 1 })
    first.process.kill('SIGKILL')
    await first.ended
    return new Date()
  })
  expect(await daily()).toMatchObject({ begun: 1, ran_at: before?.ran_at })
  const next = await serve()
  const isDoneAgain = async () => Number((await daily())?.ran_at) > Number(before?.ran_at)
  await expect.poll(isDoneAgain).toBe(true)
  expect(Date.now() - killed.getTime()).toBeLessThan(40_000)
  next.process.kill('SIGKILL')
  await next.ended
})
