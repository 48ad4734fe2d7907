/** What tracing costs: availability queries a second with traces sent to a collector that takes them, beside without. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpuMsOf, serverPids } from './support/cpu-time.ts'
import { median, repeat } from './support/load.ts'
import { fillCalendar, salon, timesQuery } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3)

const collector = createServer((request, response) => {
  request.resume().once('end', () => response.end())
}).listen(0, '127.0.0.1')
await once(collector, 'listening')
const { port } = collector.address() as AddressInfo
const stage = await openStage()
const off = await stage.serve('untraced', salon())
const on = await stage.serve('traced', salon(), { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
const sampled = await stage.serve('sampled', salon(), {
  ...{ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
  ...{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' },
})
const servers = { off, on, sampled }
for (const { db } of Object.values(servers)) await fillCalendar(db, 1_000)

const query = timesQuery('svc_cut')
type Name = keyof typeof servers
const names: Name[] = ['off', 'on', 'sampled']
/** In the order in which they were started. */
const pids = serverPids()
/** How many a second, and what one takes of the server's processor: that is counted by the kernel, whoever else is busy here. */
const run = async () => {
  const seen = new Map<Name, { rate: number; cpu: number }>()
  for (const [index, name] of names.entries()) {
    const before = cpuMsOf(pids.slice(index, index + 1))
    const { rate } = await repeat(servers[name].origin, query, SECONDS)
    seen.set(name, { rate, cpu: (cpuMsOf(pids.slice(index, index + 1)) - before) / (rate * SECONDS) })
  }
  return seen
}
await run()
const rounds: Awaited<ReturnType<typeof run>>[] = []
for (let round = 0; round < ROUNDS; round++) rounds.push(await run())
await stage.close()
collector.close()
collector.closeAllConnections()

/** Of the same round, by how much more in a hundred. */
const more = (name: Name, what: 'rate' | 'cpu') =>
  median(rounds.map((seen) => ((seen.get(name)?.[what] ?? 0) / (seen.get('off')?.[what] ?? 1) - 1) * 100)).toFixed(1)
console.log(`availability, not traced: ${median(rounds.map((seen) => seen.get('off')?.rate ?? 0)).toFixed(0)}/s`)
for (const name of names.slice(1))
  console.log(
    `${name}: ${more(name, 'rate')} % as to how many a second (at least -5), ${more(name, 'cpu')} % of processor`,
  )
