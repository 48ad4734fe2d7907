import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/infra/db/run-migrations.ts'
import { startServers } from '../race/servers.ts'
import { missing, startPgbouncer } from '../support/pgbouncer.ts'
import { SECRET, testServer } from '../support/server.ts'
import { type Cluster, type Node, startCluster } from './cluster.ts'
import { named, nameRead, patient, readsOf, standbyOf, untilReadAtStandby } from './standby-readers.ts'

const replayedBy = ({ ask }: Cluster, node: Node, lsn: string) =>
  ask(node, `select pg_last_wal_replay_lsn() >= '${lsn}' as reached`).then(([row]) => row?.reached)

const writtenBy = async ({ ask }: Cluster, node: Node) => {
  const [row] = await ask<{ lsn: string }>(node, 'select pg_current_wal_flush_lsn()::text as lsn')
  return row?.lsn ?? ''
}

const hasReaders = ({ ask }: Cluster, node: Node) =>
  ask(node, "select from pg_stat_activity where application_name = 'usp-server'").then(({ length }) => length > 0)

test('[reads from standbys] when the standby that is read becomes the primary the other one is found among all hosts, and read from its next restart point on', async () => {
  const cluster = await startCluster()
  onTestFinished(() => cluster.stop())
  await migrate(cluster.urlOf(cluster.primary))
  await Promise.all(cluster.nodes.slice(1).map(cluster.join))
  const env = { DATABASE_READ_URL: cluster.url.replace('read-write', 'read-only') }
  const server = await testServer(named('Before'), { databaseUrl: cluster.url, env })
  await untilReadAtStandby(server)

  const { primary: lost, nodes } = cluster
  const standbys = nodes.filter((node) => node !== lost)
  const followed = await writtenBy(cluster, lost)
  for (const node of standbys) await expect.poll(() => replayedBy(cluster, node, followed), patient).toBe(true)
  const isRead = await Promise.all(standbys.map((node) => hasReaders(cluster, node)))
  const [next, follower] = isRead[0] ? standbys : standbys.toReversed()
  if (!next || !follower) throw new Error('There are two standbys.')
  cluster.kill(lost)
  await cluster.ask(next, 'select pg_promote(true, 30)')
  cluster.primary = next
  await expect.poll(() => server.apply(named('After')).then(() => true, String), patient).toBe(true)
  for (let round = 0; round < 20; round++) expect(await nameRead(server)).toBe('After')

  await cluster.ask(cluster.primary, 'checkpoint')
  const written = await writtenBy(cluster, cluster.primary)
  await expect.poll(() => replayedBy(cluster, follower, written), patient).toBe(true)
  await cluster.ask(follower, 'checkpoint')
  await untilReadAtStandby(server)
  expect(await nameRead(server)).toBe('After')
})

test('[reads from standbys] what a lost primary alone had is not read of it when it comes back as it was, though its log is the longer one', async () => {
  const cluster = await startCluster()
  onTestFinished(() => cluster.stop())
  const first = cluster.primary
  await migrate(cluster.urlOf(first))
  const second = await standbyOf(cluster)
  const before = await testServer(named('Kept'), { databaseUrl: cluster.urlOf(first) })
  const kept = await writtenBy(cluster, first)
  await expect.poll(() => replayedBy(cluster, second, kept), patient).toBe(true)
  cluster.kill(second)
  await before.apply(named('Lost'))
  // The log goes on in its next file, far beyond where the other's is.
  for (let file = 0; file < 3; file++) {
    await cluster.ask(first, 'select pg_switch_wal()')
    await before.apply(named('Lost'))
    await cluster.ask(first, 'checkpoint')
  }
  cluster.kill(first)

  // As they are, and not as copies of each other.
  const startAsItIs = (node: Node) => {
    cluster.primary = node
    return cluster.join(node)
  }
  await startAsItIs(second)
  await cluster.promote()
  writeFileSync(join(first.data, 'standby.signal'), '')
  await startAsItIs(first)
  cluster.primary = second
  const written = await writtenBy(cluster, second)
  await expect.poll(() => replayedBy(cluster, first, written), patient).toBe(true)
  expect(await cluster.ask(first, "select body ->> 'name' as name from services")).toEqual([{ name: 'Lost' }])

  const env = { DATABASE_READ_URL: cluster.urlOf(first) }
  const server = await testServer(undefined, { databaseUrl: cluster.urlOf(second), env })
  for (let round = 0; round < 3; round++) expect(await nameRead(server)).toBe('Kept')
  await expect.poll(() => server.logged.some((line) => line.includes('It is behind the primary.')), patient).toBe(true)
  expect((await readsOf(server)).standby).toBe(0)
})

test('[reads from standbys] servers with DATABASE_READ_URL show what one of them was told was done, through a pooler too, and end when they are told', async () => {
  const cluster = await startCluster()
  onTestFinished(() => cluster.stop())
  const databaseUrl = cluster.urlOf(cluster.primary)
  const standbyUrl = cluster.urlOf(await standbyOf(cluster))
  const servers = await startServers(databaseUrl, 2, {
    USP_SECRET_KEY: SECRET,
    DATABASE_READ_URL: missing ? standbyUrl : await startPgbouncer(standbyUrl),
  })
  const writer = await testServer(named('First'), { databaseUrl })
  const namesRead = () => Promise.all(servers.origins.map(nameAt))
  const readAtStandby = async () => {
    await namesRead()
    return Promise.all(servers.origins.map(hasReadAtStandby))
  }
  await expect.poll(readAtStandby, patient).toEqual([true, true])
  for (let round = 0; round < 10; round++) {
    await writer.apply(named(`Round ${round}`))
    expect(await namesRead()).toEqual([`Round ${round}`, `Round ${round}`])
  }
  await servers.stop()
  expect(servers.output()).not.toMatch(/"level":[56]0/)
})

async function nameAt(origin: string): Promise<string> {
  const response = await fetch(`${origin}/usp/v1/services/list`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  return (await response.json()).services[0].name
}

const hasReadAtStandby = async (origin: string): Promise<boolean> =>
  (await (await fetch(`${origin}/metrics`)).text()).includes('usp_standby_reads_total{at="standby"}')
