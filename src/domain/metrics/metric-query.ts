import type { RawBuilder } from 'kysely'

/** A query for the metrics. Each column of its answer is a gauge or a label. */
export interface Measure {
  gauges: Record<string, { name: string; help: string }>
  labels: string[]
  query(now: Date): RawBuilder<Record<string, string | number | null>>
}
