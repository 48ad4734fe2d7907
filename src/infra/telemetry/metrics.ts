import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import manifest from '../../../package.json' with { type: 'json' }

export interface Metrics {
  registry: Registry
  requests: Histogram<'operation' | 'status'>
  outcomes: Counter<'operation' | 'outcome'>
  refusals: Counter<'operation' | 'code'>
  aborted: Counter<'operation'>
  strangerLimits: Counter<'limit'>
  reads: Counter<'at'>
}

export function makeMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const build = new Gauge({
    name: 'usp_build_info',
    help: 'Always 1; its labels say which version of the server runs, and on which Node',
    labelNames: ['version', 'node'],
    registers,
  })
  build.set({ version: manifest.version, node: process.versions.node }, 1)
  return {
    registry,
    requests: new Histogram({
      name: 'usp_request_seconds',
      help: 'Time to answer, by operation and status',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    outcomes: new Counter({
      name: 'usp_outcomes_total',
      help: 'Outcomes of calls that reached the business, by operation: done, repeated, or the code of its refusal',
      labelNames: ['operation', 'outcome'],
      registers,
    }),
    refusals: new Counter({
      name: 'usp_refusals_total',
      help: 'Requests that a check refused before the operation ran, or that failed, by operation and code',
      labelNames: ['operation', 'code'],
      registers,
    }),
    aborted: new Counter({
      name: 'usp_aborted_requests_total',
      help: 'Requests whose connection closed before the whole answer was sent, by operation',
      labelNames: ['operation'],
      registers,
    }),
    strangerLimits: new Counter({
      name: 'usp_stranger_limit_refusals_total',
      help: 'Calls refused because strangers, or visitors of the pages, had reached a limit, by limit',
      labelNames: ['limit'],
      registers,
    }),
    reads: new Counter({
      name: 'usp_standby_reads_total',
      help: 'Reads that a standby may answer when DATABASE_READ_URL is set, by the host that was queried: standby or primary',
      labelNames: ['at'],
      registers,
    }),
  }
}
