import type { RawBuilder } from 'kysely'

/** Something that the database knows and whoever watches the business asks for: each column of the answer is a gauge, or a label. */
export interface Measure {
  /** What the columns with numbers are called outside, and what they say. */
  gauges: Record<string, { name: string; help: string }>
  /** The columns that tell one row from the other. */
  labels: string[]
  query(now: Date): RawBuilder<Record<string, string | number | null>>
}
