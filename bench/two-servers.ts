/**
 * Compares two servers on one database with one server: queries and signed bookings per second. The benchmark shows how
 * much two servers slow each other down. On two cores, the database and the callers need most of the CPU. Therefore a
 * CPU limit gives each server only a small share, and the database is not the bottleneck.
 */
import { checkTarget } from './support/check-target.ts'
import { canLimitCpu, limitCpu } from './support/cpu-limit.ts'
import { cpuMsOf, postgresOf } from './support/cpu-time.ts'
import { fireAll, median, repeat } from './support/load.ts'
import { openPlatform } from './support/platform.ts'
import { requireOrSkip } from './support/require-or-skip.ts'
import {
  bookingsOf,
  business,
  callWithEachKey,
  fillCalendar,
  service,
  slotsOf,
  staff,
  timesQuery,
} from './support/salon.ts'
import { openStage } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)
/** The CPU limit of each server, as a share of one CPU. */
const SHARE = Number(process.env.BENCH_SHARE ?? 0.2)
const SHOTS = 120
const WARM_UP = 1_000
const SERVICES = 50
const KEYS = 100

const services = staff(SERVICES).map((one) => service(`svc_${one}`, [one]))
const query = timesQuery('svc_staff_1')

requireOrSkip('control groups for processors, which root has on Linux', canLimitCpu())
const stage = await openStage()
const platform = await openPlatform(KEYS)
try {
  const first = await stage.serve('one', business(services, 100))
  await fillCalendar(first.db, 1_000)
  const second = await stage.serveAlso('one')
  const servers = [first, second]
  for (const server of servers) await callWithEachKey(server, platform)
  const slots = await slotsOf(first, services, 2 * WARM_UP + 4 * ROUNDS * SHOTS)
  const book = async ({ origin }: { origin: string }, count: number) => {
    return (await fireAll(origin, await bookingsOf(slots.splice(0, count), platform, { origin }), 201)).rate
  }
  const ask = async ({ origin }: { origin: string }) => (await repeat(origin, query, SECONDS)).rate
  // These calls warm up the JIT compiler before the CPU limit applies.
  for (const server of servers) {
    await ask(server)
    await book(server, WARM_UP)
  }

  const { rows } = await first.db.query('select pg_backend_pid() as pid')
  const databasePids = postgresOf(rows[0].pid)
  const held = servers.map(({ pid }) => limitCpu(pid, SHARE))
  const workloads = { availability: ask, bookings: (server: { origin: string }) => book(server, SHOTS) }
  const rounds: Record<keyof typeof workloads, { one: number; two: number; database: number }>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const both = async (work: typeof ask) => {
      // The average of both servers, because one of them also runs the background jobs.
      const one = ((await work(first)) + (await work(second))) / 2
      const [began, before] = [performance.now(), cpuMsOf(databasePids())]
      const rates = await Promise.all(servers.map(work))
      const database = (cpuMsOf(databasePids()) - before) / (performance.now() - began)
      return { one, two: rates.reduce((sum, rate) => sum + rate, 0), database }
    }
    rounds.push({ availability: await both(workloads.availability), bookings: await both(workloads.bookings) })
  }
  for (const { letGo } of held) await letGo()

  console.log(`each server held to ${SHARE * 100} % of a processor`)
  for (const what of ['availability', 'bookings'] as const) {
    const medianOf = (read: (seen: { one: number; two: number; database: number }) => number) =>
      median(rounds.map((round) => read(round[what])))
    console.log(
      `${what.padEnd(13)} one ${medianOf(({ one }) => one).toFixed(0)}/s, two ${medianOf(({ two }) => two).toFixed(0)}/s; ` +
        `the database then takes ${(medianOf(({ database }) => database) * 100).toFixed(0)} % of a processor`,
    )
    checkTarget(
      '  two beside one',
      medianOf(({ one, two }) => two / one),
      { atLeast: 1.6 },
      'times',
    )
  }
} finally {
  platform.close()
  await stage.close()
}
