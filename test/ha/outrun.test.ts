import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { failureOf } from '../../src/db/failures.ts'
import { demandStandby, startCluster } from './cluster.ts'

test('[nothing acknowledged is lost] a change that a primary was kept from waiting for is not acknowledged', async () => {
  const cluster = await startCluster()
  onTestFinished(() => cluster.stop())
  const db = openDatabase(cluster.url, 2, () => {})
  await sql`create table told (what text)`.execute(db)
  // There is none.
  await demandStandby(cluster)

  const changes = {
    alone: () => sql`insert into told values ('alone')`.execute(db),
    'in a transaction': () =>
      db.transaction().execute((tx) => sql`insert into told values ('in a transaction')`.execute(tx)),
  }
  for (const [name, change] of Object.entries(changes)) {
    const told = change().then(() => 'done', failureOf)
    const waiting = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
    await expect.poll(() => cluster.ask(cluster.primary, waiting)).toHaveLength(1)
    expect([name, await told]).toEqual([name, 'unreachable'])
  }
  expect((await sql`select what from told`.execute(db)).rows).toHaveLength(2)
  await db.destroy()
})
