import { backups } from './backups.ts'
import { ended } from './ended-per-day.ts'
import { jobs } from './jobs.ts'
import type { Measure } from './metric-query.ts'
import { money, returned } from './money.ts'
import { standbyCount, standbys, synchronousStandbys } from './standbys.ts'
import { undelivered, waiting } from './waiting.ts'

/** The database queries that run each time a monitoring system reads the metrics. */
export const measures: Measure[] = [
  waiting,
  undelivered,
  ended,
  money,
  returned,
  jobs,
  standbys,
  standbyCount,
  synchronousStandbys,
  backups,
]
