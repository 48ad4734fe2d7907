import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/infra/db/database.ts'
import { failureOf } from '../../src/infra/db/database-failures.ts'
import { demandStandby, startCluster, untilFollowed } from './cluster.ts'

test('[nothing acknowledged is lost] a primary dies while changes are made: each is refused or kept, and the next primary is found', async () => {
  const cluster = await startCluster()
  onTestFinished(() => cluster.stop())
  const db = openDatabase(cluster.url, 4, () => {})
  await sql`create table told (number integer)`.execute(db)
  await Promise.all(cluster.nodes.slice(1).map(cluster.join))
  await demandStandby(cluster)
  await untilFollowed(cluster, 2)

  const acknowledged: number[] = []
  const failures = new Set<unknown>()
  let [number, isOver] = [0, false]
  const write = async () => {
    while (!isOver) {
      const mine = number++
      await sql`insert into told values (${mine})`.execute(db).then(
        () => acknowledged.push(mine),
        (error) => failures.add(failureOf(error)),
      )
    }
  }
  const writing = Promise.all([write(), write(), write()])
  const grown = (by: number) => {
    const before = acknowledged.length
    return expect.poll(() => acknowledged.length).toBeGreaterThan(before + by)
  }
  await grown(20)
  const lostAt = performance.now()
  cluster.kill(cluster.primary)
  await expect.poll(() => failures.size).toBeGreaterThan(0)
  await cluster.promote()
  const promotedAt = performance.now()
  await grown(0)
  const [fromLoss, fromPromotion] = [lostAt, promotedAt].map((from) => Math.round(performance.now() - from))
  console.log(`changes are made again ${fromLoss} ms after the loss, ${fromPromotion} ms after the promotion`)
  await grown(20)
  isOver = true
  await writing

  const { rows } = await sql<{ number: number }>`select number from told`.execute(db)
  const stored = rows.map((row) => row.number)
  expect(new Set(stored).size).toBe(stored.length)
  expect(acknowledged.filter((one) => !stored.includes(one))).toEqual([])
  expect([...failures].filter((failure) => failure !== 'unreachable' && failure !== 'read only')).toEqual([])
  await db.destroy()
})
