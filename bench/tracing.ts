/**
 * Measures the cost of tracing: queries and bookings per second with and without traces. A collector receives the
 * traces.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pass } from 'node:timers/promises'
import { checkTarget } from './support/check-target.ts'
import { cpuMsOf } from './support/cpu-time.ts'
import { fireAll, mean, median, repeat, withStandardError } from './support/load.ts'
import { pairsOf } from './support/pairs.ts'
import { openPlatform } from './support/platform.ts'
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
import { openStage, type Served } from './support/stage.ts'

/** Odd numbers, for an exact median. Bookings need more rounds, because garbage collection makes their times vary. */
const ROUNDS = { queries: Number(process.env.BENCH_ROUNDS ?? 9), bookings: Number(process.env.BENCH_ROUNDS ?? 21) }
/** The number of servers for each kind of tracing, because the speed of two processes differs. */
const SERVERS = Number(process.env.BENCH_SERVERS ?? 5)
const WARM_UP = 4
const SECONDS = Number(process.env.BENCH_SECONDS ?? 1)
/** The number of bookings in each round (most of a second), of concurrent callers, of keys and of services. */
const [BOOKINGS, WRITERS, KEYS, SERVICES] = [900, 30, 200, 75]
/**
 * In milliseconds. After this time, the server sends a batch of traces. The time is short, so the batch does not
 * disturb the next measurement.
 */
const SENT_AFTER = 200

const collector = fork(new URL('./support/collector.ts', import.meta.url))
const [port] = await once(collector, 'message')
const to = {
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  OTEL_BSP_SCHEDULE_DELAY: `${SENT_AFTER}`,
  NODE_OPTIONS: '--import=./bench/support/tracing-switch.ts',
}
const kinds = {
  'all kept': { env: { ...to, OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, atLeast: -10 },
  'one in ten kept': {
    env: { ...to, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
    atLeast: -5,
  },
}

const services = staff(SERVICES).map((one) => service(`svc_${one}`, [one]))
const definition = business([service('svc_cut', staff(3)), ...services], 100)

/** The calls per second, and the server's CPU milliseconds for one call. */
interface Seen {
  rate: number
  cpu: number
}
type Work = 'queries' | 'bookings'
const workloads: Work[] = ['queries', 'bookings']
type Fire = () => Promise<{ rate: number; count: number }>

async function measured(pid: number, fire: Fire): Promise<Seen> {
  const before = cpuMsOf([pid])
  const { rate, count } = await fire()
  return { rate, cpu: (cpuMsOf([pid]) - before) / count }
}

/** Returns the changes that tracing causes for one server, in percent: throughput and CPU time. */
async function compared(one: Served): Promise<Record<Work, Seen>> {
  await fillCalendar(one.db, 1_000)
  await callWithEachKey(one, platform)
  const slots = await slotsOf(one, services, (WARM_UP + ROUNDS.bookings) * 2 * BOOKINGS)
  const fires: Record<Work, Fire> = {
    async queries() {
      const { rate } = await repeat(one.origin, timesQuery('svc_cut'), SECONDS)
      return { rate, count: rate * SECONDS }
    },
    async bookings() {
      const shots = await bookingsOf(slots.splice(0, BOOKINGS), platform, one)
      const { rate } = await fireAll(one.origin, shots, 201, WRITERS)
      return { rate, count: shots.length }
    },
  }
  let isTracing = true
  const more = async (work: Work) => {
    const pairs = await pairsOf({ warmUp: WARM_UP, count: ROUNDS[work] }, async (isOn) => {
      if (isOn !== isTracing) process.kill(one.pid, 'SIGWINCH')
      isTracing = isOn
      await pass(SENT_AFTER + 100)
      return measured(one.pid, fires[work])
    })
    const plain = (what: keyof Seen) => median(pairs.map(({ off }) => off[what]))
    console.log(`${work}, not traced: ${plain('rate').toFixed(0)}/s, ${plain('cpu').toFixed(3)} ms of processor each`)
    const percent = (what: keyof Seen) => median(pairs.map(({ on, off }) => (on[what] / off[what] - 1) * 100))
    return { rate: percent('rate'), cpu: percent('cpu') }
  }
  // The measurements run one after another. Otherwise the server's work after one kind of call would slow down the
  // other kind.
  return { queries: await more('queries'), bookings: await more('bookings') }
}

const stage = await openStage()
const platform = await openPlatform(KEYS)
try {
  for (const [nth, [kind, { env, atLeast }]] of Object.entries(kinds).entries()) {
    const apart: Record<Work, Seen>[] = []
    for (let server = 1; server <= SERVERS; server++) {
      const one = await stage.serve(`traced_${nth}_${server}`, definition, { ...env, DATABASE_POOL: '5' })
      apart.push(await compared(one))
      await one.end()
    }
    for (const work of workloads) {
      const all = (what: keyof Seen) => apart.map((one) => one[work][what])
      const meanText = (what: keyof Seen) => withStandardError(all(what), 1)
      checkTarget(
        `${kind}: ${work} a second more than without (${meanText('rate')})`,
        mean(all('rate')),
        { atLeast },
        '%',
      )
      console.log(`${kind}: ${mean(all('cpu')).toFixed(1)} % more of a processor (${meanText('cpu')})`)
    }
  }
} finally {
  platform.close()
  collector.kill()
  await stage.close()
}
