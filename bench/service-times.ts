/**
 * What one query and one booking take of the processors of the server and of the database, how well the model of
 * bench/simulate.ts says from that how many a second this machine does and how long they take, and what a server asks its
 * database while nobody calls. Processor time is counted by the kernel, so it is nearly the same on a machine that others use
 * too; what is done in a second is not.
 */
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { cpuMsOf, postgresOf, serverPids } from './support/cpu-time.ts'
import { fireAll, median, paced } from './support/load.ts'
import { openPlatform } from './support/platform.ts'
import { play, type Steps } from './support/queues.ts'
import { bookingsOf, business, introduce, service, slotsOf, staff, timesQuery } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const BOOKINGS = 300
const SERVICES = 50
const QUERIES = 8_000
/** Parts of what the machine could do at most, at which it is looked how long a query takes. */
const PARTS = [0.25, 0.5, 0.7]
const SECONDS = 10
/** Seconds without a call, of which housekeeping has some. */
const IDLE = 60

const stage = await openStage()
const platform = await openPlatform(BOOKINGS)
try {
  const services = staff(SERVICES).map((one) => service(`svc_${one}`, [one]))
  const server = await stage.serve('times', business(services, SERVICES))
  await introduce(server, platform)
  const { rows } = await server.db.query('select pg_backend_pid() as pid')
  const [serverCpu, databaseCpu] = [serverPids, postgresOf(rows[0].pid)]

  const spent = async (work: () => Promise<{ count: number; seconds: number }>) => {
    const before = { server: cpuMsOf(serverCpu()), database: cpuMsOf(databaseCpu()), own: process.cpuUsage() }
    const { count, seconds } = await work()
    const own = process.cpuUsage(before.own)
    const server = (cpuMsOf(serverCpu()) - before.server) / count
    const database = (cpuMsOf(databaseCpu()) - before.database) / count
    return { server, database, caller: (own.user + own.system) / 1000 / count, rate: count / seconds }
  }
  // Of many services: who asks the same at once is answered by one statement.
  const queries = Array.from({ length: QUERIES }, (_, nth) => timesQuery(`svc_staff_${1 + (nth % SERVICES)}`))
  const querying = async () => {
    const { rate } = await fireAll(server.origin, queries, 200)
    return { count: QUERIES, seconds: QUERIES / rate }
  }
  const slots = await slotsOf(server, services, BOOKINGS * 2)
  const booking = async () => {
    const shots = bookingsOf(slots.splice(0, BOOKINGS), platform, server)
    const { rate } = await fireAll(server.origin, shots, 201, 30)
    return { count: BOOKINGS, seconds: BOOKINGS / rate }
  }
  /** How long a query takes, and how long the model says, where so many come a second. */
  async function compare(
    { server: own, database, caller }: Record<'server' | 'database' | 'caller', number>,
    most: number,
  ) {
    const steps: Steps = [
      ...[['caller', caller / 2] as const, ['server', own / 2] as const, ['database', database] as const],
      ...[['server', own / 2] as const, ['caller', caller / 2] as const],
    ].map(([station, ms]) => [station, ms])
    const stations = { caller: 1, server: 1, database: availableParallelism() }
    for (const part of PARTS) {
      const rate = Math.round(most * part)
      const any = () => timesQuery(`svc_staff_${1 + Math.floor(Math.random() * SERVICES)}`)
      const rounds: { p50: number; p99: number }[] = []
      for (let round = 0; round < 3; round++) rounds.push(await paced(server.origin, any, rate, SECONDS))
      const said = play({ stations, steps, rate })
      const [p50, p99] = [median(rounds.map((one) => one.p50)), median(rounds.map((one) => one.p99))]
      console.log(
        `  at ${rate}/s half took ${p50.toFixed(1)} ms and 99 in 100 at most ${p99.toFixed(1)}; the model says ${said.p50.toFixed(1)} and ${said.p99.toFixed(1)}`,
      )
    }
  }
  for (const work of [querying, booking]) await work()
  for (const [name, work] of Object.entries({ querying, booking })) {
    const { server, database, caller, rate } = await spent(work)
    // The server and whoever calls have one thread each; the database has as many as it likes.
    const most = Math.min(1000 / server, 1000 / caller, (availableParallelism() * 1000) / (server + database + caller))
    const told = [server, database, caller].map((ms) => ms.toFixed(2)).join(', ')
    const had = (rate * (server + database + caller)) / 1000 / availableParallelism()
    console.log(
      `${name}: ${told} ms of server, database and caller each; of the machine it had ${(had * 100).toFixed(0)} %`,
    )
    const error = ((most / rate - 1) * 100).toFixed(0)
    console.log(
      `  so at most ${most.toFixed(0)}/s on ${availableParallelism()} cores; ${rate.toFixed(0)}/s were done (${error} %)`,
    )
    if (name === 'querying') await compare({ server, database, caller }, most)
  }

  const counted = async () => {
    const { rows } = await server.db.query(
      "select xact_commit::integer as asked, (pg_current_wal_insert_lsn() - '0/0')::float as written from pg_stat_database where datname = current_database()",
    )
    const connections = await server.db.query(
      "select count(*)::integer as count from pg_stat_activity where datname = current_database() and application_name like 'usp-server%'",
    )
    return {
      ...rows[0],
      connections: connections.rows[0].count,
      cpu: cpuMsOf(databaseCpu()),
      own: cpuMsOf(serverCpu()),
    }
  }
  await setTimeout(5_000)
  const before = await counted()
  await setTimeout(IDLE * 1000)
  const after = await counted()
  const each = (what: 'asked' | 'cpu' | 'own' | 'written') => (after[what] - before[what]) / IDLE
  console.log(
    `idle: ${each('asked').toFixed(1)} statements a second, ${each('cpu').toFixed(1)} ms of the database and ${each('own').toFixed(1)} of the server for ` +
      `them, ${(each('written') / 1000).toFixed(1)} kB of log; ${after.connections} connections`,
  )
} finally {
  platform.close()
  await stage.close()
}
