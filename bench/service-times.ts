/**
 * What one query and one booking take of the processors of the server and of the database, and how well the model of
 * bench/simulate.ts says from that how many a second this machine does. Processor time is counted by the kernel, so it is
 * nearly the same on a machine that others use too; what is done in a second is not.
 */
import { availableParallelism } from 'node:os'
import { cpuMsOf, postgresOf, serverPids } from './support/cpu-time.ts'
import { fireAll } from './support/load.ts'
import { openPlatform } from './support/platform.ts'
import { bookingsOf, business, introduce, service, slotsOf, staff, timesQuery } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const BOOKINGS = 300
const SERVICES = 50
const QUERIES = 8_000

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
  }
} finally {
  platform.close()
  await stage.close()
}
