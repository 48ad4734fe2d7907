import { expect, onTestFinished, test } from 'vitest'
import { rotateKey } from '../../src/core/keys/rotate-keys.ts'
import { migrate } from '../../src/infra/db/run-migrations.ts'
import { operations } from '../../src/server/all-operations.ts'
import { overMcp, overRest } from '../support/both-bindings.ts'
import { freshDatabase } from '../support/database.ts'
import { type TestServer, testServer } from '../support/server.ts'
import { startCluster } from './cluster.ts'
import { named, nameRead, patient, readsOf, standbyOf, untilReadAtStandby } from './standby-readers.ts'

const said = ({ logged }: TestServer) =>
  logged.map((line) => JSON.parse(line).msg).filter((line) => /standby is/.test(line))

test('[reads from standbys] nothing else is read there than the catalogue, its feed and the searches of the registry', () => {
  const some = operations.filter((one) => one.effect === 'read' && one.fromStandby)
  expect(some.map(({ id }) => id).sort()).toEqual([
    ...['getService', 'getServiceFeed', 'listServices', 'lookupServices', 'searchBusinesses', 'searchServices'],
  ])
  expect(some.filter(({ access }) => access !== 'public')).toEqual([])
})

test('[reads from standbys] a database that is no standby is not read as one, whatever it was set as', async () => {
  const databaseUrl = await freshDatabase()
  const server = await testServer(named('Cut'), { databaseUrl, env: { DATABASE_READ_URL: databaseUrl } })
  for (let round = 0; round < 3; round++) expect(await nameRead(server)).toBe('Cut')
  expect(await readsOf(server)).toEqual({ standby: 0, primary: 3 })
  await expect
    .poll(() => server.logged.some((line) => line.includes('This host is not a standby.')), patient)
    .toBe(true)
})

test('[reads from standbys] what was acknowledged is read at once, at each server and however far the standby is behind; without it the primary answers', async () => {
  const cluster = await startCluster()
  onTestFinished(() => cluster.stop())
  const databaseUrl = cluster.urlOf(cluster.primary)
  await migrate(databaseUrl)
  const standby = await standbyOf(cluster)
  const env = { DATABASE_READ_URL: cluster.urlOf(standby) }
  const [writer, reader] = await Promise.all([
    testServer(named('First'), { databaseUrl, env }),
    testServer(undefined, { databaseUrl, env }),
  ])
  const callers = [overRest(reader), overMcp(reader)]
  /** What is read at once by whoever asks the other server, on both bindings. */
  const namesRead = async () => {
    const names = callers.map(async (call) => {
      const [list, one, many, feed] = await Promise.all([
        call('usp_services_list'),
        call('usp_services_get', { service_id: 'svc_cut' }),
        call('usp_services_lookup', { ids: ['svc_cut'] }),
        call('usp_services_feed'),
      ])
      const { services } = list.payload
      return [services[0], one.payload.service, many.payload.services[0], feed.payload.items[0].data].map(
        ({ name }) => name,
      )
    })
    return new Set((await Promise.all(names)).flat())
  }

  await untilReadAtStandby(reader)
  for (let round = 0; round < 10; round++) {
    await writer.apply(named(`Round ${round}`))
    expect(await namesRead()).toEqual(new Set([`Round ${round}`]))
  }
  await untilReadAtStandby(reader)

  await cluster.ask(standby, 'select pg_wal_replay_pause()')
  const state = () => cluster.ask(standby, 'select pg_get_wal_replay_pause_state() as state')
  await expect.poll(state, patient).toEqual([{ state: 'paused' }])
  await writer.apply(named('Unseen by the standby'))
  const paused = await readsOf(reader)
  expect(await namesRead()).toEqual(new Set(['Unseen by the standby']))
  const kid = await rotateKey(writer.runtime, writer.time.now)
  const { body } = await reader.rest('GET', '/.well-known/usp')
  expect(body.keys.map((key: { kid: string }) => key.kid)).toContain(kid)
  for (const path of ['business', 'services'])
    expect((await reader.rest('POST', `/registry/search_${path}`, { query: 'cut' })).body).toBeDefined()
  expect((await readsOf(reader)).standby).toBe(paused.standby)

  await cluster.ask(standby, 'select pg_wal_replay_resume()')
  await untilReadAtStandby(reader)

  cluster.kill(standby)
  for (let round = 0; round < 5; round++) expect(await namesRead()).toEqual(new Set(['Unseen by the standby']))
  await cluster.join(standby)
  await untilReadAtStandby(reader)
  expect(said(reader).slice(0, 2)).toEqual([
    'The standby is not read for now: the primary answers.',
    'The standby is read again.',
  ])
})
