/** What tracing costs: availability queries a second with traces sent to a collector that takes them, beside without. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Fired, median, repeat, type Shot } from './support/load.ts'
import { fillCalendar, salon, WEEK } from './support/salon.ts'
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

const query: Shot = {
  ...{ method: 'POST', path: '/usp/v1/availability/query', headers: { 'content-type': 'application/json' } },
  body: JSON.stringify({ service_id: 'svc_cut', ...WEEK }),
}
const run = async () => {
  const fired: Partial<Record<keyof typeof servers, Fired>> = {}
  for (const name of ['off', 'on', 'sampled'] as const) fired[name] = await repeat(servers[name].origin, query, SECONDS)
  return (name: keyof typeof servers) => fired[name]?.rate ?? 0
}
await run()
const rounds: Awaited<ReturnType<typeof run>>[] = []
for (let round = 0; round < ROUNDS; round++) rounds.push(await run())
await stage.close()
collector.close()
collector.closeAllConnections()

const cost = (name: 'on' | 'sampled') => median(rounds.map((rate) => (1 - rate(name) / rate('off')) * 100)).toFixed(1)
console.log(`availability, not traced   ${median(rounds.map((rate) => rate('off'))).toFixed(0)}/s`)
console.log(`every call traced: ${cost('on')} % less; one in ten: ${cost('sampled')} % less (at most 5)`)
