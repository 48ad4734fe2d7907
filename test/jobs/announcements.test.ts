import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { Announcements } from '../../src/jobs/announcements.ts'
import { freshDatabase } from '../support/database.ts'

const databaseUrl = await freshDatabase()
const db = openDatabase(databaseUrl, 1, () => {})
afterAll(() => db.destroy())

test('who listens looks once as soon as it hears, for what was announced before, and then at each announcement', async () => {
  let heard = 0
  const listener = new Announcements(databaseUrl)
  listener.listen('deliveries', () => heard++)
  await expect.poll(() => heard).toBe(1)
  await sql`notify freed`.execute(db)
  await sql`notify deliveries`.execute(db)
  await expect.poll(() => heard).toBe(2)
  await listener.close()
  await sql`notify deliveries`.execute(db)
  expect(heard).toBe(2)
})

test('a connection that is lost is made again', async () => {
  let heard = 0
  const listener = new Announcements(databaseUrl)
  listener.listen('deliveries', () => heard++)
  await expect.poll(() => heard).toBe(1)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'usp-server listener' and datname = current_database()`.execute(db)
  await expect.poll(() => heard).toBe(2)
  await listener.close()
})
