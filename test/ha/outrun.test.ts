import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { failureOf } from '../../src/infra/db/database-failures.ts'
import { migrate } from '../../src/infra/db/run-migrations.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import { demandStandby, startCluster } from './cluster.ts'

const PATIENT = { timeout: 20_000 }

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
    await expect.poll(() => cluster.ask(cluster.primary, waiting), PATIENT).toHaveLength(1)
    expect([name, await told]).toEqual([name, 'unreachable'])
  }
  expect((await sql`select what from told`.execute(db)).rows).toHaveLength(2)
  await db.destroy()
})

test('[nothing acknowledged is lost] nor when it is asked for again under its key, until a standby has it', async () => {
  const cluster = await startCluster()
  onTestFinished(() => cluster.stop())
  const databaseUrl = Object.assign(new URL(cluster.urlOf(cluster.primary)), { pathname: '/salon' }).href
  await cluster.ask(cluster.primary, 'create database salon')
  await migrate(databaseUrl)
  const server = await testServer(businessWith([service('svc_one')]), { databaseUrl })
  const platform = await testPlatform()
  const { key } = await addClient(server.runtime.db, 'Known', new Date())
  const headers = { authorization: `Bearer ${key}`, 'usp-agent': `profile="${platform.url}"` }
  const subscribe = (key: string) =>
    server.rest(
      ...(['POST', '/services/feed/subscriptions', { callback_url: 'https://127.0.0.1:9443/hook' }] as const),
      { ...headers, 'idempotency-key': key },
    )
  // What is written down of a caller once is not what is waited for.
  expect((await subscribe('another')).status).toBe(201)

  await demandStandby(cluster)
  const waiting = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
  for (let time = 1; time <= 3; time++) {
    const told = subscribe('the same')
    await expect.poll(() => cluster.ask(cluster.primary, waiting), PATIENT).toHaveLength(1)
    expect((await told).status).toBe(503)
  }
  const told = subscribe('the same')
  await cluster.ask(cluster.primary, 'alter system reset synchronous_standby_names')
  await cluster.ask(cluster.primary, 'select pg_reload_conf()')
  const again = await told
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true'])
})
