/**
 * Measures the cost of the connection pooler PgBouncer in transaction mode: availability queries and signed bookings
 * per second with and without PgBouncer.
 */
import { setTimeout as pass } from 'node:timers/promises'
import { freePort } from '../src/infra/db/embedded-postgres-cluster.ts'
import { checkTarget } from './support/check-target.ts'
import { fireAll, mean, median, withStandardError } from './support/load.ts'
import { pairsOf } from './support/pairs.ts'
import { openPgbouncer } from './support/pgbouncer.ts'
import { openPlatform } from './support/platform.ts'
import { isInstalled, requireOrSkip } from './support/require-or-skip.ts'
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

/**
 * The number of servers. Each server switches between direct and pooled connections, because the speed of two processes
 * differs.
 */
const SERVERS = Number(process.env.BENCH_SERVERS ?? 5)
/** An odd number, for an exact median. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
const WARM_UP = 3
/** The milliseconds for the server to reconnect, and the number of calls before each measurement. */
const [PAUSE, FIRST] = [300, 100]
/**
 * The same numbers as in bench/writes.ts. With fewer calls, the benchmark would measure the latency of one call, and a
 * run of 0.2 seconds is too short.
 */
const SHOTS = { availability: 3_000, bookings: 600 }
const CALLERS = 30
const SERVICES = 50
const KEYS = 100
/** The default number of connections in the pool of a server. */
const CONNECTIONS = 10

const services = staff(SERVICES).map((one) => service(`svc_${one}`, [one]))
/**
 * Queries for different services, as in real traffic. For concurrent queries about the same service, the server sends
 * only one statement.
 */
const queries = Array.from({ length: SHOTS.availability }, (_, nth) => timesQuery(`svc_staff_${1 + (nth % SERVICES)}`))

const workloads = ['availability', 'bookings'] as const
type Work = (typeof workloads)[number]

requireOrSkip('pgbouncer, as Debian has it', isInstalled('pgbouncer'))
const stage = await openStage()
const platform = await openPlatform(KEYS)
try {
  const apart: Ratios[] = []
  for (let nth = 1; nth <= SERVERS; nth++) apart.push(await compared(nth))
  for (const work of workloads) {
    const ratios = apart.map((ratio) => ratio[work])
    checkTarget(`${work} through PgBouncer (${withStandardError(ratios, 2)})`, mean(ratios), { atLeast: 0.9 }, 'times')
  }
} finally {
  platform.close()
  await stage.close()
}

type Ratios = Record<Work, number>

/** Returns the throughput with PgBouncer, relative to the throughput without. */
async function compared(nth: number): Promise<Ratios> {
  const name = `pooled_${nth}`
  const behind = new URL(stage.urlOf(name))
  const [configuredPort, port] = [await freePort(), await freePort()]
  const pgbouncer = await openPgbouncer(behind.href, port, CONNECTIONS)
  const server = await stage.serve(name, business(services, 100), {
    DATABASE_URL: Object.assign(new URL(behind), { port: configuredPort }).href,
    DATABASE_DIRECT_URL: behind.href,
    BENCH_PORTS: [configuredPort, behind.port, port].join(' '),
    NODE_OPTIONS: '--import=./bench/support/pooler-switch.ts',
  })
  await fillCalendar(server.db, 1_000)
  await callWithEachKey(server, platform)
  const slots = await slotsOf(server, services, (WARM_UP + ROUNDS) * 2 * (FIRST + SHOTS.bookings))
  const fires = {
    availability: (count: number) => fireAll(server.origin, queries.slice(0, count), 200, CALLERS),
    bookings: async (count: number) =>
      fireAll(server.origin, await bookingsOf(slots.splice(0, count), platform, server), 201, CALLERS),
  }
  let isPooled = false
  const compare = async (work: Work) => {
    const fire = fires[work]
    const pairs = await pairsOf({ warmUp: WARM_UP, count: ROUNDS }, async (through) => {
      if (through !== isPooled) process.kill(server.pid, 'SIGWINCH')
      isPooled = through
      await pass(PAUSE)
      await fire(FIRST)
      return (await fire(SHOTS[work])).rate
    })
    const rate = (name: 'on' | 'off') => median(pairs.map((pair) => pair[name])).toFixed(0)
    console.log(`${work} direct ${rate('off')}/s, through PgBouncer ${rate('on')}/s`)
    return median(pairs.map(({ on, off }) => on / off))
  }
  // The measurements run one after another. Otherwise the server's work after bookings would slow down the queries.
  const ratios = { availability: await compare('availability'), bookings: await compare('bookings') }
  await server.end()
  await pgbouncer.stop()
  return ratios
}
