import { sql } from 'kysely'
import type { Measure } from './measure.ts'

/** What the server does by itself. */
export const jobs: Measure = {
  gauges: { failures: { name: 'usp_job_failures', help: 'How often a job failed in a row, by its name' } },
  // `job` is what Prometheus calls whom it asked.
  labels: ['name'],
  query: () => sql`select job as name, failures from housekeeping`,
}
