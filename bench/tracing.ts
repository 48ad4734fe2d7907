/** What tracing costs: availability queries a second with traces sent to a collector that takes them, beside without. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpuMsOf } from './support/cpu-time.ts'
import { median, repeat } from './support/load.ts'
import { fillCalendar, salon, timesQuery } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6)
/** Of each kind: processes that do the same differ by more than what is looked for. */
const SERVERS = 3
/** Until then the servers are still being compiled. */
const WARM_UP = 3
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)

const collector = createServer((request, response) => {
  request.resume().once('end', () => response.end())
}).listen(0, '127.0.0.1')
await once(collector, 'listening')
const { port } = collector.address() as AddressInfo
const to = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }
const kinds = {
  off: {},
  on: to,
  sampled: { ...to, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
}
type Kind = keyof typeof kinds
const stage = await openStage()
const servers: { kind: Kind; origin: string; pid: number }[] = []
for (let nth = 1; nth <= SERVERS; nth++)
  for (const kind of ['off', 'on', 'sampled'] as const) {
    const server = await stage.serve(`${kind}_${nth}`, salon(), { ...kinds[kind], DATABASE_POOL: '5' })
    await fillCalendar(server.db, 1_000)
    servers.push({ kind, ...server })
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
const seen = new Map(servers.map(({ pid }) => [pid, [] as Seen[]]))
for (let round = 0; round < WARM_UP + ROUNDS; round++)
  for (const server of round % 2 ? servers : servers.toReversed()) {
    const one = await measure(server)
    if (round >= WARM_UP) seen.get(server.pid)?.push(one)
  }
await stage.close()
collector.close()
collector.closeAllConnections()

/** Of each server of a kind, what it mostly showed. */
const all = (kind: Kind, what: keyof Seen) =>
  servers.filter((one) => one.kind === kind).map(({ pid }) => median((seen.get(pid) ?? []).map((one) => one[what])))
const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
const more = (kind: Kind, what: keyof Seen) => ((mean(all(kind, what)) / mean(all('off', what)) - 1) * 100).toFixed(1)
const apart = (kind: Kind) => ((Math.max(...all(kind, 'cpu')) / Math.min(...all(kind, 'cpu')) - 1) * 100).toFixed(1)
console.log(
  `availability, not traced: ${mean(all('off', 'rate')).toFixed(0)}/s, ${mean(all('off', 'cpu')).toFixed(3)} ms`,
)
for (const kind of ['on', 'sampled'] as const)
  console.log(
    `${kind}: ${more(kind, 'rate')} % as to how many a second (at least -5), ${more(kind, 'cpu')} % of processor`,
  )
console.log(
  `servers of one kind are up to ${apart('off')}, ${apart('on')} and ${apart('sampled')} % of processor apart`,
)
