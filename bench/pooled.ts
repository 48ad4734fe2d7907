/** What PgBouncer in transaction mode costs: availability queries and signed bookings a second through it, beside past it. */
import { freePort } from '../src/db/embedded-cluster.ts'
import { bar } from './support/bar.ts'
import { eachOf, fireAll, mean, median, repeat } from './support/load.ts'
import { isInstalled, needs } from './support/needs.ts'
import { openPgbouncer, type Pgbouncer } from './support/pgbouncer.ts'
import { openPlatform } from './support/platform.ts'
import { bookingsOf, business, fillCalendar, introduce, service, slotsOf, staff, timesQuery } from './support/salon.ts'
import { openStage, type Served } from './support/stage.ts'

/** One server past it and one through it, by turns: how much the same costs differs by process. */
const PAIRS = Number(process.env.BENCH_SERVERS ?? 3)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
/** Until then the servers are still being compiled. */
const WARM_UP = 2
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)
/** As in bench/writes.ts: of fewer it is measured how long a call takes, and of a fifth of a second nothing. */
const SHOTS = 600
const WRITERS = 30
const SERVICES = 50
const KEYS = 100
/** As many as a server has by itself. */
const CONNECTIONS = 10

const services = staff(SERVICES).map((one) => service(`svc_${one}`, [one]))
const query = timesQuery('svc_staff_1')

needs('pgbouncer, as Debian has it', isInstalled('pgbouncer'))
const stage = await openStage()
const platform = await openPlatform(KEYS)
const poolers: Pgbouncer[] = []
const works = ['availability', 'bookings'] as const
try {
  const pairs: Ratios[] = []
  for (let nth = 1; nth <= PAIRS; nth++) pairs.push(await compared(nth))
  for (const work of works) {
    const ratios = pairs.map((ratio) => ratio[work])
    bar(`${work} through PgBouncer (${eachOf(ratios, 2)})`, mean(ratios), { atLeast: 0.9 }, 'times')
  }
} finally {
  platform.close()
  for (const pooler of poolers) await pooler.stop()
  await stage.close()
}

/** How many times as many a second come through it as past it. */
async function compared(nth: number): Promise<Ratios> {
  const definition = business(services, 100)
  const behind = stage.urlOf(`pooled_${nth}`)
  const pgbouncer = await openPgbouncer(behind, await freePort(), CONNECTIONS)
  poolers.push(pgbouncer)
  const past = { DATABASE_URL: pgbouncer.url, DATABASE_DIRECT_URL: behind }
  const servers = {
    direct: await stage.serve(`direct_${nth}`, definition),
    pooled: await stage.serve(`pooled_${nth}`, definition, past),
  }
  const [direct, pooled] = [await makeReady(servers.direct), await makeReady(servers.pooled)]
  const ratios = { availability: 0, bookings: 0 }
  // One after the other: what a server does about bookings by itself would go on while the other is asked for times.
  for (const work of works) {
    const rounds: { direct: number; pooled: number }[] = []
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      // Who comes first is not always the same.
      const first = round % 2 ? await direct[work]() : undefined
      const rates = { pooled: await pooled[work](), direct: first ?? (await direct[work]()) }
      if (round >= WARM_UP) rounds.push(rates)
    }
    const rate = (name: 'direct' | 'pooled') => median(rounds.map((round) => round[name])).toFixed(0)
    console.log(`${work} direct ${rate('direct')}/s, through PgBouncer ${rate('pooled')}/s`)
    ratios[work] = median(rounds.map((round) => round.pooled / round.direct))
  }
  await Promise.all(Object.values(servers).map((server) => server.end()))
  return ratios
}

type Ratios = Record<(typeof works)[number], number>
type Fires = Record<(typeof works)[number], () => Promise<number>>

async function makeReady(server: Served): Promise<Fires> {
  await fillCalendar(server.db, 1_000)
  await introduce(server, platform)
  const slots = await slotsOf(server, services, (WARM_UP + ROUNDS) * SHOTS)
  const nextBookings = () => bookingsOf(slots.splice(0, SHOTS), platform, server)
  return {
    availability: async () => (await repeat(server.origin, query, SECONDS)).rate,
    bookings: async () => (await fireAll(server.origin, nextBookings(), 201, WRITERS)).rate,
  }
}
