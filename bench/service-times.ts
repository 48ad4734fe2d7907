/**
 * Measures the CPU time of one query and one booking, for the server and the database. CPU time is nearly the same on a
 * busy machine, but throughput is not. Compares the predictions of bench/simulate.ts with this machine. Also measures
 * the database load of an idle server.
 */
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { type CpuTime, cpuTimePerCall } from './support/cpu-time-per-call.ts'
import { fireAll, fireAtRate, median } from './support/load.ts'
import { openPlatform } from './support/platform.ts'
import { type Steps, simulate } from './support/queues.ts'
import { bookingsOf, business, callWithEachKey, service, slotsOf, staff, timesQuery } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const BOOKINGS = 300
const SERVICES = 50
const QUERIES = 8_000
/** The load in the latency comparison, as fractions of the maximum rate. */
const PARTS = [0.25, 0.5, 0.7]
const SECONDS = 10
/** In seconds. During this time there are no calls. The time is long enough to include background jobs. */
const IDLE = 60

interface Times extends CpuTime {
  caller: number
}

const stage = await openStage()
const platform = await openPlatform(BOOKINGS)
try {
  const services = staff(SERVICES).map((one) => service(`svc_${one}`, [one]))
  const server = await stage.serve('times', business(services, SERVICES))
  await callWithEachKey(server, platform)
  // Queries for different services. For concurrent queries about the same service, the server sends only one statement.
  const queries = Array.from({ length: QUERIES }, (_, nth) => timesQuery(`svc_staff_${1 + (nth % SERVICES)}`))
  const slots = await slotsOf(server, services, BOOKINGS * 2)
  const workloads = {
    querying: { count: QUERIES, fire: () => fireAll(server.origin, queries, 200) },
    booking: {
      count: BOOKINGS,
      fire: async () => fireAll(server.origin, await bookingsOf(slots.splice(0, BOOKINGS), platform, server), 201, 30),
    },
  }
  const spent = async ({ count, fire }: (typeof workloads)['querying']): Promise<Times & { rate: number }> => {
    const before = process.cpuUsage()
    const { done, ...times } = await cpuTimePerCall(server.db, count, fire)
    const callerUsage = process.cpuUsage(before)
    return { ...times, caller: (callerUsage.user + callerUsage.system) / 1000 / count, rate: done.rate }
  }
  async function compare({ server: serverMs, database, caller }: Times, most: number) {
    const steps: Steps = [
      ['caller', caller / 2],
      ['server', serverMs / 2],
      ['database', database],
      ['server', serverMs / 2],
      ['caller', caller / 2],
    ]
    const stations = { caller: 1, server: 1, database: availableParallelism() }
    for (const part of PARTS) {
      const rate = Math.round(most * part)
      const any = () => timesQuery(`svc_staff_${1 + Math.floor(Math.random() * SERVICES)}`)
      const rounds: { p50: number; p99: number }[] = []
      for (let round = 0; round < 3; round++) rounds.push(await fireAtRate(server.origin, any, rate, SECONDS))
      const predicted = simulate({ stations, steps, rate })
      const [p50, p99] = [median(rounds.map((one) => one.p50)), median(rounds.map((one) => one.p99))]
      console.log(
        `  at ${rate}/s half took ${p50.toFixed(1)} ms and 99 in 100 at most ${p99.toFixed(1)}; the model says ${predicted.p50.toFixed(1)} and ${predicted.p99.toFixed(1)}`,
      )
    }
  }
  for (const { fire } of Object.values(workloads)) await fire()
  for (const [name, work] of Object.entries(workloads)) {
    const { server, database, caller, rate } = await spent(work)
    // The server and the caller use one thread each. PostgreSQL uses all cores.
    const most = Math.min(1000 / server, 1000 / caller, (availableParallelism() * 1000) / (server + database + caller))
    const timesText = [server, database, caller].map((ms) => ms.toFixed(2)).join(', ')
    const usedShare = (rate * (server + database + caller)) / 1000 / availableParallelism()
    console.log(
      `${name}: ${timesText} ms of server, database and caller each; of the machine it had ${(usedShare * 100).toFixed(0)} %`,
    )
    const error = ((most / rate - 1) * 100).toFixed(0)
    console.log(
      `  so at most ${most.toFixed(0)}/s on ${availableParallelism()} cores; ${rate.toFixed(0)}/s were done (${error} %)`,
    )
    if (name === 'querying') await compare({ server, database, caller }, most)
  }

  const counted = async () => {
    const { rows } = await server.db.query(
      `select xact_commit::integer as asked, (pg_current_wal_insert_lsn() - '0/0')::float as written, (
        select count(*)::integer from pg_stat_activity
        where datname = current_database() and application_name like 'usp-server%') as connections
      from pg_stat_database where datname = current_database()`,
    )
    return rows[0]
  }
  await setTimeout(5_000)
  const before = await counted()
  const idle = await cpuTimePerCall(server.db, IDLE, () => setTimeout(IDLE * 1000))
  const after = await counted()
  const each = (what: 'asked' | 'written') => (after[what] - before[what]) / IDLE
  console.log(
    `idle: ${each('asked').toFixed(1)} statements a second, ${idle.database.toFixed(1)} ms of the database and ${idle.server.toFixed(1)} of the server for ` +
      `them, ${(each('written') / 1000).toFixed(1)} kB of log; ${after.connections} connections`,
  )
} finally {
  platform.close()
  await stage.close()
}
