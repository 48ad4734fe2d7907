import type { RawBuilder } from 'kysely'

/** A database query for metrics. Each column of its result becomes a gauge or a label. */
export interface Measure {
  gauges: Record<string, { name: string; help: string }>
  labels: string[]
  query(now: Date): RawBuilder<Record<string, string | number | null>>
}
