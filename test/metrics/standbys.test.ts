import { expect, onTestFinished, test } from 'vitest'
import { standbyCount, synchronousStandbys } from '../../src/domain/metrics/standbys.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { migrate } from '../../src/infra/db/run-migrations.ts'
import { demandStandby, startCluster, untilFollowed } from '../ha/cluster.ts'
import { businessWith, service } from '../support/definitions.ts'
import { metricsOf } from '../support/metrics.ts'
import { testServer } from '../support/server.ts'

const definition = businessWith([service('svc_cut')])

test('[what an owner watches] standbys are counted, and how many of them a change waits for', async () => {
  const cluster = await startCluster()
  onTestFinished(() => cluster.stop())
  const { nodes, primary, ask, urlOf } = cluster
  const databaseUrl = urlOf(primary)
  await migrate(databaseUrl)
  const server = await testServer(definition, { databaseUrl })
  const told = async () => {
    const metrics = await metricsOf(server)
    return [metrics.get('usp_standbys'), metrics.get('usp_standbys_waited_for')]
  }
  expect(await told()).toEqual([0, 0])

  await Promise.all(nodes.slice(1).map(cluster.join))
  await demandStandby(cluster)
  await untilFollowed(cluster, 2)
  expect(await told()).toEqual([2, 1])

  // Whoever may not see how a standby does is not told that there is none.
  await ask(primary, "create role stranger login password 'also-known-to-the-tests-alone'")
  const stranger = Object.assign(new URL(databaseUrl), {
    username: 'stranger',
    password: 'also-known-to-the-tests-alone',
  })
  const db = openDatabase(stranger.href, 1, () => {})
  expect((await standbyCount.query(new Date()).execute(db)).rows).toEqual([])
  expect((await synchronousStandbys.query(new Date()).execute(db)).rows).toEqual([{ many: 1 }])
  await db.destroy()

  for (const one of nodes.filter((node) => node !== primary)) {
    const [before = 0] = await told()
    cluster.kill(one)
    await expect.poll(told, { timeout: 20_000 }).toEqual([before - 1, 1])
  }

  // As PostgreSQL reads it. Each is another number than the one before, so that it is known to be in force.
  const demands = [
    '',
    '*',
    ' 2(one, two)',
    'one, two',
    'FIRST 2 (one, two, three)',
    '"2 (x"',
    'any 3 (one, two, three)',
  ]
  for (const [index, many] of [0, 1, 2, 1, 2, 1, 3].entries()) {
    await ask(primary, `alter system set synchronous_standby_names = '${demands[index]}'`)
    await ask(primary, 'select pg_reload_conf()')
    await expect.poll(told).toEqual([0, many])
  }
})
