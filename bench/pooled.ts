/** What PgBouncer in transaction mode costs: availability queries and signed bookings a second through it, beside past it. */
import { freePort } from '../src/db/embedded-cluster.ts'
import { bar } from './support/bar.ts'
import { fireAll, median, repeat } from './support/load.ts'
import { isInstalled, needs } from './support/needs.ts'
import { openPgbouncer } from './support/pgbouncer.ts'
import { openPlatform } from './support/platform.ts'
import { bookingsOf, business, fillCalendar, introduce, service, slotsOf, staff, timesQuery } from './support/salon.ts'
import { openStage, type Served } from './support/stage.ts'

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
const pgbouncer = await openPgbouncer(stage.urlOf('pooled'), await freePort(), CONNECTIONS)
const platform = await openPlatform(KEYS)
try {
  const definition = business(services, 100)
  const past = { DATABASE_URL: pgbouncer.url, DATABASE_DIRECT_URL: stage.urlOf('pooled') }
  const direct = await makeReady(await stage.serve('direct', definition))
  const pooled = await makeReady(await stage.serve('pooled', definition, past))
  const rounds: { direct: Rates; pooled: Rates }[] = []
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    // Who comes first is not always the same.
    const first = round % 2 ? await direct() : undefined
    const rates = { pooled: await pooled(), direct: first ?? (await direct()) }
    if (round >= WARM_UP) rounds.push(rates)
  }
  for (const what of ['availability', 'bookings'] as const) {
    const rate = (name: 'direct' | 'pooled') => median(rounds.map((round) => round[name][what])).toFixed(0)
    const ratio = median(rounds.map(({ direct, pooled }) => pooled[what] / direct[what]))
    console.log(`${what} direct ${rate('direct')}/s, through PgBouncer ${rate('pooled')}/s`)
    bar(`${what} through PgBouncer`, ratio, { atLeast: 0.9 }, 'times')
  }
} finally {
  platform.close()
  await pgbouncer.stop()
  await stage.close()
}

interface Rates {
  availability: number
  bookings: number
}

async function makeReady(server: Served): Promise<() => Promise<Rates>> {
  await fillCalendar(server.db, 1_000)
  await introduce(server, platform)
  const slots = await slotsOf(server, services, (WARM_UP + ROUNDS) * SHOTS)
  const nextBookings = () => bookingsOf(slots.splice(0, SHOTS), platform, server)
  return async () => ({
    availability: (await repeat(server.origin, query, SECONDS)).rate,
    bookings: (await fireAll(server.origin, nextBookings(), 201, WRITERS)).rate,
  })
}
