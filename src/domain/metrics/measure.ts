import type { RawBuilder } from 'kysely'

/** A query for the metrics. Each column of its answer is a gauge or a label. */
export interface Measure {
  /** Metric name and help text of each numeric column. */
  gauges: Record<string, { name: string; help: string }>
  /** The columns that distinguish the rows. */
  labels: string[]
  query(now: Date): RawBuilder<Record<string, string | number | null>>
}
