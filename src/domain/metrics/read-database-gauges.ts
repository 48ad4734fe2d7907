import { setTimeout } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import { hasDiskSpace } from '../../infra/db/check-database-readiness.ts'
import type { PoolUsages } from '../../infra/db/connection-pool-usage.ts'
import type { OpenDatabase } from '../../infra/db/database.ts'
import { singleFlight } from '../../infra/util/memoize.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { measures } from './all-metric-queries.ts'
import { poolGauges } from './connection-pools.ts'
import type { Measure } from './metric-query.ts'

type GaugeDependencies = Dependencies<'clock' | 'log'> & { db: OpenDatabase; pools: PoolUsages }

/**
 * The server waits at most this many milliseconds for the database. Then it sends the metrics without the values from
 * the database.
 */
const DATABASE_TIMEOUT_MS = 2_000

/** Registers the metrics from the database as gauges. Returns a function that reads their values. */
export function databaseGauges(registry: Registry, dependencies: GaugeDependencies): () => Promise<void> {
  const answers = gauge(
    registry,
    'usp_database_answers',
    '1 if the database answered the queries for these metrics in time, otherwise 0',
  )
  const full = gauge(
    registry,
    'usp_database_full',
    '1 while the disk of the database is too full for a change, otherwise 0',
  )
  poolGauges(registry, dependencies.pools)
  const all = measures.map((measure) => ({ measure, gauges: gaugesOf(registry, measure) }))
  const inFlight = new Map<string, Promise<boolean>>()

  const readAll = async () => {
    for (const { measure, gauges } of all) {
      const { rows } = await measure.query(dependencies.clock()).execute(dependencies.db)
      for (const [column, one] of gauges) set(one, column, rows, measure.labels)
    }
    full.set(Number(!(await hasDiskSpace(dependencies.db))))
    return true
  }
  return async () => {
    const reading = singleFlight(inFlight, 'all', () => readAll().catch((error) => failed(error, dependencies)))
    const isRead = await Promise.race([reading, setTimeout(DATABASE_TIMEOUT_MS, false, { ref: false })])
    // If the database does not answer, the server clears these metrics, so that old values do not appear as current
    // ones.
    if (!isRead) for (const { gauges } of all) for (const [, one] of gauges) one.reset()
    answers.set(Number(isRead))
  }
}

function failed(error: unknown, { log }: Dependencies<'log'>): false {
  log.warn({ err: error }, 'The metrics of the database could not be read.')
  return false
}

const gauge = (registry: Registry, name: string, help: string, labelNames: string[] = []) =>
  new Gauge({ name, help, labelNames, registers: [registry] })

const gaugesOf = (registry: Registry, { gauges, labels }: Measure) =>
  Object.entries(gauges).map(([column, { name, help }]) => [column, gauge(registry, name, help, labels)] as const)

function set(one: Gauge, column: string, rows: Record<string, string | number | null>[], labels: string[]) {
  one.reset()
  for (const row of rows)
    one.set(Object.fromEntries(labels.map((label) => [label, row[label] ?? ''])), Number(row[column] ?? 0))
}
