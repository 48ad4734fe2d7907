import { sql } from 'kysely'
import type { Measure } from './metric-query.ts'

export const jobs: Measure = {
  gauges: { failures: { name: 'usp_job_failures', help: 'Consecutive failures of each background job, by its name' } },
  // The label of a background job is `name`, because Prometheus uses the label `job` for the monitored server.
  labels: ['name'],
  query: () => sql`select job as name, failures from housekeeping`,
}
