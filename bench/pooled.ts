/** What PgBouncer in transaction mode costs: availability queries and signed bookings a second through it, beside past it. */
import { setTimeout as pass } from 'node:timers/promises'
import { freePort } from '../src/infra/db/embedded-cluster.ts'
import { bar } from './support/bar.ts'
import { eachOf, fireAll, mean, median } from './support/load.ts'
import { isInstalled, needs } from './support/needs.ts'
import { pairsOf } from './support/pairs.ts'
import { openPgbouncer } from './support/pgbouncer.ts'
import { openPlatform } from './support/platform.ts'
import { bookingsOf, business, fillCalendar, introduce, service, slotsOf, staff, timesQuery } from './support/salon.ts'
import { openStage } from './support/stage.ts'

/** Each goes past it and through it by turns: how much the same costs differs by process. */
const SERVERS = Number(process.env.BENCH_SERVERS ?? 5)
/** An odd number, that there is a middle one. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
/** Until then the servers are still being compiled. */
const WARM_UP = 3
/** Milliseconds in which it connects anew, and how many are asked for before anything is measured. */
const [PAUSE, FIRST] = [300, 100]
/** As in bench/writes.ts: of fewer it is measured how long a call takes, and of a fifth of a second nothing. */
const SHOTS = { availability: 3_000, bookings: 600 }
const CALLERS = 30
const SERVICES = 50
const KEYS = 100
/** As many as a server has by itself. */
const CONNECTIONS = 10

const services = staff(SERVICES).map((one) => service(`svc_${one}`, [one]))
/** By turns, as businesses are asked: whoever wants the same as others at once costs no statement. */
const queries = Array.from({ length: SHOTS.availability }, (_, nth) => timesQuery(`svc_staff_${1 + (nth % SERVICES)}`))

const works = ['availability', 'bookings'] as const
type Work = (typeof works)[number]

needs('pgbouncer, as Debian has it', isInstalled('pgbouncer'))
const stage = await openStage()
const platform = await openPlatform(KEYS)
try {
  const apart: Ratios[] = []
  for (let nth = 1; nth <= SERVERS; nth++) apart.push(await compared(nth))
  for (const work of works) {
    const ratios = apart.map((ratio) => ratio[work])
    bar(`${work} through PgBouncer (${eachOf(ratios, 2)})`, mean(ratios), { atLeast: 0.9 }, 'times')
  }
} finally {
  platform.close()
  await stage.close()
}

type Ratios = Record<Work, number>

/** How many times as many a second come through it as past it. */
async function compared(nth: number): Promise<Ratios> {
  const name = `pooled_${nth}`
  const behind = new URL(stage.urlOf(name))
  const [said, port] = [await freePort(), await freePort()]
  const pgbouncer = await openPgbouncer(behind.href, port, CONNECTIONS)
  const server = await stage.serve(name, business(services, 100), {
    DATABASE_URL: Object.assign(new URL(behind), { port: said }).href,
    DATABASE_DIRECT_URL: behind.href,
    BENCH_PORTS: [said, behind.port, port].join(' '),
    NODE_OPTIONS: '--import=./bench/support/pooler-switch.ts',
  })
  await fillCalendar(server.db, 1_000)
  await introduce(server, platform)
  const slots = await slotsOf(server, services, (WARM_UP + ROUNDS) * 2 * (FIRST + SHOTS.bookings))
  const fires = {
    availability: (count: number) => fireAll(server.origin, queries.slice(0, count), 200, CALLERS),
    bookings: (count: number) =>
      fireAll(server.origin, bookingsOf(slots.splice(0, count), platform, server), 201, CALLERS),
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
  // One after the other: what a server does about bookings by itself would go on while it is asked for times.
  const ratios = { availability: await compare('availability'), bookings: await compare('bookings') }
  await server.end()
  await pgbouncer.stop()
  return ratios
}
