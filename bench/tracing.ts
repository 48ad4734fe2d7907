/** What tracing costs: availability queries a second with traces sent to a collector that takes them, and without, by turns. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { bar } from './support/bar.ts'
import { cpuMsOf } from './support/cpu-time.ts'
import { median, repeat } from './support/load.ts'
import { fillCalendar, salon, timesQuery } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 8)
/** Of each kind: how much the same costs differs by process. */
const SERVERS = Number(process.env.BENCH_SERVERS ?? 3)
/** Until then the servers are still being compiled. */
const WARM_UP = 3
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)

const collector = fork(new URL('./support/collector.ts', import.meta.url))
const [port] = await once(collector, 'message')
const to = {
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  NODE_OPTIONS: '--import=./bench/support/tracing-switch.ts',
}
const kinds = {
  'all kept': to,
  'one in ten kept': { ...to, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
}

const query = timesQuery('svc_cut')
interface Seen {
  rate: number
  cpu: number
}
/** How many a second, and what one takes of the server's processor: that is counted by the kernel, whoever else is busy here. */
const measure = async ({ origin, pid }: { origin: string; pid: number }): Promise<Seen> => {
  const before = cpuMsOf([pid])
  const { rate } = await repeat(origin, query, SECONDS)
  return { rate, cpu: (cpuMsOf([pid]) - before) / (rate * SECONDS) }
}

const stage = await openStage()
for (const [nth, [kind, env]] of Object.entries(kinds).entries()) {
  const apart: Seen[] = []
  for (let server = 1; server <= SERVERS; server++) {
    const one = await stage.serve(`traced_${nth}_${server}`, salon(), { ...env, DATABASE_POOL: '5' })
    await fillCalendar(one.db, 1_000)
    const seen = { on: [] as Seen[], off: [] as Seen[] }
    let now: keyof typeof seen = 'on'
    const turn = () => {
      process.kill(one.pid, 'SIGWINCH')
      now = now === 'on' ? 'off' : 'on'
    }
    for (let round = 0; round < WARM_UP + ROUNDS; round++)
      // on off, off on: whatever slows down or speeds up meanwhile does so to both.
      for (const isSecond of [false, true]) {
        if (isSecond) turn()
        const found = await measure(one)
        if (round >= WARM_UP) seen[now].push(found)
      }
    await one.end()
    const of = (which: keyof typeof seen, what: keyof Seen) => median(seen[which].map((found) => found[what]))
    const more = (what: keyof Seen) => (of('on', what) / of('off', what) - 1) * 100
    apart.push({ rate: more('rate'), cpu: more('cpu') })
    console.log(`not traced: ${of('off', 'rate').toFixed(0)}/s, ${of('off', 'cpu').toFixed(3)} ms of processor each`)
  }
  const all = (what: keyof Seen) => apart.map((one) => one[what].toFixed(1)).join(', ')
  const mean = (what: keyof Seen) => apart.reduce((sum, one) => sum + one[what], 0) / apart.length
  bar(`${kind}: answers a second more than without (${all('rate')})`, mean('rate'), { atLeast: -5 }, '%')
  console.log(`${kind}: ${mean('cpu').toFixed(1)} % more of a processor (${all('cpu')})`)
}
collector.kill()
await stage.close()
