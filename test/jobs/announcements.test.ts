import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { Announcements } from '../../src/core/jobs/postgres-notify-listener.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { closeTogether, startDatabaseProxy } from '../support/database-proxy.ts'

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

/** Loses the first connection that asks something, as soon as it does. */
function losingTheFirst(): Promise<string> {
  let isLost = false
  return startDatabaseProxy(databaseUrl, (client, postgres) => {
    client.on('data', (sent) => {
      const isQuestion = 'QP'.includes(String.fromCharCode(sent[0] ?? 0))
      if (!isQuestion || isLost) return postgres.write(sent)
      isLost = true
      client.destroy()
    })
    postgres.on('data', (answer) => client.write(answer))
    closeTogether(client, postgres)
  })
}

test('one that is lost while it is made is followed by one other, and by no more', async () => {
  let heard = 0
  const listener = new Announcements(await losingTheFirst())
  listener.listen('deliveries', () => heard++)
  await expect.poll(() => heard).toBe(1)
  // As long as it would take to make another.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  const { rows } = await sql`select pid from pg_stat_activity
    where application_name = 'usp-server listener' and datname = current_database()`.execute(db)
  expect([rows.length, heard]).toEqual([1, 1])
  await listener.close()
})
